"""Rules about the text of a job: its form, its content, and its substance."""
