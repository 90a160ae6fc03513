"""The state of one run: its request, records, context, limits, steps and events."""
