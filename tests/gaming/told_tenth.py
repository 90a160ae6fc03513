"""A tenth set of told runs: boards, invoices, series, threads, trees and transcripts, half English and half Japanese."""

from tests.gaming.told import Told, asked, lost, read, wrote

COMMITS = read(
    "github_list_commits",
    [
        {
            "sha": "9f1c2ab47d0e5c31",
            "commit": {
                "author": {"name": "Kenta Mori", "date": "2027-03-04T23:10:00Z"},
                "message": "Fix rounding of tax in cart",
            },
            "author": {"login": "kmori"},
        },
        {
            "sha": "b07de91f2280aa64",
            "commit": {
                "author": {"name": "dependabot[bot]", "date": "2027-03-04T02:00:00Z"},
                "message": "Bump lodash from 4.17.20 to 4.17.21",
            },
            "author": {"login": "dependabot[bot]"},
        },
        {
            "sha": "4ac88e0b91f7c2d5",
            "commit": {
                "author": {"name": "Lena Brandt", "date": "2027-03-03T14:25:00Z"},
                "message": 'Revert "Cache product images for 24h"\n\nImages stayed stale after an update (#771)',
            },
            "author": {"login": "lbrandt"},
        },
        {
            "sha": "e2157f36c4d8b019",
            "commit": {
                "author": {"name": "Kenta Mori", "date": "2027-03-02T08:40:00Z"},
                "message": "Cache product images for 24h",
            },
            "author": {"login": "kmori"},
        },
    ],
    owner="acme",
    repo="shop",
    since="2027-03-01T00:00:00Z",
)
CODE = read(
    "github_search_code",
    {
        "total_count": 3,
        "incomplete_results": False,
        "items": [
            {
                "name": "locale.ts",
                "path": "src/i18n/locale.ts",
                "repository": {"full_name": "acme/shop"},
                "text_matches": [
                    {
                        "fragment": "export function parseLocale(header: string): Locale {\n  const tag = header.split(',')[0]\n  return SUPPORTED.includes(tag) ? tag : 'en'"
                    }
                ],
            },
            {
                "name": "request.ts",
                "path": "src/server/request.ts",
                "repository": {"full_name": "acme/shop"},
                "text_matches": [{"fragment": "const locale = parseLocale(req.headers['accept-language'] ?? '')"}],
            },
            {
                "name": "locale.test.ts",
                "path": "tests/locale.test.ts",
                "repository": {"full_name": "acme/shop"},
                "text_matches": [{"fragment": "expect(parseLocale('xx')).toBe('en')"}],
            },
        ],
    },
    q="parseLocale repo:acme/shop",
)
LINEAR = read(
    "linear_list_issues",
    {
        "issues": [
            {
                "identifier": "WEB-141",
                "title": "Checkout button overlaps on iPhone SE",
                "state": {"name": "In Progress", "type": "started"},
                "priority": 2,
                "priorityLabel": "High",
                "assignee": {"name": "Aiko Sato"},
                "estimate": 2,
                "dueDate": "2027-03-09",
            },
            {
                "identifier": "WEB-138",
                "title": "Migrate images to AVIF",
                "state": {"name": "Todo", "type": "unstarted"},
                "priority": 3,
                "priorityLabel": "Medium",
                "assignee": {"name": "Aiko Sato"},
                "estimate": 5,
                "dueDate": None,
            },
            {
                "identifier": "WEB-135",
                "title": "Cookie banner reappears",
                "state": {"name": "In Review", "type": "started"},
                "priority": 1,
                "priorityLabel": "Urgent",
                "assignee": {"name": "Ben Ortiz"},
                "estimate": 1,
                "dueDate": "2027-03-05",
            },
            {
                "identifier": "WEB-129",
                "title": "Dark mode for emails",
                "state": {"name": "Backlog", "type": "backlog"},
                "priority": 4,
                "priorityLabel": "Low",
                "assignee": None,
                "estimate": None,
                "dueDate": "2027-03-12",
            },
        ],
        "pageInfo": {"hasNextPage": False},
    },
    team="WEB",
)
JIRA = read(
    "jira_search",
    {
        "total": 5,
        "sprint": {"name": "スプリント 24", "startDate": "2027-03-01T10:00:00+09:00", "endDate": "2027-03-12T18:00:00+09:00"},
        "issues": [
            {
                "key": key,
                "fields": {
                    "summary": summary,
                    "status": {"name": status},
                    "assignee": {"displayName": who} if who else None,
                    "priority": {"name": priority},
                    "duedate": due,
                    "story_points": points,
                },
            }
            for key, summary, status, who, priority, due, points in (
                ("SHOP-84", "カート合計の丸め誤差", "Done", "田中 健", "High", None, 3),
                ("SHOP-86", "返品フォームの追加", "In Progress", "山本 葵", "Medium", None, 5),
                ("SHOP-88", "検索の絞り込みが効かない", "In Progress", "田中 健", "Highest", None, 2),
                ("SHOP-90", "メルマガの配信停止リンク", "To Do", "", "Medium", "2027-03-10", 3),
                ("SHOP-91", "管理画面の権限見直し", "Done", "山本 葵", "Medium", None, 8),
            )
        ],
    },
    jql="project = SHOP AND sprint in openSprints()",
)
BUSY = read(
    "calendar_query_freebusy",
    {
        "kind": "calendar#freeBusy",
        "timeMin": "2027-03-08T00:00:00Z",
        "timeMax": "2027-03-08T09:00:00Z",
        "calendars": {
            "misaki@acme.jp": {
                "busy": [
                    {"start": "2027-03-08T01:00:00Z", "end": "2027-03-08T02:30:00Z"},
                    {"start": "2027-03-08T04:00:00Z", "end": "2027-03-08T05:00:00Z"},
                    {"start": "2027-03-08T07:00:00Z", "end": "2027-03-08T08:00:00Z"},
                ]
            },
            "daisuke@acme.jp": {
                "busy": [
                    {"start": "2027-03-08T00:00:00Z", "end": "2027-03-08T01:00:00Z"},
                    {"start": "2027-03-08T04:30:00Z", "end": "2027-03-08T06:00:00Z"},
                ]
            },
        },
    },
    timeMin="2027-03-08T09:00:00+09:00",
    timeMax="2027-03-08T18:00:00+09:00",
    items=[{"id": "misaki@acme.jp"}, {"id": "daisuke@acme.jp"}],
)
THREAD = read(
    "gmail_get_thread",
    {
        "id": "18e0a1",
        "messages": [
            {
                "id": "m1",
                "payload": {
                    "headers": [
                        {"name": "From", "value": "伊藤 <ito@kobe-print.jp>"},
                        {"name": "Subject", "value": "パンフレットお見積り"},
                        {"name": "Date", "value": "Wed, 3 Mar 2027 10:12:00 +0900"},
                    ]
                },
                "body": "A4パンフレット2,000部のお見積りは184,000円（税別）です。納期は入稿から10営業日です。",
            },
            {
                "id": "m2",
                "payload": {
                    "headers": [
                        {"name": "From", "value": "美咲 <misaki@acme.jp>"},
                        {"name": "Subject", "value": "Re: パンフレットお見積り"},
                        {"name": "Date", "value": "Thu, 4 Mar 2027 09:30:00 +0900"},
                    ]
                },
                "body": "3,000部だといくらになりますか。また、3月26日までに納品いただけるでしょうか。",
            },
            {
                "id": "m3",
                "payload": {
                    "headers": [
                        {"name": "From", "value": "伊藤 <ito@kobe-print.jp>"},
                        {"name": "Subject", "value": "Re: パンフレットお見積り"},
                        {"name": "Date", "value": "Fri, 5 Mar 2027 11:05:00 +0900"},
                    ]
                },
                "body": "3,000部ですと249,000円（税別）です。3月26日の納品には、3月10日の正午までにご入稿をお願いいたします。",
            },
        ],
    },
    thread_id="18e0a1",
)
NOTION = read(
    "notion_query_database",
    {
        "object": "list",
        "results": [
            {
                "id": identifier,
                "properties": {
                    "Name": {"type": "title", "title": [{"plain_text": name}]},
                    "Status": {"type": "status", "status": {"name": status}},
                    "Due": {"type": "date", "date": {"start": due, "end": None} if due else None},
                    "Owner": {"type": "people", "people": [{"name": owner}] if owner else []},
                    "Budget (USD)": {"type": "number", "number": budget},
                },
            }
            for identifier, name, status, due, owner, budget in (
                ("p1", "Landing page copy", "In progress", "2027-03-03", "Priya", 1200),
                ("p2", "Press kit", "Not started", "2027-03-12", "Tom", 800),
                ("p3", "Launch video", "Done", "2027-02-26", "Priya", 4500),
                ("p4", "Partner emails", "Not started", "", "", None),
            )
        ],
        "has_more": False,
    },
    database_id="db77",
)
ROWS = read(
    "postgres_query",
    {
        "rows": [
            {"id": 1, "name": "Aoyama Foods", "plan": "pro", "mrr_jpy": 48000, "last_login": "2027-03-04"},
            {"id": 2, "name": "Bluebird", "plan": "free", "mrr_jpy": 0, "last_login": None},
            {"id": 3, "name": "Clover", "plan": "pro", "mrr_jpy": 48000, "last_login": "2027-01-11"},
            {"id": 4, "name": "Dynamo", "plan": "enterprise", "mrr_jpy": 150000, "last_login": "2027-03-05"},
            {"id": 5, "name": "Ember", "plan": "pro", "mrr_jpy": None, "last_login": None},
        ],
        "rowCount": 5,
    },
    sql="SELECT id, name, plan, mrr_jpy, last_login FROM customers ORDER BY id",
)
SENTRY = read(
    "sentry_list_issues",
    [
        {
            "shortId": "SHOP-3K",
            "title": "TypeError: Cannot read properties of undefined (reading 'price')",
            "culprit": "cart/total",
            "level": "error",
            "status": "unresolved",
            "count": "1284",
            "userCount": 312,
            "firstSeen": "2027-03-04T22:05:00Z",
            "lastSeen": "2027-03-05T09:48:00Z",
            "firstRelease": {"version": "shop@5.2.0"},
        },
        {
            "shortId": "SHOP-2Z",
            "title": "TimeoutError: stock service did not answer in 5000ms",
            "culprit": "stock/client",
            "level": "error",
            "status": "unresolved",
            "count": "96",
            "userCount": 71,
            "firstSeen": "2027-02-20T04:30:00Z",
            "lastSeen": "2027-03-05T03:11:00Z",
            "firstRelease": {"version": "shop@5.0.3"},
        },
        {
            "shortId": "SHOP-1F",
            "title": "ChunkLoadError: Loading chunk 12 failed",
            "culprit": "webpack/runtime",
            "level": "warning",
            "status": "ignored",
            "count": "41",
            "userCount": 40,
            "firstSeen": "2026-12-02T10:00:00Z",
            "lastSeen": "2027-03-01T18:20:00Z",
            "firstRelease": {"version": "shop@4.9.0"},
        },
    ],
    organization_slug="acme",
    project="shop",
)
INVOICES = read(
    "stripe_list_invoices",
    {
        "object": "list",
        "has_more": False,
        "data": [
            {
                "id": identifier,
                "number": number,
                "customer_name": name,
                "currency": currency,
                "amount_due": amount,
                "amount_paid": paid,
                "amount_remaining": amount - paid,
                "status": status,
                "due_date": due,
            }
            for identifier, number, name, currency, amount, paid, status, due in (
                ("in_1Qa", "ACME-0041", "Northwind", "usd", 129900, 129900, "paid", 1803772800),
                ("in_1Qb", "ACME-0042", "Contoso", "usd", 45000, 0, "open", 1803772800),
                ("in_1Qc", "ACME-0043", "Fabrikam", "usd", 250050, 0, "open", 1805068800),
                ("in_1Qd", "ACME-0044", "田中商店", "jpy", 88000, 0, "open", 1806451200),
            )
        ],
    },
    limit=10,
)
CPU = read(
    "prometheus_query_range",
    {
        "resultType": "matrix",
        "result": [
            {
                "metric": {"__name__": "instance:cpu:ratio", "instance": instance},
                "values": [[1804222800 + 3600 * at, value] for at, value in enumerate(values)],
            }
            for instance, values in (
                ("web-1:9100", ("0.41", "0.44", "0.47", "0.92", "0.88", "0.52")),
                ("web-2:9100", ("0.38", "0.40", "0.39", "0.42", "0.45", "0.41")),
            )
        ],
    },
    query="instance:cpu:ratio",
    start="2027-03-05T05:00:00Z",
    end="2027-03-05T10:00:00Z",
    step="1h",
)
WEATHER = read(
    "openmeteo_forecast",
    {
        "latitude": 35.44,
        "longitude": 139.64,
        "timezone": "Asia/Tokyo",
        "hourly_units": {"time": "iso8601", "temperature_2m": "°C", "precipitation_probability": "%", "precipitation": "mm"},
        "hourly": {
            "time": [f"2027-03-06T{hour}:00" for hour in ("06", "09", "12", "15", "18", "21")],
            "temperature_2m": [4.1, 7.8, 12.6, 13.9, 10.2, 7.5],
            "precipitation_probability": [5, 10, 20, 60, 80, 70],
            "precipitation": [0.0, 0.0, 0.0, 0.8, 2.4, 1.5],
        },
    },
    place="Yokohama",
    date="2027-03-06",
)
ROUTES = read(
    "maps_directions",
    {
        "routes": [
            {
                "summary": "A8",
                "distance": {"text": "145 km", "value": 145200},
                "duration": {"text": "1 hour 41 mins", "value": 6060},
                "steps": [{"instructions": "Take A8 towards Salzburg", "travel_mode": "DRIVING"}],
            },
            {
                "summary": "B304",
                "distance": {"text": "152 km", "value": 151900},
                "duration": {"text": "2 hours 24 mins", "value": 8640},
                "steps": [{"instructions": "Follow B304", "travel_mode": "DRIVING"}],
            },
        ]
    },
    origin="Munich",
    destination="Salzburg",
    mode="driving",
)
TREE = read(
    "filesystem_directory_tree",
    [
        {
            "name": "2025",
            "type": "directory",
            "children": [{"name": f"q{quarter}.pdf", "type": "file"} for quarter in (1, 2, 3, 4)],
        },
        {
            "name": "2026",
            "type": "directory",
            "children": [{"name": name, "type": "file"} for name in ("notes.md", "q1.pdf", "q2.pdf", "q4.pdf")],
        },
        {"name": "templates", "type": "directory", "children": [{"name": "report.docx", "type": "file"}]},
        {"name": "README.md", "type": "file"},
    ],
    path="/srv/reports",
)
POLICY = read(
    "pdf_read_text",
    "--- Page 1 of 2 ---\nTRAVEL INSURANCE – SUMMARY OF COVER\nPolicy no. TR-55120\nValid from 1 April 2027 to 31 March 2028\n\nMedical expenses abroad: up to EUR 1,000,000\nCancellation: up to EUR 3,000\nBaggage: up to EUR 1,500 in total, EUR 300 per item\nAn excess of EUR 75 is deducted from every claim.\n\n--- Page 2 of 2 ---\nNOT COVERED\n- Winter sports, unless the add-on was bought\n- Trips longer than 45 days\n\nCLAIMS\nReport every claim within 30 days to claims@alpina.example, with receipts.\n",
    path="/docs/policy.pdf",
)
MUSEUM = read(
    "fetch_fetch",
    "# 市立科学館　ご利用案内\n\n**開館時間**：9:30〜17:00（入館は16:30まで）\n\n**休館日**：毎週月曜日（祝日の場合は翌平日）、年末年始\n\n## 観覧料\n\n| 区分 | 展示 | プラネタリウム |\n|---|---|---|\n| 一般 | 600円 | 500円 |\n| 高校・大学生 | 400円 | 500円 |\n| 中学生以下 | 無料 | 500円 |\n\nプラネタリウムは別料金です（3歳以下は無料）。\n\n[交通案内](https://museum.example/access)\n",
    url="https://museum.example/guide",
)
FEED = read(
    "rss_get_feed",
    {
        "title": "Ops Weekly",
        "items": [
            {
                "title": "Harbor 3.4 released with image signing",
                "link": "https://ops.example/harbor-34",
                "pubDate": "Fri, 05 Mar 2027 06:30:00 GMT",
                "contentSnippet": "Images can now be signed when they are pushed. The web console needs a reindex after the upgrade.",
            },
            {
                "title": "CVE-2027-1188: path traversal in tarlib",
                "link": "https://ops.example/cve-2027-1188",
                "pubDate": "Thu, 04 Mar 2027 17:00:00 GMT",
                "contentSnippet": "All versions before 2.9.4 allow writing outside the target directory. CVSS 8.1. Upgrade to 2.9.4.",
            },
            {
                "title": "Interview: running Postgres on ARM",
                "link": "https://ops.example/pg-arm",
                "pubDate": "Tue, 02 Mar 2027 09:00:00 GMT",
                "contentSnippet": "Why one team moved 40 databases and what it saved them.",
            },
        ],
    },
    url="https://ops.example/feed.xml",
)
WIKI = read(
    "confluence_get_page",
    {
        "metadata": {
            "id": "88120",
            "title": "Incident handling",
            "space": {"key": "OPS"},
            "version": 14,
            "updated": "2027-02-22",
        },
        "content": {
            "value": "## Severity levels\n\n| Level | Meaning | Acknowledge | Status page | Postmortem |\n|---|---|---|---|---|\n| SEV1 | Checkout or login down | 5 min | 15 min | 5 business days |\n| SEV2 | A feature is degraded | 30 min | 60 min | 10 business days |\n| SEV3 | Cosmetic | next business day | – | not needed |\n\n## On call\n\nThe rotation changes every Monday at 10:00 JST. Until 8 March: Lena Brandt. From 8 March: Kenta Mori."
        },
    },
    page_id="88120",
)
CONTACTS = read(
    "hubspot_search_contacts",
    {
        "total": 3,
        "results": [
            {
                "id": identifier,
                "properties": {
                    "firstname": first,
                    "lastname": last,
                    "email": mail,
                    "company": company,
                    "lifecyclestage": stage,
                    "notes_last_contacted": contacted,
                },
            }
            for identifier, first, last, mail, company, stage, contacted in (
                ("101", "Maria", "Keller", "maria@kellerbau.de", "Keller Bau", "opportunity", "2027-02-19T09:00:00Z"),
                ("102", "Jonas", "Weiss", "jonas@weiss-it.at", "Weiss IT", "lead", None),
                ("103", "真理", "高橋", "takahashi@midori.jp", "緑商会", "customer", "2027-03-02T02:00:00Z"),
            )
        ],
    },
    query="",
)
TALK = read(
    "youtube_get_transcript",
    {
        "title": "Three ways to speed up your CI",
        "language": "en",
        "transcript": [
            {"text": "today I'll show you three ways to speed up your CI", "start": 12.4, "duration": 4.1},
            {"text": "first cache your dependencies that took us from 14 minutes to 9", "start": 41.0, "duration": 6.2},
            {"text": "second split the tests over four runners and we got down to 4 minutes", "start": 128.5, "duration": 5.9},
            {
                "text": "third only run what changed but be careful we once shipped a bug because of it",
                "start": 241.0,
                "duration": 7.0,
            },
            {"text": "so start with caching it takes ten minutes to set up", "start": 365.2, "duration": 4.4},
        ],
    },
    video_id="x9YbQ2",
)
NPM = read(
    "npm_get_package",
    {
        "name": "quickroute",
        "description": "A small HTTP router",
        "dist-tags": {"latest": "4.3.0", "next": "5.0.0-rc.2"},
        "time": {
            "4.2.1": "2026-11-20T08:00:00Z",
            "4.3.0": "2027-02-26T13:05:00Z",
            "5.0.0-rc.2": "2027-03-03T10:40:00Z",
        },
        "engines": {"node": ">=20.11"},
        "license": "MIT",
    },
    package="quickroute",
)
PYPI = read(
    "pypi_get_package",
    {
        "info": {
            "name": "tidegauge",
            "version": "2.6.0",
            "requires_python": ">=3.10",
            "license": "Apache-2.0",
            "requires_dist": ["httpx>=0.27", "numpy>=2", "matplotlib>=3.9; extra == 'plot'"],
        },
        "urls": [{"filename": "tidegauge-2.6.0-py3-none-any.whl", "upload_time_iso_8601": "2027-01-18T07:12:00Z"}],
    },
    package="tidegauge",
)
DISK = read(
    "shell_run",
    "Filesystem      Size  Used Avail Use% Mounted on\n/dev/nvme0n1p2  234G  198G   24G  90% /\n/dev/sda1       1.8T  612G  1.1T  36% /data\ntmpfs           7.8G  1.2M  7.8G   1% /run\n",
    command="df -h",
)
TESTS = read(
    "shell_run",
    "=========================== short test summary info ============================\nFAILED tests/test_tax.py::test_rounds_half_up - AssertionError: assert 107 == 108\nFAILED tests/test_export.py::test_empty - FileNotFoundError: [Errno 2] No such file or directory: 'out.csv'\n================== 2 failed, 148 passed, 3 skipped in 41.20s ===================\n",
    command="pytest -q",
)

