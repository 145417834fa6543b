"""Speed of alfil next to other programs, as ratios taken in one run: `python -m benchmarks`."""
