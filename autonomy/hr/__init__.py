"""HR tools, which handle credentials or personal data and therefore run in the backend."""

PROVIDER = "hr"
"""The name of the provider in the gateway, and so the prefix of the tools."""
