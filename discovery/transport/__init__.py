"""Transports to providers: stdio, HTTP, in process; sign-in, listing firewall and redaction."""
