"""Parlett's notation: read, resolved to movements, spelled from them and written."""
