"""What stands between a listing and the catalog: pins, what a change of a definition means, what is held."""
