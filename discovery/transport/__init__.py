"""How a provider is reached: guarded transports, sign-in, the firewall on what is listed, and what comes back."""
