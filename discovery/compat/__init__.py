"""Provides public names of the source documents as façades over the gateway."""
