"""`python -m alfil` is the command `alfil`."""

import sys

from alfil.cli import main

sys.exit(main())
