"""Recommendations by purpose, from data and from the catalog."""

from discovery.catalog import Catalog, Provider, ProviderState
from discovery.hints.recommend import recommendations
from tests.requirements import requirement
from tests.support.specs import catalog_of, tool


@requirement("D12")
def test_the_seeds_recommendations_appear_with_their_tools() -> None:
    catalog = catalog_of(
        tool("slack_get_channel_history", provider="slack"),
        tool("slack_get_user_profile", provider="slack"),
        tool("esa_list_posts", provider="esa"),
        tool("esa_get_post", provider="esa"),
    )
    found = {item.purpose: item for item in recommendations(catalog)}
    assert found["Slackデータ収集"].tools == ("slack_get_channel_history", "slack_get_user_profile")
    assert found["Slackデータ収集"].strategy == "ユーザーの最近の活動を理解するため、関連チャンネルの履歴を取得"
    assert found["esa記事分析"].line == "esa記事分析: esa_list_posts, esa_get_post - ユーザーの過去記事から文体と関心事を学習"


@requirement("D12")
def test_nothing_is_recommended_that_cannot_be_used() -> None:
    down = tool("slack_get_channel_history", provider="slack", available=False)
    providers = (Provider(name="slack", state=ProviderState.DEGRADED),)
    assert recommendations(Catalog(tools=(down,), providers=providers)) == ()
    assert recommendations(catalog_of(tool("slack_get_user_profile", provider="slack"))) == ()


def test_tools_under_another_prefix_are_recommended_by_their_full_name() -> None:
    catalog = catalog_of(tool("work_esa_list_posts", provider="work").model_copy(update={"tool": "esa_list_posts"}))
    assert recommendations(catalog)[0].tools == ("work_esa_list_posts",)


def test_who_lists_what_another_tool_asks_for_is_derived() -> None:
    catalog = catalog_of(
        tool("list_projects", provider="pm"),
        tool("search_tasks", provider="pm", required=("project_id",)),
        tool("close_task", provider="pm", required=("task_id",)),
        tool("list_tasks", provider="other"),
    )
    assert [item.line for item in recommendations(catalog, language="en")] == [
        "look up task_id: search_tasks, close_task - get the task_id for close_task from search_tasks",
        "look up project_id: list_projects, search_tasks - get the project_id for search_tasks from list_projects",
    ]
