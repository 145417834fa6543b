"""Piece files: pieces and games in text files, the bundled sets among them."""
