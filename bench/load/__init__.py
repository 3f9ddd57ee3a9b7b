"""Load on a real server, measured from outside: `python -m bench.load --help`, and bench/README.md for what it says."""
