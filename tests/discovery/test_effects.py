"""What a tool does, proposed from its words: measured on real tools labelled by hand, and careful where it matters."""

import pytest

from discovery.catalog import Effect, JsonObject
from discovery.review.effect_proposals import GUESSED, contradiction, propose
from discovery.review.effect_words import words
from tests.bench.effects_bench import DATA, rows_of, spec_of
from tests.requirements import requirement
from tests.support.specs import tool

LABELLED = list(rows_of(DATA / "labelled_tools.jsonl.gz"))
UNSEEN = list(rows_of(DATA / "unseen_tools.jsonl.gz"))
WRITTEN = list(rows_of(DATA / "written_tools.jsonl.gz"))
STRANGERS = [row for name in ("honest_tools.jsonl.gz", "honest_tools_apart.jsonl.gz") for row in rows_of(DATA / name)]


@requirement("Z3")
@pytest.mark.parametrize(
    "source",
    [
        *("livemcpbench", "github", "atlassian", "aws"),
        *("first", "second", "third", "fourth", "fifth", "seventh", "eighth"),
        "written",
        "twentysixth",
        "twentyseventh",
    ],
)
def test_a_proposed_read_is_one_and_four_of_five_reads_are_proposed(source: str) -> None:
    rows = [row for row in LABELLED + UNSEEN + WRITTEN + STRANGERS if row["source"] == source and row["label"] != "unclear"]
    proposed = [row for row in rows if propose(spec_of(row)).effect is Effect.READ]
    reads = [row for row in rows if row["label"] == "read"]
    right = [row for row in proposed if row["label"] == "read"]
    assert len(right) >= 0.99 * len(proposed)
    assert len(right) >= 0.8 * len(reads)


@requirement("Z3")
def test_a_japanese_change_behind_a_read_is_seen_by_its_verb_and_a_noun_of_change_is_none() -> None:
    rows = [row for row in WRITTEN if row["source"] == "written_ja"]
    reads = {row["tool"] + row["server"] for row in rows if propose(spec_of(row)).effect is Effect.READ}
    honest = {row["tool"] + row["server"] for row in rows if row["label"] == "read"}
    assert reads - honest == {"get_certificatehoujin"}
    assert len(reads & honest) >= 0.85 * len(honest)


@requirement("Z3")
def test_two_of_three_changes_hidden_in_a_reads_clothes_are_seen_and_most_reads_that_sound_like_changes_are_left() -> None:
    rows = [row for row in WRITTEN if row["source"] == "hidden"]
    reads = [row["label"] for row in rows if propose(spec_of(row)).effect is Effect.READ]
    changes = sum(row["label"] == "write" for row in rows)
    assert changes == 90
    assert reads.count("write") <= 32  # before: 56; the page says how many at first sight
    assert reads.count("read") >= 0.7 * (len(rows) - changes)


@requirement("Z3")
def test_a_change_hidden_behind_a_noun_passes_no_more_often_than_before_nouns_were_read() -> None:
    rows = [row for row in WRITTEN if row["source"] == "hidden_nouns"]
    passed = sorted(row["tool"] for row in rows if propose(spec_of(row)).effect is Effect.READ)
    assert len(rows) == 60
    assert len(passed) <= 9, passed  # when nouns alone said nothing: 9; now 8, the page says how many at first sight


@requirement("Z3")
def test_a_server_that_claims_to_read_is_believed_unless_name_and_words_say_otherwise() -> None:
    claimed = [row for row in LABELLED if row["annotations"].get("readOnlyHint")]
    doubted = [row["tool"] for row in claimed if contradiction(spec_of(row, effect=Effect.READ))]
    assert len(claimed) > 100
    assert doubted == ["lol-summoner-renewal"]


