"""What is made of piece files is put into files: `fmt`, `rules`, `export`, `gallery`, `publish`."""

from __future__ import annotations

import os

import click

from alfil.cli.input_output import (
    EXIT_FOUND,
    Line,
    Progress,
    diagnostic_data,
    for_each_line,
    print_answer,
    print_files,
    print_or_write,
)
from alfil.cli.options import completed, json_option, moves_option
from alfil.cli.position import game_file
from alfil.exchange import FORMS, export
from alfil.library.files import SUFFIX, find_file, read_file
from alfil.saving import save
from alfil.source import printable


@click.command("fmt")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; say which files would change.")
@json_option()
def fmt_command(*, paths: tuple[str, ...], check: bool) -> int:
    """Lay piece files out anew: columns in line, one spelling of everything.

    Comments stay, and so does what the file says: the result is read again and compared before it
    is written. A file with errors is left as it is. The exit code is 0 when all is well, 1 where a
    file has errors or, with --check, would change, 2 for wrong usage.
    """
    from alfil.library.formatter import format_file

    def form(line: Line) -> int:
        if not line.text.endswith(SUFFIX):
            message = f"{line.text} is no piece file: its name would end in {SUFFIX}"
            raise click.UsageError(message)
        place = find_file(line.text)
        text = format_file(place).encode()
        with open(place.path, "rb") as file:
            same = file.read() == text
        if not same and not check:
            save({place.path: text})
        words = [f"{line.text} would change"] if check and not same else []
        print_answer(lambda: {"file": line.text, "changed": not same}, words)
        return EXIT_FOUND if check and not same else 0

    return for_each_line((Line(path, path) for path in paths), form)


@click.command("rules")
@click.argument("name", metavar="SET_OR_FILE", shell_complete=completed("games"))
@moves_option
@click.option("-o", "--output", metavar="OUT.md", help="The file; its pictures are put beside it.")
@json_option()
def rules_command(*, name: str, moves: dict[str, str], output: str | None) -> int:
    """Write the rules of a game as a page of Markdown: board, pieces, and what the fields say.

    Without -o it is printed, without pictures. What no field can tell is taken from a file beside
    the piece file, GAME.introduction.md for GAME.pieces. Nothing is written unless everything could
    be made.

    The exit code is 0; 1 for a file that is no game with a set-up; 2 for an unknown set, piece or
    file, and where nothing can be written.
    """
    from alfil.library.rules_page import pictures_of, rules_page

    library = game_file(name, moves)
    stem = os.path.splitext(output)[0] if output else ""
    text = rules_page(library, pictures=os.path.basename(stem))
    if output is None:
        print_or_write(text, None)
        return 0
    picture_files = {f"{stem}{end}": content for end, content in pictures_of(library).items()}
    save({output: text.encode(), **picture_files})
    print_files([output, *picture_files])
    return 0


@click.command("export")
@click.argument("name", metavar="SET_OR_FILE", shell_complete=completed("games"))
@moves_option
@click.option("--to", type=click.Choice(tuple(FORMS)), required=True, help="For which program.")
@click.option("--lossy", is_flag=True, help="Leave out what the program lacks, and say so in it.")
@click.option("-o", "--output", metavar="FILE", help="The file to write.")
@json_option()
def export_command(
    *, name: str, moves: dict[str, str], to: str, lossy: bool, output: str | None
) -> int:
    """Write a game as another program reads it.

    fairy-stockfish is a section of variants.ini, fairy-max a block for fmax.ini, and
    interactive-diagram one for a page of chessvariants.com.

    Every rule that the program lacks is an error, and nothing is written. With --lossy what remains
    is written, and what is lost stands there as comments.

    The exit code is 0; 1 where something is lost; 2 for an unknown set, piece or file, and where
    nothing can be written.
    """
    library = game_file(name, moves)
    result = export(library, to, on_loss="lossy" if lossy else "strict")
    losses = [diagnostic_data(each, library.source) for each in result.losses]
    print_or_write(result.text, output, name=result.name, losses=losses)
    return 0