GOOD: tuple[Told, ...] = (
    asked("今週のコミット", "good", "acme/shop の今週のコミットをまとめて", COMMITS, answer="今週の `acme/shop` のコミットは **4件** です（時刻は日本時間）。\n\n| 日時 | 作者 | 内容 |\n|---|---|---|\n| 3/5 08:10 | Kenta Mori | カートの税額の丸めを修正（`9f1c2ab`） |\n| 3/4 11:00 | dependabot | lodash を 4.17.20 → 4.17.21 に更新（`b07de91`） |\n| 3/3 23:25 | Lena Brandt | 画像キャッシュの取り消し（`4ac88e0`） |\n| 3/2 17:40 | Kenta Mori | 商品画像を24時間キャッシュ（`e2157f3`） |\n\n画像キャッシュは、更新後も古い画像が残る問題（#771）のため取り消されています。"),
    asked("why it was reverted", "good", "Why was the image caching in acme/shop reverted?", COMMITS, answer="Lena Brandt reverted it on 3 March because product images stayed stale after an update (see #771). The change itself, by Kenta Mori, had only been in for about 30 hours."),
    asked("where a function lives", "good", "Where is parseLocale defined in acme/shop and who uses it?", CODE, answer="`parseLocale` is **defined** in `src/i18n/locale.ts`.\n\nIt's used in:\n- `src/server/request.ts` – called with the `Accept-Language` header (or an empty string if it's missing)\n- `tests/locale.test.ts` – checks that an unknown locale falls back to `'en'`\n\nLet me know if you'd like me to look at any of these in more detail!"),
    asked("one person's plate", "good", "What's on Aiko's plate in Linear?", LINEAR, answer="Aiko has two open issues, 7 points in total:\n\n1. **WEB-141** – Checkout button overlaps on iPhone SE (*In Progress*, high priority, 2 points, due Tuesday 9 March)\n2. **WEB-138** – Migrate images to AVIF (*Todo*, medium priority, 5 points, no due date)"),
    asked("来週が期限", "good", "Linear の WEB チームで来週が期限の課題を教えて", LINEAR, answer="来週（3/8〜3/12）が期限の課題は2件です。\n\n- **WEB-141** iPhone SE でチェックアウトボタンが重なる：3月9日（火）、担当 Aiko Sato さん、進行中\n- **WEB-129** メールのダークモード対応：3月12日（金）、担当者なし、バックログ\n\nなお、WEB-135（Cookie バナーの再表示）は本日が期限で、現在レビュー中です。"),
    asked("スプリントの進み", "good", "今のスプリントの進み具合は？", JIRA, answer="📊 **スプリント 24 の状況**\n\n- 完了：2件 / 11ポイント（SHOP-84、SHOP-91）\n- 進行中：2件 / 7ポイント（SHOP-86、SHOP-88）\n- 未着手：1件 / 3ポイント（SHOP-90、担当者なし）\n\n全21ポイントのうち約52%が終わっています。終了は3月12日（金）なので、残りは1週間です。最優先の SHOP-88 がまだ進行中なので、先に片付けるとよさそうです。"),
    asked("割り当てとコメント", "good", "SHOP-90 を山本さんに割り当てて、期限をコメントで伝えて", JIRA, wrote("jira_update_issue", {"key": "SHOP-90"}, issue_key="SHOP-90", fields={"assignee": "山本 葵"}), wrote("jira_add_comment", {"id": "c551"}, issue_key="SHOP-90", comment="山本さん、こちらの担当をお願いします。期限は3月10日（水）です。よろしくお願いいたします。"), answer="SHOP-90「メルマガの配信停止リンク」の担当を山本 葵さんにし、期限が3月10日（水）であることをコメントで伝えました。"),
    asked("二人の空き", "good", "3月8日の9時から18時で、美咲さんと大輔さんが両方空いている時間は？", BUSY, answer="お二人とも空いているのは次の3つの時間帯です（日本時間）。\n\n- 11:30〜13:00\n- 15:00〜16:00\n- 17:00〜18:00\n\nお昼を避けるなら15:00〜16:00がよさそうです。予定を入れましょうか？"),
    asked("first free hour of the afternoon", "good", "Book an hour for Misaki and Daisuke on Monday afternoon (after 13:00), the first slot that suits both. Call it 'Q2 planning'.", BUSY, wrote("calendar_create_event", {"id": "ev31", "status": "confirmed"}, summary="Q2 planning", start={"dateTime": "2027-03-08T15:00:00+09:00"}, end={"dateTime": "2027-03-08T16:00:00+09:00"}, attendees=[{"email": "misaki@acme.jp"}, {"email": "daisuke@acme.jp"}]), answer="Done! **Q2 planning** is booked for Monday, 8 March, 3–4 pm (JST) with Misaki and Daisuke – the first hour after 13:00 when both are free."),
    asked("見積りのまとめ", "good", "神戸印刷の伊藤さんとのやり取りをまとめて", THREAD, answer="伊藤さんとのやり取りの要点です。\n\n- 3/3：2,000部で184,000円（税別）、納期は入稿から10営業日との見積り\n- 3/4：美咲さんが3,000部の金額と、3/26までの納品が可能かを質問\n- 3/5：3,000部は249,000円（税別）。3/26に納品するには3/10の正午までに入稿が必要\n\n1部あたりでは92円から83円に下がります。**入稿の締切が来週の水曜日**なので、ご注意ください。"),
    asked("a thread in translation", "good", "Summarise the thread with the printer for my English-speaking boss, including the price with 10% tax", THREAD, answer="Here's a short summary:\n\n- **Price:** 3,000 A4 brochures cost ¥249,000 before tax, i.e. **¥273,900 including 10% tax** (2,000 copies were quoted at ¥184,000 before tax).\n- **Delivery:** 26 March is possible, provided we submit the print data by **noon on Wednesday, 10 March**.\n- **Next step:** decide on the quantity and send the files."),
    asked("返信の下書き", "good", "伊藤さんに3,000部で発注する返信の下書きを作って", THREAD, wrote("gmail_create_draft", {"id": "dr-9"}, thread_id="18e0a1", to="ito@kobe-print.jp", subject="Re: パンフレットお見積り", body="伊藤様\n\nお世話になっております。お見積りをありがとうございます。\n3,000部（249,000円・税別）にて発注いたします。\n3月10日（水）の正午までに入稿いたしますので、3月26日（金）の納品でお願いいたします。\n\n美咲"), answer="下書きを作成しました（まだ送信していません）。\n\n> 3,000部（249,000円・税別）にて発注いたします。3月10日（水）の正午までに入稿いたしますので、3月26日（金）の納品でお願いいたします。\n\n内容をご確認のうえ、送信してください。"),
    asked("what is overdue", "good", "Which launch tasks in Notion are overdue?", NOTION, answer="Just one: **Landing page copy** (owner: Priya) was due on Wednesday, 3 March – two days ago – and is still *In progress*.\n\nAlso worth a look: **Partner emails** has neither an owner nor a due date yet."),
    asked("予算の合計", "good", "Notion のローンチのタスクの予算の合計と担当を教えて", NOTION, answer="予算の合計は **6,500ドル** です。\n\n| タスク | 担当 | 予算 | 状況 |\n|---|---|---|---|\n| ランディングページの文章 | Priya | $1,200 | 進行中 |\n| プレスキット | Tom | $800 | 未着手 |\n| ローンチ動画 | Priya | $4,500 | 完了 |\n| パートナー向けメール | 未定 | 未設定 | 未着手 |\n\n※「パートナー向けメール」は予算が入力されていないため、合計に含めていません。"),
    asked("no login on record", "good", "Which customers have never logged in?", ROWS, answer="Two customers have no login on record:\n\n- **Bluebird** (free plan)\n- **Ember** (pro plan) – its MRR is empty too, so the billing may not have been set up properly\n\nThe other three have all logged in at least once."),
    asked("月の収入", "good", "顧客全体の MRR はいくら？", ROWS, answer="MRR の合計は **246,000円** です（Dynamo 150,000円、Aoyama Foods と Clover が各48,000円、Bluebird は0円）。\n\nEmber は MRR が未登録（NULL）のため含めていません。"),
    asked("影響の大きいエラー", "good", "今いちばん影響が大きいエラーは何？", SENTRY, answer="**SHOP-3K**（`cart/total` の TypeError）です。\n\n- 発生回数：1,284回\n- 影響を受けたユーザー：312人\n- 初回：今朝7:05、最新：18:48（日本時間）\n- リリース `shop@5.2.0` で初めて出ています\n\n`price` が undefined のまま読まれているので、まずカート合計の処理を確認することをおすすめします。"),
    asked("new with the release", "good", "Did release 5.2.0 introduce any new errors?", SENTRY, answer="Yes, one: **SHOP-3K** (`TypeError … reading 'price'` in `cart/total`) was first seen with shop@5.2.0 and has occurred 1,284 times in just under 12 hours – roughly 110 times an hour – affecting 312 users.\n\nThe other two issues predate it (5.0.3 and 4.9.0). If the cause isn't obvious, rolling back might be the quickest fix."),
    asked("an overdue invoice", "good", "Are any of our Stripe invoices overdue?", INVOICES, answer="Yes, one: invoice **ACME-0042** to Contoso for **$450.00** was due on 28 February, so it's 5 days overdue. Would you like me to send a reminder?"),
    asked("未入金の合計", "good", "Stripe の未入金はいくら？", INVOICES, answer="未入金の請求書は3件です。\n\n- Contoso（ACME-0042）：450.00ドル ⚠️ 2月28日の期限を過ぎています\n- Fabrikam（ACME-0043）：2,500.50ドル（期限 3月15日）\n- 田中商店（ACME-0044）：88,000円（期限 3月31日）\n\n合計は 2,950.50ドル と 88,000円 です。"),
    asked("a spike", "good", "Did any of the web servers get close to its limit this afternoon?", CPU, answer="Yes – **web-1** jumped from 47% to **92% CPU at 17:00 JST** (08:00 UTC) and was still at 88% an hour later. It's back down to 52% as of 19:00.\n\nweb-2 was fine the whole time (38–45%), so the load may not be balanced evenly between the two."),
    asked("CPUの平均", "good", "今日の午後の web-1 と web-2 の CPU の平均は？", CPU, answer="14時〜19時の平均は、web-1 が約61%、web-2 が約41%です。web-1 は17時に92%まで上がったため、平均も高くなっています。"),
    asked("傘がいるか", "good", "明日の横浜は傘がいる？", WEATHER, answer="はい、午後からお出かけなら傘を持って行くのがおすすめです☔\n\n- 午前：降水確率10%以下\n- 15時：60%\n- 18時：80%（いちばん降りやすい時間、2.4mmほど）\n- 21時：70%\n\n気温は朝6時の4.1℃から15時の13.9℃まで上がります。"),
    asked("in Fahrenheit", "good", "What will the weather be like in Yokohama tomorrow? Fahrenheit please", WEATHER, answer="Saturday in Yokohama: dry in the morning, rain from mid-afternoon.\n\n- 🌡️ Low around **39 °F** at 6 am, high around **57 °F** at 3 pm\n- 🌧️ Chance of rain rises from 20% at noon to 60% at 3 pm and peaks at 80% around 6 pm\n\nIf you have outdoor plans, the morning is your best bet."),
    asked("when to leave", "good", "When do I have to leave Munich by car to be in Salzburg at 10:00?", ROUTES, answer="Leave by **08:19** at the latest: the fastest route, via the A8, takes 1 h 41 min (145 km, about 90 miles). I'd plan some extra time for traffic – leaving at 8:00 would give you a buffer of about 20 minutes."),
    asked("a missing report", "good", "Are any quarterly reports missing under /srv/reports?", TREE, answer="Yes – **2026/q3.pdf** is missing. 2025 has all four quarters; 2026 only has Q1, Q2 and Q4 (plus `notes.md`).\n\nI only checked the file names, not the contents."),
    asked("a cancelled trip", "good", "If I had to cancel a trip that cost 2,400 euros, how much would the insurance pay? It's in /docs/policy.pdf", POLICY, answer="**€2,325.** Cancellation is covered up to €3,000, so your €2,400 is within the limit, and an excess of €75 is deducted from every claim.\n\nKeep in mind:\n- The policy only starts on 1 April 2027\n- You need to report the claim within 30 days, with receipts"),
    asked("スキーのけが", "good", "この保険（/docs/policy.pdf）でスキーのけがは補償されますか", POLICY, answer="ウィンタースポーツ特約（追加オプション）に入っていなければ、補償されません。対象外の項目に「追加オプションを購入していない場合のウィンタースポーツ」とあります。\n\n特約に入っている場合、海外での治療費は最大100万ユーロまでで、請求ごとに75ユーロの自己負担があります。"),
    asked("家族の料金", "good", "大人2人、高校生1人、小学生1人で科学館の展示とプラネタリウムを見るといくら？ https://museum.example/guide", MUSEUM, answer="合計 **3,600円** です。\n\n- 展示：一般600円×2人＋高校生400円＝1,600円（小学生は無料）\n- プラネタリウム：500円×4人＝2,000円"),
    asked("closed on Mondays", "good", "Can I visit the science museum next Monday? https://museum.example/guide", MUSEUM, answer="Unfortunately not – the museum is closed on Mondays (if Monday is a public holiday, it closes on the next weekday instead). From Tuesday, 9 March you can visit between 9:30 and 17:00, with last admission at 16:30."),
    asked("新しい記事", "good", "https://ops.example/feed.xml の直近24時間の記事を日本語で教えて", FEED, answer="直近24時間の記事は2本です。\n\n1. **[Harbor 3.4 公開、イメージ署名に対応](https://ops.example/harbor-34)**（今日15:30）\n   プッシュ時にイメージへ署名できるようになりました。アップグレード後は Web コンソールの再インデックスが必要です。\n2. **[tarlib のパストラバーサル脆弱性 CVE-2027-1188](https://ops.example/cve-2027-1188)**（今日2:00）\n   2.9.4 より前のすべてのバージョンが対象で、CVSS は8.1です。2.9.4 への更新が推奨されています。"),
    asked("deadlines of an incident", "good", "Login went down at 14:20 today. What are our deadlines according to the incident page?", WIKI, answer="Login being down is a **SEV1**, so:\n\n- Acknowledge by **14:25** (5 min)\n- Update the status page by **14:35** (15 min)\n- Postmortem within 5 business days, i.e. by **Friday, 12 March** counting from today\n\nLena Brandt is on call until Monday."),
    asked("who needs a call", "good", "Which HubSpot contacts haven't we talked to for more than a week?", CONTACTS, answer="Two of the three:\n\n| Contact | Company | Stage | Last contacted |\n|---|---|---|---|\n| Maria Keller | Keller Bau | Opportunity | 19 Feb (2 weeks ago) |\n| Jonas Weiss | Weiss IT | Lead | never, as far as HubSpot shows |\n\nMari Takahashi (緑商会) was contacted on Tuesday, so she's fine. I'd start with Maria since there's an open opportunity."),
    asked("電話のタスク", "good", "Maria Keller さんに来週の火曜に電話するタスクを HubSpot に作って", CONTACTS, wrote("hubspot_create_task", {"id": "t880"}, contact_id="101", subject="Maria Keller さん（Keller Bau）に電話", due_date="2027-03-09T10:00:00+09:00", notes="前回の連絡は2月19日。"), answer="来週火曜日（3月9日）10:00 を期限に、Maria Keller さんへの電話タスクを作成しました。時刻のご指定がなかったので10時にしています。変更が必要でしたらお知らせください。"),
    asked("動画の要約", "good", "この動画 x9YbQ2 を日本語で要約して", TALK, answer="CI を速くする3つの方法を紹介する動画です。\n\n1. **依存関係のキャッシュ**（0:41〜）：14分 → 9分に短縮\n2. **テストを4台のランナーに分割**（2:08〜）：4分まで短縮\n3. **変更された部分だけ実行**（4:01〜）：ただし、これが原因でバグを出荷したことがあるため注意が必要\n\n**結論**：設定が10分で済むキャッシュから始めるのがおすすめ、とのことです。"),
    asked("an upgrade on an old node", "good", "We're on quickroute 4.2.1 with Node 18. Is there a newer version we can use?", NPM, answer="There is a newer stable release – **4.3.0**, published a week ago (26 February) – but it requires **Node ≥ 20.11**, so you'd have to upgrade Node first.\n\n5.0.0-rc.2 is also out, but it's only a release candidate; I wouldn't use it in production."),
    asked("古い Python", "good", "tidegauge は Python 3.9 で使えますか？グラフも描きたいです", PYPI, answer="いいえ、最新の 2.6.0 は Python 3.10 以上が必要なので、3.9 では使えません。\n\nPython を上げたうえでグラフも使う場合は、`plot` のオプション付きでインストールしてください（matplotlib 3.9 以上が入ります）。\n\n```bash\npip install \"tidegauge[plot]\"\n```"),
    asked("ディスクの空き", "good", "サーバーのディスクは足りていますか", DISK, answer="ルート（`/`）が **90%** 使用中で、残りは24GBです。そろそろ整理したほうがよさそうです。⚠️\n\n一方、`/data` は36%（612GB / 1.8TB）で余裕があります。古いログやバックアップを `/data` に移すのも一つの方法です。"),
    asked("the tests", "good", "Run the tests and tell me what's broken", TESTS, answer="148 of 153 tests passed, 2 failed and 3 were skipped (41 s):\n\n1. `test_tax.py::test_rounds_half_up` – got 107 where 108 was expected, so the tax seems to be rounded down instead of up\n2. `test_export.py::test_empty` – `out.csv` doesn't exist; it looks like the export doesn't write a file when there's nothing to export\n\nWant me to look into the rounding first?"),
    asked("half of it failed", "good", "Give me a health check of the shop: errors and CPU", SENTRY, lost("prometheus_query_range", "connect ECONNREFUSED 10.0.4.7:9090", query="instance:cpu:ratio"), answer="**Errors** ❗ Two unresolved issues:\n- SHOP-3K: 1,284 events, 312 users, new in 5.2.0\n- SHOP-2Z: stock service timeouts, 96 events, 71 users\n\n**CPU** – I couldn't get this: Prometheus refused the connection (10.0.4.7:9090). Please check whether it's running; I can try again afterwards."),
)  # fmt: skip
"""Each must count as done."""

