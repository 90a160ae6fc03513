"""The weather server against recorded forecasts of the Japan Meteorological Agency."""
