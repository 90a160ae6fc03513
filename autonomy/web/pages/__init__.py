"""The pages of the console, and what only pages need."""
