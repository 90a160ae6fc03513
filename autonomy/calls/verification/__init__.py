"""Evidence that a write happened: the effect ledger, reading back, and looking up."""
