"""The HR tools: what they count, what they tell, and what they keep to themselves."""
