"""One line of the settings has every answer read once more, and `jiritsu doctor` says whether it is on."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from autonomy.app_services import run_defaults
from autonomy.cli.commands.doctor import _opinion_check
from autonomy.cli.commands.init import InitAnswers, settings_text
from autonomy.cli.commands.run import request_for
from autonomy.errors import ConfigError
from autonomy.settings import Config, Settings, load
from discovery.search.offering import OfferLimits
from tests.requirements import requirement

pytestmark = requirement("X9")


@pytest.mark.parametrize("on", [True, False, "decides"])
def test_the_setting_holds_for_goals_and_is_the_default_of_jobs(on: Any) -> None:
    settings = Settings(second_opinion=on)
    assert request_for(settings, "count the stars", None, {}, simulate=False).second_opinion == on
    assert run_defaults(settings).second_opinion == on


@pytest.mark.parametrize(("written", "read"), [("decides", "decides"), ("true", True), ("0", False)])
def test_the_environment_says_it_in_words(written: str, read: Any, tmp_path: Path) -> None:
    loaded = load({"home": str(tmp_path)}, {"JIRITSU_SECOND_OPINION": written}, tmp_path)
    assert loaded.settings.second_opinion == read


def test_another_word_is_refused_by_its_key(tmp_path: Path) -> None:
    (tmp_path / "jiritsu.toml").write_text('second_opinion = "maybe"', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"second_opinion.*decides"):
        load({"config": str(tmp_path / "jiritsu.toml"), "home": str(tmp_path)}, {}, tmp_path)


@pytest.mark.parametrize(
    ("settings", "status", "says"),
    [
        (Settings(), "ok", "off: only rules judge an answer (`second_opinion = true` lets a model read it, too)"),
        (
            Settings(second_opinion=True, model=("openai:gpt-6.1-sol",)),
            "ok",
            "on: openai:gpt-6.1-sol reads each finished answer once more",
        ),
        (
            Settings(second_opinion="decides", model=("openai:gpt-6.1-sol",)),
            "ok",
            "on: openai:gpt-6.1-sol reads each finished answer once more, and settles what the checks of texts doubt; it reads its own "
            "answers, which was measured of one large model alone",
        ),
        (
            Settings(second_opinion="decides", model=("lmstudio:qwen3-8b",), judge_model=("anthropic:claude-sonnet-5-5",)),
            "ok",
            "on: anthropic:claude-sonnet-5-5 reads each finished answer once more, and settles what the checks of texts doubt",
        ),
        (
            Settings(second_opinion="decides", model=("lmstudio:qwen3-8b",)),
            "warn",
            "on: lmstudio:qwen3-8b reads each finished answer once more, and settles what the checks of texts doubt; how well a model "
            "of its size does that nobody has measured",
        ),
        (Settings(second_opinion=True), "warn", "on, but the offline planner has no opinion"),
        (
            Settings(second_opinion=True, judge_model=("anthropic:claude-sonnet-5-5",)),
            "ok",
            "on: anthropic:claude-sonnet-5-5 reads each finished answer once more",
        ),
        (Settings(judge_model=("anthropic:claude-sonnet-5-5",)), "warn", "off, so `judge_model` gives none"),
    ],
    ids=[
        "off",
        "on",
        "deciding on its own",
        "deciding",
        "a small one deciding",
        "no language model",
        "a model of its own",
        "a model for nothing",
    ],
)
def test_doctor_says_whether_a_model_reads_the_answers(settings: Settings, status: str, says: str) -> None:
    assert _opinion_check(settings)[1:3] == (status, says)


@pytest.mark.parametrize(
    ("model", "is_hosted"),
    [
        ("openai:gpt-6.1-sol", True),
        ("anthropic:claude-sonnet-5-5", True),
        ("openrouter:some/model", True),
        ("lmstudio:qwen3-8b", False),
        ("compatible:small", False),
        ("planner:offline", False),
        ("", False),
    ],
)
def test_init_lets_a_hosted_model_read_the_answers_and_cut_the_goals_and_no_other(model: str, is_hosted: bool) -> None:
    settings = Settings.model_validate(tomllib.loads(settings_text(InitAnswers(model=model))))
    assert settings.second_opinion == ("decides" if is_hosted else False)
    assert Config(settings, {}).table("tools", OfferLimits).steps is is_hosted


@pytest.mark.parametrize("written", ["judge_model = 'openai:a'", "judge_model = ['openai:a']", ""])
def test_the_model_that_judges_is_named_like_the_one_that_works(written: str, tmp_path: Path) -> None:
    (tmp_path / "jiritsu.toml").write_text(written, encoding="utf-8")
    env = {} if written else {"JIRITSU_JUDGE_MODEL": "openai:a,"}
    read = load({"config": str(tmp_path / "jiritsu.toml"), "home": str(tmp_path)}, env, tmp_path)
    assert read.settings.judge_model == ("openai:a",)
