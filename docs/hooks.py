"""What mkdocs cannot know by itself: documents above the folder, and links out of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

# The documents above the folder, and their places on the site.
ABOVE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
OUTWARD = re.compile(r"\[([^\]]+)\]\(\.\./(?!docs/)[^)]*\)")


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 - mkdocs is no dependency of the tests
    """Add the documents above the folder, their links as from inside it."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - only mkdocs calls this

    for name, place in ABOVE.items():
        path = Path(config["config_file_path"]).parent / name
        text = path.read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:  # noqa: ANN401 - as above
    """Links to documents above the folder lead to their pages; of others the text stays."""
    if page.file.src_uri.count("/"):
        return markdown
    for name, place in ABOVE.items():
        markdown = markdown.replace(f"](../{name})", f"]({place})")
    return OUTWARD.sub(r"\1", markdown)
