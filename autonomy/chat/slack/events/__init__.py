"""What Slack sends: the forms of requests, and the messages in them."""
