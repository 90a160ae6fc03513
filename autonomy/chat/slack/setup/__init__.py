"""Setting the Slack app up: its manifest, and what is missing."""
