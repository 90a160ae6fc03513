"""Reviews what servers list: pins, changed and poisoned definitions, and what tools do."""
