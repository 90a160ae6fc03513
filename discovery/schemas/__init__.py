"""JSON Schemas of tools: what is wrong with one, what a vendor takes of it, whether arguments fit it."""
