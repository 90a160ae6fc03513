"""Questions to people as data: approvals, how a question is shown, the form of its arguments."""
