"""Which tools serve a request, and which may stand in for a failed one."""
