"""What is made of piece files is put into files: `fmt`, `rules`, `export`, `gallery`, `publish`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from alfil.atomic_files import numbered_names, save_files
from alfil.cli.input_output import (
    EXIT_DIAGNOSTICS,
    InputLine,
    Progress,
    diagnostic_data,
    for_each_line,
    print_answer,
    print_diagnostics,
    print_file_names_if_json_asked,
    print_or_write,
)
from alfil.cli.options import completion_function, game_options, is_json_asked, json_option
from alfil.cli.position import load_playable_library
from alfil.exchange import FORMATS_WITHOUT_COMMENTS, MODULE_BY_FORMAT, export
from alfil.library.file_locations import PIECE_FILE_SUFFIX, find_file, read_file
from alfil.source import printable


@click.command("fmt")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; say which files would change.")
@json_option()
def fmt_command(*, paths: tuple[str, ...], check: bool) -> int:
    """Format piece files.

    Columns are aligned, and everything has one spelling. Comments stay. The result is read again
    and compared before it is written; a file with errors is not changed.

    The exit code is 0 on success, 1 if a file has errors or, with --check, would change, 2 for
    wrong usage.
    """
    from alfil.library.formatter import format_file

    def form(line: InputLine) -> int:
        if not line.text.endswith(PIECE_FILE_SUFFIX):
            message = f"{line.text} is no piece file: its name would end in {PIECE_FILE_SUFFIX}"
            raise click.UsageError(message)
        place = find_file(line.text)
        text = format_file(place).encode()
        with open(place.path, "rb") as file:
            same = file.read() == text
        if not same and not check:
            save_files({place.path: text})
        words = [f"{line.text} would change"] if check and not same else []
        print_answer(lambda: {"file": line.text, "changed": not same}, words)
        return EXIT_DIAGNOSTICS if check and not same else 0

    return for_each_line((InputLine(path, path) for path in paths), form)


@click.command("rules")
@game_options
@click.option(
    "-o", "--output", metavar="OUT.md", help="The file; its diagrams are written beside it."
)
@json_option()
def rules_command(*, name: str, moves: dict[str, str], output: str | None) -> int:
    """Write the rules of a game as a page of Markdown.

    The page has the board, the pieces and the rules; GAME.introduction.md beside GAME.pieces is its
    introduction. Without -o it is printed without diagrams.

    The exit code is 0; 1 for a file without a starting position; 2 for an unknown set, piece or
    file, or if a file cannot be written.
    """
    from alfil.library.rules_page import pictures_by_suffix, rules_page

    library = load_playable_library(name, moves)
    stem = os.path.splitext(output)[0] if output else ""
    text = rules_page(library, pictures=os.path.basename(stem))
    if output is None:
        print_or_write(text, None)
        return 0
    picture_files = {
        f"{stem}{end}": content for end, content in pictures_by_suffix(library).items()
    }
    save_files({output: text.encode(), **picture_files})
    print_file_names_if_json_asked([output, *picture_files])
    return 0


@click.command("export")
@game_options
@click.option(
    "--to", type=click.Choice(tuple(MODULE_BY_FORMAT)), required=True, help="The program."
)
@click.option(
    "--lossy", is_flag=True, help="Leave out rules the program lacks; comments list them."
)
@click.option("-o", "--output", metavar="FILE", help="The file to write.")
@json_option()
def export_command(
    *, name: str, moves: dict[str, str], to: str, lossy: bool, output: str | None
) -> int:
    """Export a game for another program.

    fairy-stockfish is a section of variants.ini, fairy-max a block for fmax.ini,
    interactive-diagram one for a page of chessvariants.com, and ggn the pseudo-legal moves as JSON.

    If the program lacks a rule, the export fails and lists the losses. With --lossy it leaves them
    out, and comments list them; for ggn they are warnings.

    The exit code is 0; 1 for a loss; 2 for an unknown set, piece or file, or if a file cannot be
    written.
    """
    library = load_playable_library(name, moves)
    result = export(library, to, on_loss="lossy" if lossy else "strict")
    if to in FORMATS_WITHOUT_COMMENTS and not is_json_asked():
        print_diagnostics(
            [replace(each, severity="warning") for each in result.losses], library.source
        )
    losses = [diagnostic_data(each, library.source) for each in result.losses]
    print_or_write(result.text, output, name=result.name, losses=losses)
    return 0


@click.command("import")
@click.argument("path", metavar="VARIANTS.INI")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--lossy", is_flag=True, help="Leave out settings alfil lacks; comments list them.")
@click.option("-o", "--output", metavar="FILE", help="The file, or without NAME a folder.")
@json_option()
def import_command(*, path: str, name: str | None, lossy: bool, output: str | None) -> int:
    """Import variants from a variants.ini as piece files.

    Without NAME all variants are imported; NAME may also be a variant that is built into
    Fairy-Stockfish. If alfil lacks a setting, the import fails and lists the losses. With --lossy
    it leaves them out, and comments list them; a variant without a playable game is left out.

    The exit code is 0; 1 for a loss; 2 for an unknown variant or file.
    """
    from alfil.exchange.import_variants_ini import import_section, ini_sections, piece_file_name

    source = read_file(path)
    if name is None and output is None:
        raise click.UsageError(
            "name the variant that is meant, or a folder with -o for all of them"
        )
    made: dict[str, bytes] = {}
    data: list[dict[str, object]] = []

    taken: set[str] = set()

    def unused_name(variant: str) -> str:
        """The name of its file; different names of variants may want the same one."""
        names = map(str, numbered_names(Path(piece_file_name(variant))))
        found = next(each for each in names if each.casefold() not in taken)
        taken.add(found.casefold())
        return found

    def take(line: InputLine) -> int:
        result = import_section(source, line.text, "lossy" if lossy else "strict")
        target = output if name else os.path.join(output or "", unused_name(result.name))
        made[target or ""] = result.text.encode()
        written = {"text": result.text} if output is None else {"files": [target]}
        losses = [diagnostic_data(each, source) for each in result.losses]
        data.append({**written, "name": result.name, "losses": losses})
        return EXIT_DIAGNOSTICS if result.losses else 0

    names = [name] if name else ini_sections(source.text)
    code = for_each_line(
        (InputLine(each, path) for each in names), take, None if name else EXIT_DIAGNOSTICS
    )
    if code and not lossy:
        return code
    if output and not name:
        os.makedirs(output, exist_ok=True)
    if output:
        save_files(made)
    texts = "" if output else "".join(text.decode() for text in made.values())
    print_answer(lambda: data, texts.splitlines())
    return code


@click.command("gallery")
@click.argument(
    "sets", metavar="[SET|FILE]...", nargs=-1, shell_complete=completion_function("sets")
)
@click.option("-o", "--output", metavar="FOLDER", required=True, help="The folder to write.")
@json_option()
def gallery_command(*, sets: tuple[str, ...], output: str) -> int:
    """Write a gallery of pieces as a web page, FOLDER/index.html.

    Without arguments it has all included sets. The page needs no network and no server. An existing
    folder is replaced only if it is empty or has an older gallery, once the new one is complete.
    """
    from alfil.library.gallery import save_gallery
    from alfil.workbench.fact_texts import card_facts_html

    with Progress("pieces") as progress:
        count = save_gallery(output, sets, progress.show, card_facts_html)
    words = f"{count} pieces in {printable(output)}/index.html"
    print_answer(lambda: {"folder": output, "pieces": count}, [words])
    return 0


@click.command("publish")
@click.argument(
    "name", metavar="[SET_OR_FILE]", required=False, shell_complete=completion_function("games")
)
@click.option("-o", "--output", metavar="FOLDER", required=True, help="The folder to write.")
@click.option(
    "--address", metavar="URL", default="", help="Where the site will be, for previews of links."
)
@json_option()
def publish_command(*, name: str | None, output: str, address: str) -> int:
    """Write a game as web pages that need no server.

    The pages need only a browser, in which Python runs. Without a game they are the whole site:
    playground, games and gallery. An existing folder is replaced only if it is empty or has older
    pages, once the new ones are complete. Wheels of alfil include Pyodide, Python for browsers; in
    a checkout Node.js and npm are needed to make it.

    The exit code is 0; 1 for a file without a starting position, or without Node.js and npm; 2 for
    an unknown set or file, or if a file cannot be written.
    """
    from alfil.library.svg_symbols import text_with_embedded_drawings
    from alfil.site.build import save_game_page, save_site

    if name is None:
        with Progress("pieces") as progress:
            count = save_site(output, progress.show, address)
    else:
        library = load_playable_library(name, {})
        bundled = name if not name.endswith(PIECE_FILE_SUFFIX) else ""
        count = save_game_page(bundled, text_with_embedded_drawings(library), output)
    shown = printable(output)
    words = f"{count} files in {shown}; python -m http.server -d {shown} shows them"
    print_answer(lambda: {"folder": output, "written": count}, [words])
    return 0
