"""`jiritsu report --import`: strangers' runs in our report, from the command line."""

import json
import os
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.command import jiritsu

MESSAGES = [
    {"role": "user", "content": "Read the file."},
    {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "read_file", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "1", "content": "Error: ENOENT: no such file or directory"},
    {"role": "assistant", "content": "There is no such file."},
]


@requirement("V7")
def test_a_failure_that_only_words_tell_of_is_counted_and_a_bad_file_is_named(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    (traces / "good.json").write_text(json.dumps({"messages": MESSAGES}))
    (traces / "bad.json").write_text("{")
    done = jiritsu("report", "--import", str(traces), "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"not imported: {traces / 'bad.json'}:1: is no JSON" in done.stderr
    report = json.loads(done.stdout)
    assert report["runs"] == 1
    assert report["tools"]["read_file"]["success"]["value"] == 0.0


@requirement("V7")
def test_what_no_trace_tells_is_not_shown_as_nothing(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(json.dumps({"messages": MESSAGES}))
    report = json.loads(jiritsu("report", "--import", str(tmp_path), "--json", home=tmp_path).stdout)
    value = {figure["name"]: figure["now"]["value"] for figure in report["figures"]}
    untold = {"unattended_completion", "human_load", "retries", "alternatives_tried", "approvals_asked", "effects_done"}
    untold |= {"effects_unknown", "rate_limit_waits", "model_fallback", "tokens", "duration", "interventions"}
    assert {name: value[name] for name in untold} == dict.fromkeys(untold)
    assert (value["completion"], value["calls"], value["turns"]) == (1.0, 1.0, 2.0)
    (line,) = report["latest"]
    assert (line["touches"], line["duration_s"], line["tokens"]) == (None, None, None)
    (tool,), (model,) = report["tools"].values(), report["models"].values()
    assert {tool[name] for name in ("asked", "retried", "replaced", "p50_s", "p95_s")} == {None}
    assert {model[name] for name in ("as_fallback", "input_tokens", "output_tokens", "cached_tokens", "p50_s")} == {None}
    assert (tool["calls"], tool["mischosen"], model["replies"]) == (1, 0, 2)
    page = tmp_path / "page.html"
    assert jiritsu("report", "--import", str(tmp_path / "good.json"), "--html", str(page), home=tmp_path).returncode == 0
    assert ">None<" not in page.read_text(encoding="utf-8")


@requirement("V7")
def test_what_a_trace_counts_and_times_is_summed_up_by_model(tmp_path: Path) -> None:
    reply = {"model": "m-1", "choices": [{"message": {"role": "assistant", "content": "Sunny."}}]}
    reply["usage"] = {"prompt_tokens": 120, "completion_tokens": 8}
    logged = {"request": {"messages": [{"role": "user", "content": "And tomorrow?"}]}, "response": reply}
    (tmp_path / "counted.jsonl").write_text(json.dumps(logged))
    report = json.loads(jiritsu("report", "--import", str(tmp_path / "counted.jsonl"), "--json", home=tmp_path).stdout)
    (model,) = report["models"].values()
    assert (model["input_tokens"], model["output_tokens"], model["p50_s"]) == (120, 8, None)


def test_a_file_that_is_not_there_ends_in_one_line(tmp_path: Path) -> None:
    done = jiritsu("report", "--import", str(tmp_path / "none.json"), home=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("there is no such file") == 1
    assert "Traceback" not in done.stderr


@requirement("V7")
def test_a_run_that_announces_and_stops_is_worth_a_look_and_says_why(tmp_path: Path) -> None:
    talk = [*MESSAGES[:3], {"role": "assistant", "content": "I could not read it. I was unable to. Let me try another file."}]
    (tmp_path / "stopped.json").write_text(json.dumps({"messages": talk}))
    done = jiritsu("report", "--import", str(tmp_path / "stopped.json"), "--lang", "en", "--format", "markdown", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "## Worth a look" in done.stdout
    assert "its last words announce a next step; it admits more than one failure; its last call failed" in done.stdout


@requirement("R6")
@pytest.mark.parametrize("form", ["json", "html", "markdown"])
def test_halves_of_characters_and_nuls_in_a_trace_reach_every_form_of_the_report(tmp_path: Path, form: str) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "a\0\ud83d/b", "arguments": '{"x": "\\ud800"}'}}
    talk = [{"role": "user", "content": "a\0"}, {"role": "assistant", "content": "\ud800", "tool_calls": [call]}]
    (tmp_path / "x.json").write_text(json.dumps({"id": "r\ud800", "model": "m\udfff", "messages": talk}), encoding="utf-8")
    done = jiritsu("report", "--import", str(tmp_path), "--format", form, home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@requirement("R6")
def test_a_pipe_in_a_folder_of_traces_is_told_of_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.jsonl")
    done = jiritsu("report", "--import", str(tmp_path), home=tmp_path)
    assert "x.jsonl: is no regular file" in done.stderr
