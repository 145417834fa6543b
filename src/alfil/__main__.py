"""`python -m alfil` is the command `alfil`."""

import sys

from alfil.cli import main

if __name__ == "__main__":
    sys.exit(main())