@pytest.mark.parametrize(
    ("name", "description", "effect"),
    [
        ("delete_page", "Deletes a page.", Effect.DESTRUCTIVE),
        ("send_mail", "Sends a mail.", Effect.OUTWARD),
        ("search_and_replace", "Search for text and replace it.", Effect.WRITE),
        ("get_or_create_user", "Returns the user.", Effect.WRITE),
        ("get_report", "Gets a report and saves it to a file.", Effect.WRITE),
        ("list_deleted_pages", "Lists pages.", Effect.READ),
        ("issue_read", "Get an issue.", Effect.READ),
        ("status_boost", "Boost (lift) a status.", Effect.WRITE),
        ("status_page", "Show the status of a service.", Effect.READ),
        ("kiroku", "勤怠の記録を取得します。", Effect.READ),
        ("kiroku", "勤怠の記録を削除します。", Effect.DESTRUCTIVE),
        ("kiroku", "投稿を検索して削除する。", Effect.DESTRUCTIVE),
        ("kiroku", "更新履歴と公開状態を返します。", Effect.READ),
        ("kiroku", "登録された投稿を検索します。予約はしません。", Effect.READ),
        ("kiroku", "勤怠を取得します。誤りは画面から削除してください。", Effect.READ),
        ("kiroku", "勤怠を取得します。更新は update_kiroku で行います。", Effect.READ),
        ("kiroku", "勤怠を取得します。取得した行は削除されます。", Effect.DESTRUCTIVE),
        ("kiroku", "勤怠を取得し、既読にします。", Effect.WRITE),
        ("kiroku", "勤怠を締めてから一覧を返します。", Effect.WRITE),
        ("kiroku", "勤怠を確認し、お送りします。", Effect.OUTWARD),
        ("kiroku", "勤怠を取得し、ふにゃふにゃします。", Effect.WRITE),
        ("kiroku", "勤怠を見つけて一つにまとめ直します。", Effect.WRITE),
        ("pack_repository", "Fetch, clone, and package a repository.", Effect.WRITE),
        ("corrected_calcium", "Calcium Correction\n\nCalculates the level.", Effect.READ),
        ("frobnicate", "Frobnication\n\nFrobs the level.", Effect.WRITE),
        ("level", "Remove the level\n\nCalculates the level.", Effect.DESTRUCTIVE),
        ("read_topic", "Read a topic's metadata and posts.", Effect.READ),
        ("read_topic", "Reads a topic and posts an answer.", Effect.OUTWARD),
        ("fetch_mail", "Fetch a mail and deletes it from the server.", Effect.DESTRUCTIVE),
        ("read_alerts", "Read the alerts and dismiss them.", Effect.WRITE),
        ("get_record", "Get a record and updates it", Effect.WRITE),
        ("get_record", "Get a record and bumps its counter.", Effect.WRITE),
        ("get_record", "Get a record. Updates its counter.", Effect.WRITE),
        ("get_invoice", "Get an invoice. Also emails it to the customer.", Effect.WRITE),
        ("get_message", "Retrieves a message, marking it as seen.", Effect.WRITE),
        ("read_queue", "Read a message from the queue. The message is deleted afterwards.", Effect.WRITE),
        ("get_messages", "Receive messages and acknowledge them.", Effect.WRITE),
        ("get_rid_of_file", "Get rid of a file.", Effect.WRITE),
        ("log_time", "Log hours on an issue.", Effect.WRITE),
        ("salesforce_query_records", "Query records from any object.", Effect.READ),
        ("get_message", "Returns the message after deleting it from the queue.", Effect.DESTRUCTIVE),
        ("read_message", "Read the oldest message, taking it off the queue.", Effect.WRITE),
        ("list_sessions", "Lists sessions, ending those that are idle.", Effect.WRITE),
        ("get_approval", "Gets approval for a deployment by asking them on Slack.", Effect.WRITE),
        ("search_files", "Searches files while moving matches to the trash.", Effect.WRITE),
        ("list_labels", "Lists the labels. Missing ones are created.", Effect.WRITE),
        ("get_instance", "Shut down an instance and return its last state.", Effect.WRITE),
        ("show_history", "Roll back the database and show the history.", Effect.WRITE),
        ("get_seat", "Shows the seat, activating the licence if needed.", Effect.WRITE),
        ("get_seat", "Shows the seat, including the licence if needed.", Effect.READ),
        ("show_file", "Shows a file and takes the lock on it.", Effect.WRITE),
        ("show_file", "Shows a file and owners of its locks.", Effect.READ),
        ("get_gate", "Shows the gate after lowering the bar.", Effect.WRITE),
        ("get_parcel", "Inspects a parcel and has it rerouted.", Effect.WRITE),
        ("get_token", "Returns a token; earlier ones stop working.", Effect.WRITE),
        ("view_device", "Turns the device off and shows its status.", Effect.WRITE),
        ("check_guest", "Checks a guest in.", Effect.WRITE),
        ("find_files", "Look up files by name.", Effect.READ),
        ("get_costs", "Break down the costs by month.", Effect.READ),
        ("list_users", "List users. Use this before creating a user.", Effect.READ),
        ("describe_table", "Describes a table, and when it was created.", Effect.READ),
        ("get_schema", "Gets the schema. To update it, use update_schema.", Effect.READ),
        ("find_pages", "Find pages in your space and connected or deleted ones.", Effect.READ),
        ("get_page", "Fetches a page and converts it to markdown.", Effect.READ),
        ("open_tickets", "A list of open tickets.", Effect.READ),
        ("crm_open_tickets", "Lists open tickets", Effect.READ),
        ("open_tickets", "Returns the tickets of a customer that are open.", Effect.READ),
        ("release_notes", "Get the release notes of a version.", Effect.READ),
        ("open_tickets", "Open tickets", Effect.WRITE),
        ("open_ticket", "Returns the number of the ticket.", Effect.WRITE),
        ("open_tickets", "Returns a link to open tickets.", Effect.WRITE),
        ("open_tickets", "Finds customers and open tickets for them.", Effect.WRITE),
        ("open_tickets", "Lists the open tickets and closes them.", Effect.WRITE),
        ("remove_requests", "Lists the remove requests.", Effect.DESTRUCTIVE),
        ("helm_history", "Revision history of a release with its status.", Effect.READ),
        ("members", "Members of a team with their role.", Effect.READ),
        ("thread", "All comments on a ticket, oldest first.", Effect.READ),
        ("air", "Current PM2.5, ozone and NO2 for a coordinate.", Effect.READ),
        ("digest", "SHA-256 digest of a file.", Effect.READ),
        ("history", "Rewrite history of a branch.", Effect.WRITE),
        ("price", "Price items of a catalog.", Effect.WRITE),
        ("deletion", "Deletion of a record.", Effect.WRITE),
        ("alarms", "Active alarms of a site, acknowledged.", Effect.WRITE),
        ("cache", "All values of a cache with their lifetime renewed.", Effect.WRITE),
        ("about", "REQUIRED FIRST STEP: plan the work.", Effect.WRITE),
        ("meta", "TFT tool for retrieving item statistics.", Effect.READ),
        ("meta", "Tool that removes item statistics.", Effect.DESTRUCTIVE),
        ("promql", "Executes a PromQL query and returns the samples.", Effect.READ),
        ("reader", "Runs a read-only SQL query.", Effect.READ),
        ("run_delete", "Runs a read-only SQL query.", Effect.WRITE),
        ("reader", "Runs a read-only SQL query and cache the rows.", Effect.WRITE),
        ("runner", "Runs a SQL query.", Effect.WRITE),
        ("resolve_library", "Resolves a package name to a library ID.", Effect.READ),
        ("resolve_issue", "Resolves an issue as done.", Effect.WRITE),
        ("list_links", "Records linked to a company.", Effect.READ),
        ("log_links", "Records a link.", Effect.WRITE),
        ("get_patient", "Returns a patient. Do not store it in memory.", Effect.READ),
        ("kiroku", "物件の詳細。", Effect.READ),
        ("kiroku", "記事の情報を消去。", Effect.DESTRUCTIVE),
        ("notas", "Busca notas por etiqueta.", Effect.READ),
        ("notas", "Busca notas y las fija.", Effect.WRITE),
        ("borrar", "Busca notas.", Effect.WRITE),
        ("noten", "Ruft Noten als JSON ab.", Effect.READ),
        ("noten", "Liest die Noten und quittiert sie.", Effect.WRITE),
        ("noten", "Gibt die Noten frei.", Effect.WRITE),
        ("solde", "Affiche le solde et recharge la carte.", Effect.WRITE),
        ("역", "도착 정보를 조회합니다.", Effect.READ),
        ("역", "도착 정보를 조회하고 삭제합니다.", Effect.WRITE),
        ("消息", "查询消息并标记为已读", Effect.WRITE),
        ("数", "计算两个数的最大公约数。", Effect.READ),
        ("数", "计算余额并扣款。", Effect.WRITE),
        ("frobnicate", "", Effect.WRITE),
        ("", "🦊", Effect.WRITE),
    ],
)
def test_words_say_what_a_tool_does_in_two_languages(name: str, description: str, effect: Effect) -> None:
    assert propose(tool(name, description)).effect is effect


