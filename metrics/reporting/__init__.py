"""Reports: what is shown, as terminal, HTML, Markdown, CSV, Slack and JSON."""
