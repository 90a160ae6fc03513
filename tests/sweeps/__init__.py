"""Long runs that try everything that can break: `pytest -m sweep tests/sweeps`. Each prints its figures."""
