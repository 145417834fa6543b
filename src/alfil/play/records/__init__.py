"""Moves, positions, games and matches as text that people read and files keep."""
