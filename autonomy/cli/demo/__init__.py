"""Demonstrations on the sample: a crash, an injected order, and a model that invents facts."""
