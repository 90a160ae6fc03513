"""Reads what a request says: what it orders or forbids, whom it names and leaves out, what it quotes."""
