"""Sets up the Slack app: its manifest, and checks of tokens and scopes."""
