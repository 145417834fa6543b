"""Betza's funny notation in its dialects."""