@pytest.mark.parametrize(
    "properties",
    [
        {"output_path": {}},
        {"sql": {}},
        {"method": {"enum": ["get", "delete"]}},
        {"action": {"description": "One of 'list' or 'remove'"}},
        {"prune": {"type": "boolean"}},
    ],
)
def test_a_read_whose_arguments_speak_of_a_change_is_a_write(properties: JsonObject) -> None:
    proposal = propose(tool("get_rows", "Gets rows.", properties=properties))
    assert proposal.effect is not Effect.READ
    assert any(line.startswith("argument") for line in proposal.evidence)


NUMBER, TEXT = {"type": "number"}, {"type": "string"}


@requirement("Z3")
@pytest.mark.parametrize(
    ("name", "description", "properties"),
    [
        ("add", "Add two numbers.", {"a": NUMBER, "b": NUMBER}),
        ("percentage", "Perform percentage calculations: of, increase or decrease.", {"value": NUMBER, "percentage": NUMBER}),
        ("solve", "Solve systems of linear equations (Ax = b) using SciPy's solver.", {"coefficients": {"type": "array"}}),
        ("matrix", "Matrix decompositions: SVD, QR.", {"matrix": {"type": "array", "items": {"type": "array", "items": NUMBER}}}),
        ("calculate", "Evaluate mathematical expressions using SymPy.", {"expression": TEXT, "variables": {"type": "object"}}),
        ("format_json", "Format a JSON string.", {"json": TEXT, "indent": {"type": "integer"}}),
        ("uuid", "Generate a random UUID.", {"version": {"enum": [4, 7]}}),
        ("round", "Round a number to the nearest multiple.", {"x": {"anyOf": [NUMBER, {"type": "null"}]}}),
        ("to_wiki", "Convert Markdown formatted text to Backlog wiki notation.", {"markdown": TEXT}),
        ("romaji", "Transliterate Japanese text (kana and kanji) to Hepburn romaji.", {"text": TEXT}),
        ("era", "Convert a Western (Gregorian) year to its Japanese era year.", {"year": {"type": "integer"}}),
        ("hash_data", "Hash input data using Node.js crypto module.", {"input": TEXT}),
        ("nanoid", "Generate a NanoID — a compact, URL-friendly unique ID.", {"length": NUMBER}),
    ],
)
def test_what_only_computes_from_what_it_is_given_is_a_read(name: str, description: str, properties: JsonObject) -> None:
    proposal = propose(tool(name, description, properties=properties))
    assert (proposal.effect, proposal.evidence[0].startswith("description: computes")) == (Effect.READ, True)
    keyed = tool(name, description, properties={**properties, "account_id": {"type": "integer"}})
    assert propose(keyed).effect is not Effect.READ, "it may be about something that exists"
    assert propose(tool(name, f"{description[:-1]} and stores it.", properties=properties)).effect is not Effect.READ


