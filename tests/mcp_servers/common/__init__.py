"""The server `common` against Google and Slack on loopback, and against its own outbox."""
