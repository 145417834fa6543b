"""How a meaning becomes Betza: routes, shapes, letters, and guesses at what repeats itself."""
