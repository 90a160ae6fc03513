"""What may be written without a question: within a job's needs, the model's plan, or the request's words."""
