"""The console: runs seen live, decisions made in one place, and why things went as they did, in a browser."""
