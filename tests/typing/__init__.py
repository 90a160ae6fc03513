"""What users of the library write, read by mypy alone: a type that changes is a change of the interface."""
