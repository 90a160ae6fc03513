"""A module that no test may import: an entry that is not trusted names it."""

raise AssertionError("this must not be imported")
