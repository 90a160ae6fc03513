"""Transports to providers: processes, HTTP, in process; limits, the firewall on listings, and sign-in."""
