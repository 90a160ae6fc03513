"""May a call happen: the operator's rules, a job's envelope, and data flow."""
