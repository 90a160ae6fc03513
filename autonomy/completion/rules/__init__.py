"""The rules of completion, a file per family; `registry` holds them in the order in which they are asked."""
