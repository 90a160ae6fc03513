"""The tables of the settings: how many tools a model is shown, and keys that none of them knows."""

from pathlib import Path
from typing import Any

import pytest

from autonomy.cli.settings_tables import table_problems
from autonomy.errors import ConfigError
from autonomy.settings import Config, Settings, load
from discovery.search.offering import OfferLimits
from tests.requirements import requirement


@requirement("Z11")
def test_how_many_tools_a_model_is_shown_is_a_setting() -> None:
    config = Config(Settings(tools={"share": 0.05, "most_tools": 20}), {"tools": "a file"})
    assert (config.table("tools", OfferLimits).share, config.table("tools", OfferLimits).most_tools) == (0.05, 20)


TABLES = ["alerts", "gateway", "keep", "limits", "quiet_hours", "report", "slack", "tools", "warm", "web", "workers"]


@requirement("Z11")
def test_a_key_that_no_table_knows_is_named_with_its_file_and_the_keys_that_there_are() -> None:
    tables: dict[str, Any] = {key: {"chanel": "C1"} for key in TABLES}
    settings = Settings(**tables, models={"openai": {"base": "x"}}, policy=({"tols": "x"},))
    found = [str(problem) for problem in table_problems(Config(settings, dict.fromkeys(Settings.model_fields, "a file")))]
    assert sorted(line.split(":")[1].split(".")[0].strip() for line in found) == sorted([*TABLES, "models", "policy"])
    for line in found:
        assert line.startswith("a file: ")
        assert "there is no such key; did you mean" in line or "there is no such key; there are" in line
    assert any("slack.chanel: there is no such key; did you mean channels?" in line for line in found)
    assert list(table_problems(Config(Settings(), dict.fromkeys(Settings.model_fields, "default")))) == []


@pytest.mark.parametrize("wrong", [{"share": 3}, {"most_tokens": "many"}, {"sare": 0.1}])
def test_a_wrong_one_is_named_with_its_file_and_key(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError) as told:
        Config(Settings(tools=wrong), {"tools": "a file"}).table("tools", OfferLimits)
    assert "a file" in str(told.value)
    assert next(iter(wrong)) in str(told.value)


@requirement("Y1")
def test_the_time_zone_is_the_machine_s_unless_the_settings_name_one(tmp_path: Path) -> None:
    def zone(**env: str) -> tuple[str, str]:
        config = load(env={"JIRITSU_HOME": str(tmp_path), **env}, cwd=tmp_path)
        return config.settings.timezone, config.origins["timezone"]

    assert zone(TZ="America/New_York") == ("America/New_York", "default (machine)")
    assert zone(TZ="UTC") == ("Asia/Tokyo", "default")
    (tmp_path / "jiritsu.toml").write_text('timezone = "Europe/Berlin"\n', encoding="utf-8")
    assert zone(TZ="America/New_York") == ("Europe/Berlin", str(tmp_path / "jiritsu.toml"))
