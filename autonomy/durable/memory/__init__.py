"""What runs leave in the database for later ones: writes made, long results, tools that met needs, tasks left running."""
