"""What a job's rules ask of the form of its text stands in the first message: what was delivered cannot be put right."""

from autonomy.agent.prompt import rules_as_text
from autonomy.llm.model import Section, Task
from autonomy.run_state.completion_rules import Evidence, Fresh, Language, Length, Matches, Sections
from autonomy.run_state.run_values import RunRequest
from tests.requirements import requirement

RULES = (
    Sections(titles=("天気", "宿題")),
    Length(min_chars=150, max_chars=1500),
    Language(language="ja"),
    Fresh(input="day"),
    Matches(json_schema={"type": "object"}),
    Evidence(need="post"),
)


def told(task: Task, *rules: object) -> list[str]:
    return rules_as_text(RunRequest(run_id="run-1", task=task, rules=rules)).splitlines()  # type: ignore[arg-type]


@requirement("X8")
def test_the_form_that_a_job_asks_for_is_told_before_the_text_is_written() -> None:
    assert told(Task(goal="Write", language="en"), *RULES) == [
        "What the text has to be like:",
        "- it has these sections, as `##` headings: 天気, 宿題",
        "- it has 150 to 1500 characters",
        "- it is in Japanese",
        "- it names the day of the input day",
        '- it is JSON of this schema: {"type": "object"}',
    ]
    assert told(Task(goal="Write"), Length(min_chars=200))[1:] == ["- it has at least 200 characters"]


@requirement("X8")
def test_what_asks_for_no_form_or_is_told_already_adds_nothing() -> None:
    assert told(Task(goal="Write"), Evidence(need="post"), Length()) == []
    with_sections = Task(goal="Write", sections=(Section(title="天気", source="weather"), Section(title="宿題", source="notes")))
    assert told(with_sections, RULES[0], Language(language="ja")) == []
