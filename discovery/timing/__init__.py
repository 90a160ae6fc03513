"""When a provider is called, and how long background work lives: clock, circuit breaker, rate limits, task groups."""
