"""Messages that the host itself posts: schedule alerts and the report."""
