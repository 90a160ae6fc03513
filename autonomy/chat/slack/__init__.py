"""Slack: the app, its API, events, blocks and posts."""
