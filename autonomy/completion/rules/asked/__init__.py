"""Rules that compare an answer with what was asked: actions, rows, the kind of question."""
