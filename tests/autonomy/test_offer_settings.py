"""The `[tools]` table: how many tools a model is shown."""

import pytest

from autonomy.errors import ConfigError
from autonomy.settings import Config, Settings
from autonomy.settings_files import offer_limits
from tests.requirements import requirement


@requirement("Z11")
def test_how_many_tools_a_model_is_shown_is_a_setting() -> None:
    config = Config(Settings(tools={"share": 0.05, "most_tools": 20}), {"tools": "a file"})
    assert (offer_limits(config).share, offer_limits(config).most_tools) == (0.05, 20)


@pytest.mark.parametrize("wrong", [{"share": 3}, {"most_tokens": "many"}, {"sare": 0.1}])
def test_a_wrong_one_is_named_with_its_file_and_key(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError) as told:
        offer_limits(Config(Settings(tools=wrong), {"tools": "a file"}))
    assert "a file" in str(told.value)
    assert next(iter(wrong)) in str(told.value)
