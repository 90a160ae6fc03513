"""Demonstrations on the sample: what is done about a crash, about orders in messages, and about a model that makes things up."""
