"""The settings of the warm process."""

from pydantic import Field

from autonomy.settings import Config
from discovery.catalog import Frozen


class WarmSettings(Frozen):
    """`[warm]`: for how long the warm process stays without a command, and how many different servers it keeps spares of."""

    idle_minutes: float = Field(30.0, gt=0, le=1_440)
    spares: int = Field(8, ge=0, le=32)


def warm_settings(config: Config) -> WarmSettings:
    """`[warm]`. Raises `ConfigError`."""
    return config.table("warm", WarmSettings)
