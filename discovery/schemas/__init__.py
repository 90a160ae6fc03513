"""JSON Schemas of tools: validation, vendor subsets and argument checks."""
