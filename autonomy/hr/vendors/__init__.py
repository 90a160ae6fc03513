"""HR vendors: one adapter each."""
