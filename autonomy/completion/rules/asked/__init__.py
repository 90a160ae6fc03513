"""Rules that hold an answer against what was asked: actions, rows, the kind of question."""
