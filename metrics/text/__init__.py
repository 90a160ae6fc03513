"""Reading what texts say: phrases kept as data, and quotation marks."""
