"""Hypothesis profiles: `ci` gives the same examples on every run, `nightly` looks much further.

Choose with ALFIL_HYPOTHESIS=nightly; the default is `ci`.
"""

import os
import signal

from hypothesis import settings

# No deadline: the first example pays for the grammar, and a shared machine stalls now and then.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("nightly", max_examples=10_000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("ALFIL_HYPOTHESIS", "ci"))

# A run in the background begins with Ctrl-C ignored, and so would every command that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
