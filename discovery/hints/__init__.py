"""How to use a tool well: hints, descriptions, and what was learned from calls."""
