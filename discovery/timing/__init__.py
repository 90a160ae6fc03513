"""When a provider is called: the clock, circuit breaker and rate limits."""