@click.command("import")
@click.argument("path", metavar="VARIANTS.INI")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--lossy", is_flag=True, help="Leave out what alfil lacks, and say so in the file.")
@click.option("-o", "--output", metavar="FILE", help="The file; a folder, without NAME.")
@json_option()
def import_command(*, path: str, name: str | None, lossy: bool, output: str | None) -> int:
    """Write variants of a variants.ini, or built into Fairy-Stockfish, as piece files.

    NAME may also be a variant that Fairy-Stockfish has built in. Every setting that alfil has
    nothing for is an error, and nothing is written. With --lossy what remains is written, and what
    is lost stands there as comments; a variant of which no game remains is left out.

    The exit code is 0; 1 where something is lost or left out; 2 for an unknown variant or file.
    """
    from alfil.exchange.import_variant import file_name, import_section, ini_sections

    source = read_file(path)
    if name is None and output is None:
        raise click.UsageError(
            "name the variant that is meant, or a folder with -o for all of them"
        )
    made: dict[str, bytes] = {}
    data: list[dict[str, object]] = []

    def take(line: Line) -> int:
        result = import_section(source, line.text, "lossy" if lossy else "strict")
        target = output if name else os.path.join(output or "", file_name(result.name))
        made[target or ""] = result.text.encode()
        written = {"text": result.text} if output is None else {"files": [target]}
        losses = [diagnostic_data(each, source) for each in result.losses]
        data.append({**written, "name": result.name, "losses": losses})
        return EXIT_FOUND if result.losses else 0

    names = [name] if name else ini_sections(source.text)
    code = for_each_line((Line(each, path) for each in names), take, None if name else EXIT_FOUND)
    if code and not lossy:
        return code
    if output and not name:
        os.makedirs(output, exist_ok=True)
    if output:
        save(made)
    texts = "" if output else "".join(text.decode() for text in made.values())
    print_answer(lambda: data, texts.splitlines())
    return code


@click.command("gallery")
@click.argument("sets", metavar="[SET|FILE]...", nargs=-1, shell_complete=completed("sets"))
@click.option("-o", "--output", metavar="FOLDER", required=True, help="The folder to write.")
@json_option()
def gallery_command(*, sets: tuple[str, ...], output: str) -> int:
    """Write a gallery of pieces: FOLDER/index.html, with a picture of each.

    Without names it has all bundled sets. The page needs no network and no server. A folder that
    is there already is replaced if it is empty or holds an older gallery, and only when the new one
    is complete.
    """
    from alfil.library.gallery import save_gallery

    total = 0

    def show(done: int, of: int) -> None:
        nonlocal total
        total = of
        progress.show(done)

    with Progress(lambda done, _: f"gallery: {done} of {total} pieces") as progress:
        count = save_gallery(output, sets, show)
    words = f"{count} pieces in {printable(output)}/index.html"
    print_answer(lambda: {"folder": output, "pieces": count}, [words])
    return 0


@click.command("publish")
@click.argument("name", metavar="[SET_OR_FILE]", required=False, shell_complete=completed("games"))
@click.option("-o", "--output", metavar="FOLDER", required=True, help="The folder to write.")
@json_option()
def publish_command(*, name: str | None, output: str) -> int:
    """Write a game as a folder of web pages on which it can be played, without a server.

    Whoever opens the page needs a browser and nothing else: Python runs there. Without a game it
    is the whole site: the playground for notations, all games, the gallery. A folder that is there
    already is replaced if it is empty or holds older pages of this, and only when the new ones are
    complete. Python for browsers, Pyodide, is part of a wheel of alfil; in a checkout it is made,
    which needs Node.js and npm.

    The exit code is 0; 1 for a file that is no game with a set-up, and where node or npm is
    missing; 2 for an unknown set or file, and where nothing can be written.
    """
    from alfil.library.svg_symbols import with_drawings
    from alfil.site.build import save_game_page, save_site

    if name is None:
        count = save_site(output)
    else:
        library = game_file(name, {})
        bundled = name if not name.endswith(SUFFIX) else ""
        count = save_game_page(bundled, with_drawings(library), output)
    shown = printable(output)
    words = f"{count} files in {shown}; python -m http.server -d {shown} shows them"
    print_answer(lambda: {"folder": output, "written": count}, [words])
    return 0
