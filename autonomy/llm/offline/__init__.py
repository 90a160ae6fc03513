"""The offline planner: a deterministic model without network that plans from needs and goals."""
