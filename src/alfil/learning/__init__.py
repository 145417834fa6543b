"""Games as environments for programs that learn: `VectorEnv` and `make`; see docs/learning.md.

`alfil.learning.gymnasium`, `alfil.learning.pettingzoo` and `alfil.learning.open_spiel` have the
same for programs that know those interfaces.
"""

from alfil.learning.vector_env import Step, VectorEnv, make

__all__ = ["Step", "VectorEnv", "make"]
