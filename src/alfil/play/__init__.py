"""Games as people play them: the game, its ends, matches, an opponent, records."""
