"""The web console: live runs, decisions and transcripts."""
