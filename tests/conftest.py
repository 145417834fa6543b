"""Hypothesis profiles: `ci` gives the same examples on every run, `nightly` looks much further.

Choose with ALFIL_HYPOTHESIS=nightly; the default is `ci`.
"""

import os

from hypothesis import settings

# No deadline: the first example pays for the grammar, and a shared machine stalls now and then.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("nightly", max_examples=10_000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("ALFIL_HYPOTHESIS", "ci"))