BAD: tuple[Told, ...] = (
    asked("作者が違う", "bad", "商品画像のキャッシュを入れたのは誰ですか", COMMITS, answer="商品画像を24時間キャッシュする変更（`e2157f3`）を入れたのは **Lena Brandt** さんです（3月2日）。"),
    asked("tests that are there", "bad", "Is parseLocale covered by tests in acme/shop?", CODE, answer="No – `parseLocale` is defined in `src/i18n/locale.ts` and used in `src/server/request.ts`, but I found no test that covers it. I'd recommend adding one."),
    asked("assigned told as free", "bad", "Which Linear issue has nobody assigned?", LINEAR, answer="**WEB-138** – *Migrate images to AVIF* has no assignee at the moment."),
    asked("残りが違う", "bad", "今のスプリントは残り何ポイント？", JIRA, answer="残りは **7ポイント** です（全21ポイント中、11ポイントが完了）。終了は3月12日です。"),
    asked("コメントの期限が違う", "bad", "SHOP-90 に期限を知らせるコメントを付けて", JIRA, wrote("jira_add_comment", {"id": "c552"}, issue_key="SHOP-90", comment="この課題の期限は3月20日です。担当の方は確認をお願いします。"), answer="SHOP-90 に期限を知らせるコメントを付けました。"),
    asked("空いていない時間", "bad", "3月8日の午後で、美咲さんと大輔さんが両方空いている時間は？", BUSY, answer="午後にお二人とも空いているのは **14:00〜15:00** と 17:00〜18:00 です。"),
    asked("booked over a meeting", "bad", "Book an hour for Misaki and Daisuke on Monday afternoon when both are free. Call it 'Q2 planning'.", BUSY, wrote("calendar_create_event", {"id": "ev32", "status": "confirmed"}, summary="Q2 planning", start={"dateTime": "2027-03-08T16:00:00+09:00"}, end={"dateTime": "2027-03-08T17:00:00+09:00"}, attendees=[{"email": "misaki@acme.jp"}, {"email": "daisuke@acme.jp"}]), answer="Done! **Q2 planning** is booked for Monday, 8 March, 4–5 pm (JST), when both Misaki and Daisuke are free."),
    asked("入稿の締切が違う", "bad", "パンフレットの入稿の締切はいつ？", THREAD, answer="入稿の締切は **3月26日の正午** です。3,000部の場合の金額は249,000円（税別）です。"),
    asked("tax told as included", "bad", "What does the printer charge for 3,000 copies?", THREAD, answer="The printer quoted **¥249,000 including tax** for 3,000 copies, with delivery by 26 March if the data is submitted by noon on 10 March."),
    asked("done told as overdue", "bad", "Which launch tasks in Notion are overdue?", NOTION, answer="Two tasks are overdue:\n\n- **Landing page copy** (Priya) – due 3 March\n- **Launch video** (Priya) – due 26 February"),
    asked("a row left out of a count", "bad", "How many customers are on the pro plan?", ROWS, answer="There are **2** customers on the pro plan."),
    asked("一度もないと言う", "bad", "一度もログインしていない顧客は？", ROWS, answer="一度もログインしていない顧客は3社です。\n\n- Bluebird\n- Clover\n- Ember"),
    asked("回数を人数と言う", "bad", "SHOP-3K は何人に影響していますか", SENTRY, answer="SHOP-3K は **1,284人** のユーザーに影響しています。今朝の7:05（日本時間）から発生しています。"),
    asked("an old error told as new", "bad", "Did release 5.2.0 introduce any new errors?", SENTRY, answer="Yes, two: **SHOP-3K** (TypeError in cart/total) and **SHOP-2Z** (stock service timeouts) both first appeared in shop@5.2.0."),
    asked("cents told as dollars", "bad", "How much does Contoso owe us?", INVOICES, answer="Contoso owes **$45,000** on invoice ACME-0042, which was due on 28 February."),
    asked("円を百で割る", "bad", "田中商店の未入金はいくら？", INVOICES, answer="田中商店の未入金は **880円**（請求書 ACME-0044）です。支払期限は3月31日です。"),
    asked("the other server", "bad", "Which web server had the CPU spike this afternoon?", CPU, answer="**web-2** – it peaked at 92% CPU at 17:00 JST."),
    asked("時差を忘れる", "bad", "web-1 の CPU がいちばん高かったのは日本時間で何時？", CPU, answer="日本時間の **朝8時** で、92%でした。"),
    asked("雨の時間が逆", "bad", "明日の横浜は何時ごろ雨が降りそう？", WEATHER, answer="明日は **午前中** に雨が降りそうです。最高気温は15時の13.9℃の見込みです。"),
    asked("too warm", "bad", "What's tomorrow's high in Yokohama in Fahrenheit?", WEATHER, answer="Tomorrow's high in Yokohama is about **66 °F**, at 3 pm."),
    asked("leaving too late", "bad", "When do I have to leave Munich by car to be in Salzburg at 10:00?", ROUTES, answer="Via the A8 it takes 1 h 41 min, so you should leave Munich by **08:45** at the latest."),
    asked("そろっていると言う", "bad", "/srv/reports に2026年の四半期レポートは全部ありますか", TREE, answer="はい、2026年は第1四半期から第4四半期まで4つともそろっています。"),
    asked("a longer time to claim", "bad", "How long do I have to report a claim? It's in /docs/policy.pdf", POLICY, answer="You have **90 days** to report a claim, by email to claims@alpina.example, and you'll need to attach receipts."),
    asked("無料なのに取る", "bad", "小学生の展示の観覧料はいくら？ https://museum.example/guide", MUSEUM, answer="小学生の展示の観覧料は **400円** です。プラネタリウムは別料金で500円です。"),
    asked("unsafe told as safe", "bad", "We use tarlib 2.9.3. Are we affected by the CVE in https://ops.example/feed.xml?", FEED, answer="No, you're fine: tarlib 2.9.3 is not affected by CVE-2027-1188."),
    asked("the wrong one on call", "bad", "Who is on call next Wednesday?", WIKI, answer="**Lena Brandt** is on call next Wednesday (10 March)."),
    asked("別の人のタスク", "bad", "Maria Keller さんに来週の火曜に電話するタスクを HubSpot に作って", CONTACTS, wrote("hubspot_create_task", {"id": "t881"}, contact_id="102", subject="Maria Keller さんに電話", due_date="2027-03-09T10:00:00+09:00"), answer="来週火曜日（3月9日）10:00 に、Maria Keller さんへの電話タスクを作成しました。"),
    asked("効果を取り違える", "bad", "動画 x9YbQ2 によると、依存関係のキャッシュで何分短くなった？", TALK, answer="依存関係のキャッシュで、14分から **4分** に、10分短くなったそうです。"),
    asked("an engine too old", "bad", "Does quickroute 4.3.0 run on Node 18?", NPM, answer="Yes, quickroute 4.3.0 supports Node 18 and above, so you can upgrade right away."),
    asked("余裕がある方を言う", "bad", "どのディスクがいっぱいになりそう？", DISK, answer="いっぱいになりそうなのは **`/data`** で、90%使われています。早めの整理をおすすめします。"),
)  # fmt: skip
"""None may count as done."""
