"""How what is remembered is written down, packed and copied."""