@requirement("Z3")
@pytest.mark.parametrize(
    ("description", "properties"),
    [
        ("消費税を計算する。\namount: 金額 / rate: 税率", {"amount": NUMBER, "rate": NUMBER, "amount_is": TEXT}),
        ("和暦を西暦に変換する。", {"era": TEXT, "year": NUMBER}),
        ("西暦の日付を和暦に変換する。改元の境界も正しく判定する。", {"year": NUMBER, "month": NUMBER}),
        ("明細を税率ごとに区分集計する。", {"items": {"type": "array"}}),
        ("JSONを整形します。", {"json": TEXT, "indent": NUMBER}),
    ],
)
def test_what_a_japanese_tool_only_computes_from_what_it_is_given_is_a_read(description: str, properties: JsonObject) -> None:
    assert propose(tool("keisan", description, properties=properties)).effect is Effect.READ
    keyed = tool("keisan", description, properties={**properties, "order_id": TEXT})
    assert propose(keyed).effect is not Effect.READ, "it may be about something that exists"
    stored = tool("keisan", description.replace("。", "。台帳に足し込みます。", 1), properties=properties)
    assert propose(stored).effect is not Effect.READ, "a later sentence tells of something that nobody knows"


@requirement("Z3")
@pytest.mark.parametrize(
    ("name", "description", "properties"),
    [
        ("add", "Add a number to the series.", {"value": NUMBER}),
        ("add_number", "Adds a number to the running total.", {"number": NUMBER}),
        ("round_up", "Round the order total up and donate the difference.", {"decimals": NUMBER}),
        ("convert_points", "Converts loyalty points to a discount percentage.", {"points": NUMBER}),
        ("run_calculation", "Run the payroll calculation for the month.", {"month": NUMBER}),
        ("run_statistics", "Run statistics and vacuum.", {"depth": NUMBER}),
        ("calculate", "Calculates interest and credits it.", {"rate": NUMBER}),
        ("format", "Formats the string on the panel.", {"text": TEXT}),
        ("scale", "Scale the number of replicas.", {"count": NUMBER}),
        ("scale_service", "Scale up by a percentage.", {"percent": NUMBER}),
        ("turn", "Turn by degrees.", {"degrees": NUMBER}),
        ("sort", "Sort the numbers in the phone book.", {"order": TEXT}),
        ("generate_password", "Generate a new password for the administrator.", {"length": NUMBER}),
        ("generate_invoice_number", "Generates the next invoice number.", {"year": NUMBER}),
        ("percentage", "Discount percentage for all products.", {"percentage": NUMBER}),
        ("rate", "Interest rate of the bank, changed.", {"rate": NUMBER}),
        ("execute", "Execute a string of code.", {"code": TEXT}),
        ("decode", "Decode a hex string and run it.", {"hex": TEXT}),
        ("reverse", "Reverse a payment by its number.", {"number": TEXT}),
        ("reverse", "Reverse the last calculation.", {"steps": NUMBER}),
        ("dose", "Deliver a number of units.", {"units": NUMBER}),
        ("average", "Average down the position by a number of shares.", {"number": NUMBER}),
        ("text", "Text a number.", {"number": TEXT, "text": TEXT}),
        ("color", "Color of the lamp in hex.", {"color": TEXT}),
        ("convert_text", "Convert text to speech on the speaker.", {"text": TEXT}),
        ("publish", "Convert markdown to a blog post.", {"markdown": TEXT}),
        ("format_text", "Format the text of the home page.", {"text": TEXT}),
        ("hash_input", "Hash the input and keep the digest.", {"input": TEXT}),
        ("encode", "Encode the text onto the card.", {"text": TEXT}),
        ("normalize", "Normalize the data in the table.", {"data": TEXT}),
        ("transform", "Transform JSON to rows of the warehouse.", {"json": TEXT}),
        ("encode", "Encode text to base64 and text it.", {"text": TEXT}),
        ("escape", "Escape the HTML of every page.", {"html": TEXT}),
        ("prettify", "Prettify the JSON of the saved value.", {"json": TEXT}),
        ("format", "Format the date on the display in text.", {"date": TEXT}),
        ("convert", "Convert the string of lights to a color.", {"string": TEXT}),
        ("convert_days", "Convert vacation days to cash.", {"days": {"type": "integer"}}),
        ("convert", "Convert text to a PDF.", {"text": TEXT}),
        ("convert_markdown", "Convert markdown text to a Word document.", {"markdown": TEXT}),
        ("transform_data", "Transform data into a vector in the index.", {"data": TEXT}),
        ("minify", "Minify the CSS of the live site.", {"text": TEXT}),
        ("generate_hash", "Generate a hash for the string and pin it.", {"string": TEXT}),
        ("generate_character", "Generate a character.", {"n": NUMBER}),
        ("create_digest", "Create a digest of the week.", {"week": TEXT}),
        ("generate_hex", "Generate a hex for the door.", {"length": NUMBER}),
        ("make_digest", "Make a daily digest.", {"count": NUMBER}),
        ("generate_lorem", "Generate lorem ipsum in the document.", {"count": NUMBER}),
        ("convert", "Convert text to kana — then post it.", {"text": TEXT}),
        ("normalize_text", "Normalize text for all records to unicode.", {"text": TEXT}),
        ("convert_json", "Convert JSON to a number of tickets.", {"json": TEXT}),
        ("transform_points", "Transform points of the polygon layer to a vector.", {"points": {"type": "array"}}),
        ("report", "Report what a user did to the moderators.", {"text": TEXT}),
        ("get_mail", "Get a mail.", {"save_to_disk": TEXT}),
        ("search", "Executes a search and replace in all files.", {"query": TEXT}),
        ("search", "Runs a search index rebuild.", {"query": TEXT}),
        ("query_sql", "Run a read-only SQL query and cache it.", {"query": TEXT}),
        ("calc", "ポイントを計算して付与する。", {"amount": NUMBER}),
        ("kyuyo", "給与を計算する。", {"month": {"type": "integer"}}),
        ("shukei", "勤怠を集計する。", {"year": {"type": "integer"}, "month": {"type": "integer"}}),
        ("saikeisan", "在庫数を再計算する。", {"amount": NUMBER}),
        ("hantei", "合否を判定して通知する。", {"score": NUMBER}),
        ("henkan", "ポイントをクーポンに変換する。", {"points": NUMBER}),
        ("henkan", "原稿を音声に変換する。", {"text": TEXT}),
        ("henkan", "テキストを議事録に変換する。", {"text": TEXT}),
        ("kenshou", "取引を検証して承認する。", {"number": TEXT}),
        ("kenshou", "署名を検証し、ログインを完了する。", {"text": TEXT}),
        ("keisan", "利息を計算する。元本に加える。", {"rate": NUMBER, "amount": NUMBER}),
        ("keisan", "送料を計算し、伝票に書き入れる。", {"amount": NUMBER}),
        ("kanzan", "残高を円に換算し、振り替える。", {"amount": NUMBER}),
        ("seikei", "本文を整形する。", {"text": TEXT}),
        ("seikei", "ページのHTMLを整形する。", {"html": TEXT}),
        ("henkan", "予約の日付を変換する。", {"date": TEXT}),
        ("hikaku", "見積を比較して発注する。", {"values": {"type": "array"}}),
        ("keisan", "税額を計算する。", {"order_id": TEXT}),
        ("keisan", "棚卸を計算する。", {"page": TEXT}),
        ("henkan", "全角を半角に変換して保存する。", {"text": TEXT}),
        ("keisan", "運賃を計算する。同時に席を押さえます。", {"amount": NUMBER}),
        ("henkan", "座標を地図の文字に変換する。", {"points": {"type": "array"}}),
    ],
)
def test_what_computes_and_changes_something_is_no_read(name: str, description: str, properties: JsonObject) -> None:
    assert propose(tool(name, description, properties=properties)).effect is not Effect.READ


