"""How Betza becomes Ħasínū: by a table, from the meaning, or beside other parts."""
