"""The command `alfil`: pieces shown, checked and taken apart from a terminal."""

import gc

# Importing makes many objects and no garbage; looking for some each 700 of them costs a tenth of
# the time a short command takes.
GC_THRESHOLD = 50_000


def main() -> int:
    """Run the command with the arguments of the process; returns its exit code.

    0 all is well, 1 something was found in a notation, 2 wrong usage, 130 interrupted.
    """
    gc.set_threshold(GC_THRESHOLD)
    try:
        from alfil.cli.app import run  # noqa: PLC0415 - a Ctrl-C while loading ends cleanly too

        return run()
    except KeyboardInterrupt:
        return 130
    finally:
        # The process ends here: to look for garbage in all it has loaded would be a tenth more.
        gc.freeze()
