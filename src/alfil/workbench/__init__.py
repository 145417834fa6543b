"""A designer's workbench: the shortest notation for a piece, and for boards that are drawn."""
