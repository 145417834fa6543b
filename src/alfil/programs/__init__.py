"""What other programs do with a Betza text: models of their own, more tolerant readers."""
