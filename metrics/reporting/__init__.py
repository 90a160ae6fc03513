"""Reports as terminal output, HTML, Markdown, CSV, Slack blocks and JSON."""
