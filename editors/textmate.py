"""Makes the TextMate grammar of the extension for VS Code. Run by `make docs`; a test compares."""

from __future__ import annotations

import json
from pathlib import Path

from alfil.highlighting import textmate_grammar

KEPT = Path(__file__).parent / "vscode" / "syntaxes" / "pieces.tmLanguage.json"


def made() -> str:
    """The grammar as JSON."""
    return json.dumps(textmate_grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    KEPT.write_text(made(), encoding="utf-8")
