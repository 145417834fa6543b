"""The commands by name, and how the process ends: exit codes, interrupts, closed pipes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO, TextIOWrapper
from types import TracebackType

import click

from alfil import __version__
from alfil.errors import AlfilError, did_you_mean
from alfil.source import printable

EXIT_INTERRUPTED = 130
EXIT_USAGE = 2
# A shell sets it when it calls the command to complete a word.
COMPLETION_VARIABLE = "_ALFIL_COMPLETE"

# The commands in the order of the help text, each with the module of alfil.cli that has it, loaded
# when the command is called, and with the first sentence of its own help.
COMMANDS = {
    "show": ("show", "Draw how a piece moves, with a legend."),
    "translate": ("translate", "Write how a piece moves in another notation."),
    "simplify": ("simplify_infer", "Write a piece in the fewest letters that are found."),
    "infer": ("simplify_infer", "Find the shortest notation for boards drawn as text."),
    "facts": ("facts", "Tell what a piece is worth: mobility, forks, checks, mating power."),
    "values": ("values", "Measure what the pieces of a game are worth."),
    "diff": ("moves", "Compare two pieces, and show where they differ."),
    "check": ("check", "Find errors in notations and files."),
    "fmt": ("piece_file_commands", "Format piece files."),
    "moves": ("moves", "List the moves of a piece and what they capture."),
    "diagram": ("diagram", "Draw a piece, all pieces of a file, or a board, in any format."),
    "stages": ("show", "Print every stage from the notation to the move table."),
    "compile": ("compile", "Write the move tables of a piece, set or file."),
    "pieces": ("pieces", "Search the included pieces by name, code or moves."),
    "gallery": (
        "piece_file_commands",
        "Write a gallery of pieces as a web page, FOLDER/index.html.",
    ),
    "rules": ("piece_file_commands", "Write the rules of a game as a page of Markdown."),
    "export": ("piece_file_commands", "Export a game for another program."),
    "import": ("piece_file_commands", "Import variants from a variants.ini as piece files."),
    "publish": ("piece_file_commands", "Write a game as web pages that need no server."),
    "play": ("play", "Play a game in the terminal; help lists what can be typed."),
    "engine": ("engine", "Play as an engine in a graphical interface."),
    "lsp": (
        "lsp",
        "Serve an editor that speaks the language server protocol, on standard input and output.",
    ),
    "solve": ("solve", "Solve a chess problem: mate in so many moves, helpmate, selfmate, series."),
    "record": ("record", "List, show or convert recorded games."),
    "selfplay": ("selfplay", "Play many games against itself and save records and results."),
    "position": ("position", "Show a position: board, hands, side to move, legal moves."),
    "perft": ("perft", "Count legal move sequences of a given length."),
    "tablebase": ("facts", "Solve endings of few men, save them, and look positions up."),
    "explain": ("check", "Explain a kind of error, or list all kinds."),
    "docs": ("documentation", "Print a page of the documentation, or list all pages."),
    "completion": ("completion", "Print the completion script of a shell."),
}


class LazyCommandGroup(click.Group):
    """The group of all commands, each imported only when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the help text."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        home, _ = COMMANDS[cmd_name]
        module = import_module(f"alfil.cli.{home}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands and what each does, without importing any."""
        del ctx
        width = formatter.width - 6 - max(map(len, COMMANDS))
        rows = [
            (name, click.Command(name, help=words).get_short_help_str(width))
            for name, (_, words) in COMMANDS.items()
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was called; what is wrong with a text or a name is told."""
        try:
            return super().invoke(ctx)
        except AlfilError as error:
            from alfil.cli.input_output import exit_code, print_diagnostics  # noqa: PLC0415 - only where one is told

            print_diagnostics(error.all_diagnostics(), error.source)
            return exit_code(error)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments call; an unknown one gets the nearest name."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], COMMANDS) or f"to draw a piece: alfil show {args[0]}"
            ctx.fail(f"no command is called {args[0]}; {hint}")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:  # noqa: FBT001 - click's
    """Print the version of alfil, its engine, Python and the cache folder; end then."""
    del param
    if not asked:
        return
    from alfil.data_files import cache_folder  # noqa: PLC0415 - only this needs it
    from alfil.game.native_engine import LIBRARY_PATH, EngineMissing, engine  # noqa: PLC0415

    try:
        engine()
        engine_line = LIBRARY_PATH
    except EngineMissing as missing:
        engine_line = f"missing; {missing}"
    python = f"{sys.version.split()[0]} ({sys.platform}), {sys.executable}"
    rows = {"engine": engine_line, "Python": python, "cache": cache_folder()}
    click.echo(f"alfil {__version__}")
    for name, value in rows.items():
        click.echo(printable(f"{name:6}  {value}"))
    ctx.exit()


@click.group(cls=LazyCommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, and what this installation consists of.",
)
def alfil() -> None:
    """Read, draw, translate and play the pieces of chess and shogi variants.

    NOTATION may be a file with one notation a line, or - for standard input, where a blank line is
    a piece without moves. A file needs a dot or a slash in its name: list.txt, ./list. A notation
    that begins with a dash goes after --, as in: alfil check -- -W
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code."""
    sys.excepthook = _report_crash
    _ensure_streams()
    _set_encodings()
    if COMPLETION_VARIABLE in os.environ:
        import_module("alfil.cli.completion")
    try:
        code = alfil.main(arguments, prog_name="alfil", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        _report_usage_error(error)
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("alfil: interrupted", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read has had enough.
        _discard_output()
        return 1
    except OSError as error:
        _discard_output()
        click.echo(f"alfil: cannot read or write: {error.strerror}", err=True)
        return EXIT_USAGE
    return code if isinstance(code, int) else 0


def _set_encodings() -> None:
    """What a terminal cannot show is shown as a number; files and programs are given UTF-8.

    They would read the number as four letters. An encoding that the caller has asked for stays.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            if not stream.isatty() and "PYTHONIOENCODING" not in os.environ:
                stream.reconfigure(encoding="utf-8")


def _report_usage_error(error: click.ClickException) -> None:
    """Say what is wrong with the call, with nothing unseen in it."""
    shown = StringIO()
    error.show(shown)
    for line in shown.getvalue().splitlines():
        click.echo(printable(line), err=True)
    if isinstance(error, click.NoSuchOption):
        click.echo("A notation that begins with a dash goes after --", err=True)


def _ensure_streams() -> None:
    """Have streams where the caller closed them; using one is an error of the system then."""
    for name, mode, wrong in (
        ("stdin", "r", os.O_WRONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, wrong), mode, closefd=False))  # noqa: SIM115


def _discard_output() -> None:
    """Write nothing any more to standard output, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say in one line what should not have happened; the whole story with ALFIL_TRACEBACK set."""
    if os.environ.get("ALFIL_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)
        return
    click.echo(f"alfil: internal error: {kind.__name__}: {error}", err=True)
    click.echo("Please report it with the notation you gave.", err=True)
