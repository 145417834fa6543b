"""Runs the tests of the engine, or some files of them, on a build that stops at every access out of
bounds, at every use of what is freed, and at undefined behaviour: `make engine-checked`. It needs
gcc or clang.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alfil.engine import building

FLAGS = ("-std=c17", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
TESTS = (
    *("test_compiled.py", "test_core_rules.py", "test_game_bodies.py", "test_game_paths.py"),
    *("test_engine_header.py", "test_game_large.py", "test_opponent.py", "test_results.py"),
    *("test_roaming.py", "test_engine_bounds.py", "test_threads.py", "test_vector_env.py"),
    *("test_problems.py", "test_square_values.py", "test_tablebase.py"),
)
# Python frees nothing when it ends, and what it was given is no leak of the engine.
OPTIONS = "detect_leaks=0:abort_on_error=1"


def main() -> int:
    """Build, and run the tests on what was built; the tests' own status."""
    compiler = building.native_compilers()[0]
    asked = [*compiler, "-print-file-name=libasan.so"]
    library = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    with TemporaryDirectory(prefix="alfil-") as folder:
        built = Path(folder) / building.FILE
        building.build(built, flags=FLAGS)
        more = {"LD_PRELOAD": library, "ASAN_OPTIONS": OPTIONS, "ALFIL_ENGINE": str(built)}
        # All memory is from the system, so that what a test poisons is good again when it is freed.
        more |= {"PYTHONMALLOC": "malloc", "PYTHONPATH": str(Path(__file__).parent)}
        chosen = sys.argv[1:] or TESTS
        tests = [str(Path(__file__).parent / each) for each in chosen]
        shared = ("-n", "auto", "--dist", "loadfile") if len(tests) > 1 else ()
        command = [sys.executable, "-m", "pytest", "-q", "-p", "poisoned", *shared, *tests]
        return subprocess.run(command, env=os.environ | more, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
