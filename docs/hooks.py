"""What mkdocs cannot know by itself: the changelog, and links out of the folder of documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

# A document that stands above the folder, and its place in the site.
ABOVE = {"CHANGELOG.md": "changelog.md"}
OUTWARD = re.compile(r"\[([^\]]+)\]\(\.\./(?!docs/)[^)]*\)")


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 - mkdocs is no dependency of the tests
    """Add the documents that stand above the folder, their links as from inside it."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - only mkdocs calls this

    for name, place in ABOVE.items():
        path = Path(config["config_file_path"]).parent / name
        text = path.read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:  # noqa: ANN401 - as above
    """A link to what is no document is its text; in a repository it leads there."""
    if page.file.src_uri.count("/"):
        return markdown
    return OUTWARD.sub(r"\1", markdown)
