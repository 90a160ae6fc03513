"""Clock, circuit breaker, rate limits and background tasks."""
