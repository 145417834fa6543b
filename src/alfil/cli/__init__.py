"""The command `alfil`: pieces shown, checked and taken apart from a terminal."""


def main() -> int:
    """Run the command with the arguments of the process; returns its exit code.

    0 all is well, 1 something was found in a notation, 2 wrong usage, 130 interrupted.
    """
    try:
        from alfil.cli.app import run  # noqa: PLC0415 - a Ctrl-C while loading ends cleanly too

        return run()
    except KeyboardInterrupt:
        return 130
