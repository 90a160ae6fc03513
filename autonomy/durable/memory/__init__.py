"""Data that runs leave for later runs: writes, long results, tools that met needs, remote tasks."""
