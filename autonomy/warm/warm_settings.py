"""The settings of the warm process."""

from pydantic import Field

from autonomy.settings import Config
from discovery.catalog import Frozen


class WarmSettings(Frozen):
    """`[warm]`."""

    idle_minutes: float = Field(30.0, gt=0, le=1_440)
    """How long the warm process stays without commands."""
    spares: int = Field(8, ge=0, le=32)
    """Of how many different servers it keeps a spare."""


def warm_settings(config: Config) -> WarmSettings:
    """Return `[warm]` of the settings. Raises `ConfigError`."""
    return config.table("warm", WarmSettings)
