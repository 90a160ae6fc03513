"""Parsers for text that the policy checks: addresses, codes, pasted passages, SQL."""
