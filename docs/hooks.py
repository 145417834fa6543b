"""What mkdocs cannot know by itself: documents above the folder, and links out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The documents above the folder, and their places on the site.
ABOVE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "LICENSE": "licence.md",
}
OUTWARD = re.compile(r"\[([^\]]+)\]\(\.\./(?!docs/)[^)]*\)")


def on_config(config: Any) -> Any:  # noqa: ANN401 - mkdocs is no dependency of the tests
    """No page for what is not found: its links would have to know where the site will be."""
    config.theme.static_templates.discard("404.html")
    return config


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 - as above
    """Add the documents above the folder, their links as from inside it, and the mark."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - only mkdocs calls this

    above = Path(config["config_file_path"]).parent
    mark = (above / "src/alfil/site/pages/mark.svg").read_text(encoding="utf-8")
    files.append(File.generated(config, "pictures/mark.svg", content=mark))
    for name, place in ABOVE.items():
        path = above / name
        text = path.read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:  # noqa: ANN401 - as above
    """Links to documents above the folder lead to their pages; of others the text stays.

    The page of the bundled sets has all pieces of the catalogue, so that search finds their names.
    """
    if page.file.src_uri == "pieces.md":
        markdown += "\n".join(["", "## Pieces of the catalogue", "", *catalogue()])
    if page.file.src_uri.count("/"):
        return markdown
    for name, place in ABOVE.items():
        markdown = markdown.replace(f"](../{name})", f"]({place})")
    return OUTWARD.sub(r"\1", markdown)


def catalogue() -> Iterator[str]:
    """A table of the fairy pieces: their names, Betza's notation, and how they move in words."""
    import alfil  # noqa: PLC0415 - only mkdocs calls this

    yield "| name | Betza | how it moves |\n|---|---|---|"
    for entry in alfil.load("fairy").pieces:
        names, words = ", ".join(entry.names), alfil.describe(entry)
        cells = (names, f"`{entry.piece.text}`", words)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def on_page_content(html: str, **_: object) -> str:
    """A cell of a heading without words is no heading."""
    return html.replace("<th></th>", "<td></td>")
