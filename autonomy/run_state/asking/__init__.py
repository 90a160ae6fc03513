"""Questions to people as data: approvals, how they are shown, and the form of their arguments."""
