"""Games driven by move tables: positions, legal moves, results, records."""
