"""The HR vendors: one file each turns a vendor's API into the neutral model, and nothing of a vendor's own words gets past it."""
