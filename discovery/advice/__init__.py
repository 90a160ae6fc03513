"""Using tools well: hints, description, search, substitutes, and what was learned of them."""