@pytest.mark.parametrize(
    ("properties", "effect"),
    [
        ({"value": {"type": "number"}, "from_unit": {"type": "string"}, "to": {"enum": ["K", "C"]}}, Effect.READ),
        ({"path": {"type": "string"}, "to_unit": {"type": "string"}}, Effect.WRITE),
        ({"page_id": {"type": "integer"}, "name": {"type": "string"}}, Effect.WRITE),
        ({"points": {"type": "integer"}}, Effect.WRITE),
        ({}, Effect.WRITE),
    ],
)
def test_to_convert_is_to_read_where_a_number_and_units_are_all_there_is(properties: JsonObject, effect: Effect) -> None:
    assert propose(tool("convert_it", "Converts it.", properties=properties)).effect is effect


@pytest.mark.parametrize(
    ("other", "effect"),
    [("origin", Effect.READ), ("departureDate", Effect.READ), ("source", Effect.WRITE), ("url", Effect.WRITE)],
)
def test_a_destination_is_a_place_where_one_also_departs(other: str, effect: Effect) -> None:
    assert propose(tool("get_it", "Gets it.", properties={other: {}, "destination": {}})).effect is effect


@requirement("K4")
@pytest.mark.parametrize(
    "properties",
    [
        {"to": {}, "body": {}},
        {"recipients": {}, "subject": {}, "text": {}},
        {"url": {}, "method": {"enum": ["GET", "POST", "DELETE"]}},
    ],
)
def test_a_claim_to_read_is_contradicted_by_a_schema_that_sends_whatever_the_name_says(properties: JsonObject) -> None:
    claimed = tool("get_notes", "Gets notes.", properties=properties)
    found = contradiction(claimed)
    assert found is not None
    assert found.effect is Effect.OUTWARD


