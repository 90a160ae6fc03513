"""The pages of the console, and their helpers."""
