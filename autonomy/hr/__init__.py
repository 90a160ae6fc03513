"""HR tools, which handle credentials and personal data and therefore run in the backend."""

PROVIDER = "hr"
"""The name of the provider in the gateway, and therefore the prefix of the tools' full names."""