@requirement("Z3")
@pytest.mark.parametrize(
    ("name", "description", "contradicted"),
    [
        ("shop_orders", "Orders of customers as CSV.", False),
        ("shop_orders", "Orders matching a status.", False),
        ("shop_orders", "Orders a pizza.", True),
        ("shop_orders", "Orders from the supplier what is short.", True),
        ("pizza_order", "Orders of three a pizza.", True),
    ],
)
def test_a_claim_to_read_is_not_contradicted_by_the_plural_that_the_tool_lists(
    name: str, description: str, *, contradicted: bool
) -> None:
    assert (contradiction(tool(name, description, effect=Effect.READ)) is not None) is contradicted


@requirement("Z3")
def test_a_claim_to_read_is_not_contradicted_by_a_verb_that_only_computes() -> None:
    numbers: JsonObject = {"a": {"type": "number"}, "b": {"type": "number"}}
    assert contradiction(tool("add", "Add two numbers.", properties=numbers)) is None
    assert contradiction(tool("add", "Add two numbers to the ledger.", properties=numbers)) is not None
    assert contradiction(tool("add", "Add two numbers.", properties={**numbers, "user_id": {"type": "integer"}})) is not None


def test_an_unknown_verb_with_a_particle_takes_no_claim_to_read_back() -> None:
    claimed = tool("pester", "Asks on and on.", effect=Effect.READ)
    assert propose(claimed).effect is Effect.WRITE
    assert contradiction(claimed) is None
    assert contradiction(tool("light", "Switches the light off.", effect=Effect.READ)) is not None
    assert contradiction(tool("light", "明かりをこねくります。", effect=Effect.READ)) is None
    assert contradiction(tool("light", "明かりを消します。", effect=Effect.READ)) is not None


@pytest.mark.parametrize(
    "properties",
    [
        {"to": {}, "date": {}},
        {"text": {}, "to": {}},
        {"method": {"enum": ["get", "get_comments"]}},
        {"method": {"enum": 3}},
    ],
)
def test_arguments_that_a_read_may_have_contradict_nothing(properties: JsonObject) -> None:
    assert contradiction(tool("get_notes", "Gets notes.", properties=properties)) is None


def test_a_proposal_without_a_reason_is_a_guess_and_says_so() -> None:
    proposal = propose(tool("frobnicate"))
    assert (proposal.effect, proposal.confidence, proposal.evidence) == (Effect.WRITE, GUESSED, ("nothing says what it does",))


def test_no_word_means_two_changes_at_once() -> None:
    data = words()
    assert not data.pure_read & (data.write | data.destructive | data.outward | data.read)
