"""What Jiritsu costs as people run it, beside its floors and its peers: `python -m tests.bench.app_bench`."""
