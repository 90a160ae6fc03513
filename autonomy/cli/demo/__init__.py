"""Demonstrations on the sample: a crash, orders in messages, a model that makes things up."""
