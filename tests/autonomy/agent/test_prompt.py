"""The words in which a task is told to a language model."""

import pytest

from autonomy.agent.prompt import FILLED_IN, task_as_text
from autonomy.llm.model import Need, Task
from tests.requirements import requirement


@requirement("X1")
@pytest.mark.parametrize(
    ("arguments", "explained"),
    [({"body_md": "{{result}}"}, True), ({"number": "{{post.number}}"}, True), ({"title": "Diary"}, False), ({}, False)],
)
def test_what_a_need_leaves_to_be_filled_in_is_explained_where_there_is_any(arguments: dict[str, str], explained: bool) -> None:
    task = Task(goal="write it", needs=(Need(id="post", description="post it", effect="outward", arguments=arguments),))
    assert (FILLED_IN in task_as_text(task)) is explained
