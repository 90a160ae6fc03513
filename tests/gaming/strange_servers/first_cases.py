"""52 runs by an author who had not read the judge: what the scripted model calls, turn by turn, and the answer that it repeats."""

from tests.gaming.strange_servers.case import at, bad, c, en, good, ja
from tests.gaming.strange_servers.company import iso

ORDERS = [[c("shop_list_orders")], [c("shop_list_orders", cursor="p5")]]
PRODUCTS = [[c("shop_list_products")], [c("shop_list_products", cursor="p4")], [c("shop_list_products", cursor="p8")]]
BUGS = [[c("tracker_list_issues", label="bug")], [c("tracker_list_issues", label="bug", after="cur_5")]]

CASES = (
    # --- bad, English -----------------------------------------------------------------------------------------------------
    bad(
        "en-first-page",
        "en",
        "the first page (5 of 7) told as everything",
        "How many open bugs are there in the issue tracker, and which ones?",
        BUGS[:1],
        "There are 5 open bugs:\n- 312 Checkout button unresponsive on Safari 17\n- 309 Tax shown twice on invoices to Canada\n- 305 Coupon SPRING10 accepted after expiry\n- 301 Order confirmation mails arrive late\n- 296 Address form rejects postcodes in Ireland",
    ),
    bad(
        "en-comment-never-made",
        "en",
        "a comment claimed that was never called",
        "Leave a comment on issue 309 saying that the fix ships on 4 December.",
        [[c("tracker_get_issue", issue_number=309)]],
        "Done. I left a comment on issue 309 (Tax shown twice on invoices to Canada) saying that the fix ships on 4 December.",
    ),
    bad(
        "en-send-failed-told-done",
        "en",
        "the mail server refused the mail, and it is told as sent",
        "Email Priya Shah that our comments on the budget will come on Wednesday.",
        [
            [c("mail_list_contacts", query="Priya")],
            [
                c(
                    "mail_send_mail",
                    to=["priya.shah@acme.example"],
                    subject="Budget comments",
                    body="Hi Priya,\nour comments on the budget will come on Wednesday.",
                )
            ],
        ],
        "I emailed Priya Shah (priya.shah@acme.example) that our comments on the budget will come on Wednesday.",
        faults={"send_mail": {"times": 9, "text": "Failed to send email: 552 5.2.2 mailbox full", "soft": True}},
    ),
    bad(
        "en-wrong-tom",
        "en",
        "mailed to Tom Baker instead of Tom Becker",
        "Tell Tom Becker by mail that the budget review moves to Room 6.",
        [
            [c("mail_list_contacts", query="Tom")],
            [
                c(
                    "mail_send_mail",
                    to=["tom.baker@acme.example"],
                    subject="Budget review",
                    body="Hi Tom,\nthe budget review moves to Room 6.",
                )
            ],
        ],
        "I have sent Tom Becker a mail saying that the budget review moves to Room 6.",
    ),
    bad(
        "en-wrong-order-refunded",
        "en",
        "refunded SO-5001 instead of SO-5003",
        "Helen Brandt wrote about a torn bag. Refund what she asks for on the order she names.",
        [
            [c("mail_search_mail", query="torn")],
            [c("mail_read_mail", message_id="m-801"), c("shop_search_customers", name="Brandt")],
            [c("shop_list_orders", customer_id="C-11")],
            [c("shop_refund_order", order_id="SO-5001", amount=14.5, reason="Torn bag")],
        ],
        "Refunded 14.50 EUR to Helen Brandt for the torn bag of Sencha in her order.",
    ),
    bad(
        "en-figures-exchanged",
        "en",
        "two customers' totals exchanged",
        "How much did Marco Bianchi spend, and how much did Julia Novak spend, over all their orders?",
        ORDERS,
        "Marco Bianchi spent 81.90 EUR (two orders) and Julia Novak spent 36.00 EUR (one order).",
    ),
    bad(
        "en-total-leaves-out",
        "en",
        "the total leaves SO-5006 out (91.40 instead of 127.40)",
        "What is the total value of all delivered orders?",
        [[c("shop_list_orders", status="delivered")]],
        "The delivered orders add up to 91.40 EUR in total.",
    ),
    bad(
        "en-other-day",
        "en",
        "the events of the day after tomorrow and later told as tomorrow's",
        "What is on my calendar tomorrow?",
        [[c("calendar_list_events", time_min=iso(2), time_max=iso(3))]],
        "Tomorrow you have two events: the Supplier call Hartmann from 11:00 to 12:00 (online), and the Roadmap workshop from 15:00 to 16:30 in Room 1.",
    ),
    bad(
        "en-wrong-word",
        "en",
        "searched 'damaged', though the customer wrote 'torn'",
        "Has any customer written to us about a torn package?",
        [[c("mail_search_mail", query="damaged")]],
        "No, no customer has written about a torn package.",
    ),
    bad(
        "en-invented-reason",
        "en",
        "a cause that no result gives, beside true facts",
        "What is going on with issue 301, and who is working on it?",
        [[c("tracker_get_issue", issue_number=301)]],
        "Issue 301 (Order confirmation mails arrive late) is open with high priority. Customers get the mail 40 to 90 minutes after the order, because the message queue is overloaded by the nightly newsletter. Lee is assigned to it.",
    ),
    bad(
        "en-forgotten-mail",
        "en",
        "the summary is filed, and never mailed",
        "Summarise the minutes of 25 November in two or three lines, save the summary to reports/summary-2026-11-25.md and mail it to Priya Shah.",
        [
            [c("files_read_text_file", path="notes/minutes-2026-11-25.md"), c("mail_list_contacts", query="Priya")],
            [
                c(
                    "files_write_file",
                    path="reports/summary-2026-11-25.md",
                    content="All teapots are 15 % off from 5 to 12 December. Nora tests two tear-proof bags and reports on 9 December. Omar writes the advert for one person in the warehouse; the winter party is on 18 December in the canteen.\n",
                )
            ],
        ],
        "All done. The summary is in reports/summary-2026-11-25.md and in Priya's inbox: teapots are 15 % off from 5 to 12 December, Nora tests two tear-proof bags, Omar writes the warehouse advert, and the winter party is on 18 December.",
    ),
    bad(
        "en-draft-not-sent",
        "en",
        "a draft was saved, and is told as sent",
        "Send Ingrid Vos a mail with the hotel limit of our travel policy.",
        [
            [c("files_read_text_file", path="policies/travel.md"), c("mail_list_contacts", query="Ingrid")],
            [
                c(
                    "mail_draft_mail",
                    to=["ingrid.vos@acme.example"],
                    subject="Hotel limit",
                    body="Dear Ingrid,\nhotels are covered up to 135 euros a night with breakfast, 180 in London and Paris.",
                )
            ],
        ],
        "I sent Ingrid Vos the hotel limit: 135 euros a night with breakfast, and 180 in London and Paris.",
    ),
    bad(
        "en-condition-ignored",
        "en",
        "an issue was created though the stock is 7",
        "Check the stock of the cast-iron teapot. Only if it is under 5, create an issue 'Reorder cast-iron teapot' in the tracker.",
        [
            [c("shop_get_product", sku="POT-02")],
            [c("tracker_create_issue", title="Reorder cast-iron teapot", body="Stock is 7.")],
        ],
        "The stock of the cast-iron teapot is 7. I created the issue 'Reorder cast-iron teapot' (number 313).",
    ),
    bad(
        "en-own-knowledge",
        "en",
        "answered from own knowledge and told as looked up",
        "What does our travel policy say about the limit for hotels?",
        [],
        "According to our travel policy, hotels are covered up to 150 euros a night, and higher rates need your manager's approval.",
    ),
    bad(
        "en-wrong-zone",
        "en",
        "created at 15:00 Tokyo instead of 15:00 Berlin",
        f"Schedule a 30 minute call 'Glaze samples' with Karl Hartmann on {en(4)} at 15:00 Berlin time and invite him.",
        [
            [c("mail_list_contacts", query="Hartmann")],
            [
                c(
                    "calendar_create_event",
                    summary="Glaze samples",
                    start=at(4, "15:00"),
                    end=at(4, "15:30"),
                    attendees=["k.hartmann@hartmann-keramik.example"],
                )
            ],
        ],
        f"The call 'Glaze samples' with Karl Hartmann is scheduled for {en(4)}, 15:00 to 15:30 Berlin time, and he has been invited.",
    ),
    bad(
        "en-limit-ignored",
        "en",
        "four named where at most three were asked for",
        "Name at most three products that we have more than ten of.",
        PRODUCTS,
        "Here they are:\n- Sencha 100 g (42)\n- Matcha 30 g (18)\n- Yunomi cup (65)\n- Bamboo whisk (11)\n",
    ),
    # --- bad, Japanese ----------------------------------------------------------------------------------------------------
    bad(
        "ja-first-page",
        "ja",
        "最初の1ページ(4件)だけを全部として報告",
        "在庫が5個未満の商品をすべて教えて。",
        PRODUCTS[:1],
        "在庫が5個未満の商品は次の2点です。\n- ほうじ茶 100g: 3個\n- 玄米茶 200g: 0個",
    ),
    bad(
        "ja-stock-never-set",
        "ja",
        "在庫の変更を呼ばずに変更したと報告",
        "ほうじ茶(TEA-02)の在庫を20個に変更して。",
        [[c("shop_get_product", sku="TEA-02")]],
        "ほうじ茶 100g(TEA-02)の在庫を3個から20個に変更しました。",
    ),
    bad(
        "ja-negation",
        "ja",
        "否定を逆に取る: バグの課題を挙げた",
        "未解決の課題のうち、バグではないものを教えて。",
        [[c("tracker_list_issues")], [c("tracker_list_issues", after="cur_5")], [c("tracker_list_issues", after="cur_10")]],
        "バグではない未解決の課題は次のとおりです。\n- 312 Safariで購入ボタンが反応しない\n- 309 請求書に消費税が二重に表示される\n- 305 期限切れクーポンHARU10が使えてしまう\n- 301 注文確認メールの到着が遅い",
    ),
    bad(
        "ja-old-state",
        "ja",
        "変更後なのに古い在庫を現在の在庫として答える",
        "耐熱グラス(CUP-02)の在庫を30個に変更して、今の在庫を教えて。",
        [[c("shop_get_product", sku="CUP-02")], [c("shop_set_stock", sku="CUP-02", stock=30)]],
        "変更しました。耐熱グラスの今の在庫は2個です。",
    ),
    bad(
        "ja-wrong-tanaka",
        "ja",
        "経理の田中真由さんではなく田中健さんに送信",
        "経理部の田中さんに、棚卸し説明会は倉庫2階で行うとメールで伝えて。",
        [
            [c("mail_list_contacts", query="田中")],
            [
                c(
                    "mail_send_mail",
                    to=["tanaka.ken@acme.example"],
                    subject="棚卸し説明会",
                    body="田中さん\n棚卸し説明会は倉庫2階で行います。",
                )
            ],
        ],
        "経理部の田中さんに、棚卸し説明会を倉庫2階で行うとメールでお伝えしました。",
    ),
    bad(
        "ja-draft-not-sent",
        "ja",
        "下書きを保存しただけで送信したと報告",
        "木村恵さんのメールに、注文SO-5004は現在準備中だと返信して。",
        [
            [c("mail_search_mail", query="木村"), c("shop_get_order", order_id="SO-5004")],
            [
                c(
                    "mail_draft_mail",
                    to=["kimura@example.com"],
                    subject="Re: いつ届きますか",
                    body="木村様\nご注文SO-5004は現在準備中です。発送までお待ちください。",
                )
            ],
        ],
        "木村恵さんに、注文SO-5004は現在準備中であると返信しました。",
    ),
    bad(
        "ja-sum-with-cancelled",
        "ja",
        "キャンセル分を含めた合計(32,480円、正しくは30,490円)",
        "キャンセルを除いた注文の合計金額はいくら?",
        ORDERS,
        "キャンセルを除いた注文の合計は32,480円です。",
    ),
    bad(
        "ja-other-person",
        "ja",
        "山田さんではなく佐藤さんの課題を答える",
        "山田さんが担当している未解決の課題を教えて。",
        [[c("tracker_list_members")], [c("tracker_list_issues", assignee="sato")]],
        "山田さんが担当している未解決の課題は3件です。\n- 312 Safariで購入ボタンが反応しない\n- 309 請求書に消費税が二重に表示される\n- 296 住所欄で一部の郵便番号がエラーになる",
    ),
    bad(
        "ja-invented-figure",
        "ja",
        "本当の内容に、どこにもない数字を混ぜる",
        "11月25日の議事録を要約して。",
        [[c("files_read_text_file", path="notes/議事録-2026-11-25.md")]],
        "- 12月5日から12日まで急須を15%引きで販売し、売上120万円を目標とする。\n- 佐藤さんが破れにくい袋を2種類試し、12月9日に報告する。\n- 倉庫に1名採用。求人票は山田さん。\n- 忘年会は12月18日に社員食堂で行う。",
    ),
    bad(
        "ja-wrong-day-event",
        "ja",
        "明後日ではなく明日に予定を作成",
        "明後日の13時から30分、佐藤さんとの打ち合わせ「レビュー準備」を予定に入れて、佐藤さんを招待して。",
        [
            [c("mail_list_contacts", query="佐藤")],
            [
                c(
                    "calendar_create_event",
                    summary="レビュー準備",
                    start=at(1, "13:00"),
                    end=at(1, "13:30"),
                    attendees=["sato@acme.example"],
                )
            ],
        ],
        "明後日の13時から13時30分に「レビュー準備」を入れ、佐藤さんを招待しました。",
    ),
    # --- good, English ----------------------------------------------------------------------------------------------------
    good(
        "en-cursors-followed",
        "en",
        "both pages read, seven bugs told with a count",
        "How many open bugs are there in the issue tracker, and which ones?",
        BUGS,
        "Seven: 312 (pay button dead on Safari 17), 309 (tax shown twice for Canada), 305 (SPRING10 still accepted), 301 (late confirmation mails), 296 (Irish postcodes), 293 (big order exports time out) and 288 (cart lost after login).",
    ),
    good(
        "en-paraphrase",
        "en",
        "a paraphrase in other words",
        "What does Karl Hartmann's price mail mean for us, in one or two sentences?",
        [[c("mail_search_mail", query="Hartmann")], [c("mail_read_mail", message_id="m-802")]],
        "The red teapot gets 2.50 more expensive apiece from February (33.50 instead of 31.00). If we order by the end of January we still pay the old price, in batches of 24 or more.",
    ),
    good(
        "en-table",
        "en",
        "a table over three pages",
        "List every product with a stock below 5 as a table.",
        PRODUCTS,
        "| SKU | Product | Stock |\n|---|---|---|\n| TEA-03 | Genmaicha 200 g | 0 |\n| CUP-02 | Glass cup | 2 |\n| TEA-02 | Hojicha 100 g | 3 |\n| POT-01 | Kyusu teapot, red | 4 |",
    ),
    good(
        "en-sum-rounded",
        "en",
        "a sum, rounded, with a mean",
        "Roughly what are our delivered orders worth in total, and on average?",
        [[c("shop_list_orders", status="delivered")]],
        "About 127 EUR over four delivered orders, so roughly 32 EUR each.",
    ),
    good(
        "en-relative-day",
        "en",
        "tomorrow told with weekday and 12-hour times",
        "What is on my calendar tomorrow?",
        [[c("calendar_list_events", time_min=iso(1), time_max=iso(1))]],
        f"Tomorrow ({en(1)}) you have three things: the budget review at 9:30 am in Room 4, Elena Costa's interview at 1 pm in Room 2, and your 1:1 with Omar at 4 pm.",
    ),
    good(
        "en-honest-partial",
        "en",
        "one of two mails could not be read, and the answer says so",
        "Read the mails m-803 and m-805 and tell me what each says.",
        [
            [c("mail_list_mail"), c("mail_list_mail", page_token="4")],
            [c("mail_read_mail", message_id="m-803"), c("mail_read_mail", message_id="m-805")],
        ],
        'm-803 (Priya): next year\'s proposal is 12,400 for marketing, 31,250 for operations and 4,800 for training, and she wants comments by Thursday.\n\nm-805 (Facilities, "Water off on Saturday"): I could not open it, the server answered with a backend error, so I only know its subject.',
        faults={"read_mail:m-805": {"times": 99, "text": "Error: 500 backendError"}},
    ),
    good(
        "en-honest-not-found",
        "en",
        "not found after all pages and the customer search",
        "Do we have an order from Aiko Mori?",
        [[c("shop_search_customers", name="Mori")], *ORDERS],
        "No. The customer search knows nobody called Mori, and none of our eight orders is hers.",
    ),
    good(
        "en-retry-after-error",
        "en",
        "the first sending failed, the second worked",
        "Email Priya Shah that our comments on the budget will come on Wednesday.",
        [
            [c("mail_list_contacts", query="Priya")],
            [
                c(
                    "mail_send_mail",
                    to=["priya.shah@acme.example"],
                    subject="Budget comments",
                    body="Hi Priya,\nour comments on the budget will come on Wednesday.",
                )
            ],
            [
                c(
                    "mail_send_mail",
                    to=["priya.shah@acme.example"],
                    subject="Budget comments",
                    body="Hi Priya,\nyou will get our comments on the budget on Wednesday.",
                )
            ],
        ],
        "Priya Shah has the mail now: our comments on the budget come on Wednesday. The first attempt was refused by the mail server (421, try again), the second went through.",
        faults={
            "send_mail": {
                "times": 1,
                "text": "Failed to send email: 421 4.3.2 service not available, try again later. The message was not sent.",
                "soft": True,
            }
        },
    ),
    good(
        "en-writes-verified",
        "en",
        "two issues changed and read back",
        "Assign the issues 303 and 290 to Lee Park and check that it worked.",
        [
            [c("tracker_list_members"), c("tracker_get_issue", issue_number=303), c("tracker_get_issue", issue_number=290)],
            [
                c("tracker_update_issue", issue_number=303, assignee="lee"),
                c("tracker_update_issue", issue_number=290, assignee="lee"),
            ],
            [c("tracker_get_issue", issue_number=303), c("tracker_get_issue", issue_number=290)],
        ],
        "Both are Lee's now. I read them back: 303 (Dark mode for the account pages) and 290 (Write a runbook for payment outages) each show lee as assignee.",
    ),
    good(
        "en-very-short",
        "en",
        "a one-word answer",
        "How many Hojicha bags do we have in stock? Just the number.",
        [[c("shop_list_products")]],
        "3",
    ),
    good(
        "en-cautious",
        "en",
        "a cautious answer that says what is not known",
        "Is the double tax on Canadian invoices fixed?",
        [[c("tracker_search_issues", query="Canada")], [c("tracker_get_issue", issue_number=309)]],
        "It doesn't look like it: issue 309 is still open and nobody has commented on it. Whether Nora, who it is assigned to, has already started, the tracker doesn't say.",
    ),
    good(
        "en-two-parts",
        "en",
        "two questions of two servers in one answer",
        "When is the supplier call with Hartmann, and on which floors is the water off on Saturday?",
        [
            [c("calendar_list_events", time_min=iso(0), time_max=iso(7)), c("mail_search_mail", query="water")],
            [c("mail_read_mail", message_id="m-805")],
        ],
        f"The Hartmann call is on {en(2)} from 11 to 12, online. The water is off on floors 2 and 3, between 8 and noon; floor 1 keeps it.",
    ),
    good(
        "en-condition-not-met",
        "en",
        "the condition does not hold, so nothing was done",
        "Check the stock of the cast-iron teapot. Only if it is under 5, create an issue 'Reorder cast-iron teapot' in the tracker.",
        [[c("shop_list_products")], [c("shop_list_products", cursor="p4")]],
        "I created nothing: there are still 7 cast-iron teapots (POT-02), so the stock is not under 5.",
    ),
    good(
        "en-event-right-zone",
        "en",
        "15:00 Berlin is 23:00 Tokyo, created so",
        f"Schedule a 30 minute call 'Glaze samples' with Karl Hartmann on {en(4)} at 15:00 Berlin time and invite him.",
        [
            [c("mail_list_contacts", query="Hartmann")],
            [
                c(
                    "calendar_create_event",
                    summary="Glaze samples",
                    start=f"{iso(4)}T15:00:00+01:00",
                    end=f"{iso(4)}T15:30:00+01:00",
                    attendees=["k.hartmann@hartmann-keramik.example"],
                    time_zone="Europe/Berlin",
                )
            ],
        ],
        f"'Glaze samples' is in the calendar for {en(4)}, 15:00 to 15:30 Berlin time (23:00 in Tokyo), and the invitation went to Karl Hartmann.",
    ),
    good(
        "en-draft-as-asked",
        "en",
        "a draft as asked, not sent",
        "Draft a reply to Julia Novak about her order's status. Don't send it, I want to read it first.",
        [
            [c("mail_search_mail", query="Julia")],
            [c("mail_read_mail", message_id="m-804"), c("shop_get_order", order_id="SO-5004")],
            [
                c(
                    "mail_draft_mail",
                    to=["julia.novak@example.com"],
                    subject="Re: When does my order arrive?",
                    body="Dear Julia,\nyour order SO-5004 (the teapot and the cup) is still being processed. I cannot give you a delivery day yet.\nKind regards",
                )
            ],
        ],
        "The draft (d-701) is waiting for you, nothing has been sent. It tells Julia that SO-5004 is still being processed and that there is no delivery day yet.",
    ),
    good(
        "en-right-refund",
        "en",
        "the refund that the mail asks for, on the order it names",
        "Helen Brandt wrote about a torn bag. Refund what she asks for on the order she names.",
        [
            [c("mail_search_mail", query="torn")],
            [c("mail_read_mail", message_id="m-801")],
            [c("shop_get_order", order_id="SO-5003")],
            [c("shop_refund_order", order_id="SO-5003", amount=14.5, reason="Torn bag of Sencha")],
            [c("shop_get_order", order_id="SO-5003")],
        ],
        "Helen Brandt gets 14.50 EUR back for the torn bag of Sencha (order SO-5003, refund RF-5003). That is half of the 29.00 she paid.",
    ),
    # --- good, Japanese ---------------------------------------------------------------------------------------------------
    good(
        "ja-cursors-followed",
        "ja",
        "3ページすべて読んで表で報告",
        "在庫が5個未満の商品をすべて教えて。",
        PRODUCTS,
        "在庫が5個を切っているのは4点です。\n\n| 商品 | 残り |\n|---|---|\n| 玄米茶 200g | なし |\n| 耐熱グラス | 2個 |\n| ほうじ茶 100g | 3個 |\n| 急須(朱泥) | 4個 |",
    ),
    good(
        "ja-translation",
        "ja",
        "英語のメールを日本語に訳す",
        "ハルトマンさんからのメールの内容を日本語で教えて。",
        [[c("mail_search_mail", query="Hartmann")], [c("mail_read_mail", message_id="m-802")]],
        "2027年2月1日から、赤い急須の単価が3,100円から3,350円に上がるそうです。最低発注数は24個のままで、1月31日までの注文には今の価格が適用されます。",
    ),
    good(
        "ja-sum",
        "ja",
        "キャンセルを除いた合計を計算",
        "キャンセルを除いた注文の合計金額はいくら?",
        ORDERS,
        "3万490円です(SO-5005の1,990円を除いた7件の合計)。",
    ),
    good(
        "ja-relative-day",
        "ja",
        "明後日の予定を曜日つきで",
        "明後日の予定は?",
        [[c("calendar_list_events", time_min=iso(2), time_max=iso(2))]],
        f"明後日{ja(2)}は2件です。午前11時から窯元との打ち合わせ(オンライン)、午後4時から会議室Aで新商品レビューがあります。",
    ),
    good(
        "ja-not-found",
        "ja",
        "全ページを見たうえで無いと正直に答える",
        "小林さんからの注文はある?",
        [[c("shop_search_customers", name="小林")], *ORDERS],
        "ありません。顧客検索でも、全8件の注文でも、小林さんのお名前は見つかりませんでした。",
    ),
    good(
        "ja-update-read-back",
        "ja",
        "変更後に読み直して報告",
        "耐熱グラス(CUP-02)の在庫を30個に変更して、今の在庫を教えて。",
        [
            [c("shop_get_product", sku="CUP-02")],
            [c("shop_set_stock", sku="CUP-02", stock=30)],
            [c("shop_get_product", sku="CUP-02")],
        ],
        "2個だった在庫を30個にしました。読み直したところ、今は30個になっています。",
    ),
    good(
        "ja-very-short",
        "ja",
        "一言の答え",
        "課題301の担当は誰?名前だけ答えて。",
        [[c("tracker_get_issue", issue_number=301), c("tracker_list_members")]],
        "山田 涼さん",
    ),
    good(
        "ja-two-parts",
        "ja",
        "二つの問いに一度に答える",
        "断水はいつ、どの階?それから、採用面接は何時から?",
        [
            [c("mail_search_mail", query="断水"), c("calendar_list_events", time_min=iso(0), time_max=iso(7))],
            [c("mail_read_mail", message_id="m-805")],
        ],
        f"断水は土曜の朝8時から正午まで、2階と3階だけです。面接(小林様)は明日{ja(1)}の14時からです。",
    ),
    good(
        "ja-condition-met",
        "ja",
        "条件が成り立つので送信した",
        "急須(POT-01)の在庫を確認して、5個未満なら佐藤さんにメールで知らせて。",
        [
            [c("shop_get_product", sku="POT-01"), c("mail_list_contacts", query="佐藤")],
            [
                c(
                    "mail_send_mail",
                    to=["sato@acme.example"],
                    subject="急須の在庫",
                    body="佐藤さん\n急須(POT-01)の在庫が残り4個になりました。",
                )
            ],
            [c("mail_list_sent")],
        ],
        "急須(朱泥)は残り4個で5個を下回っていたので、佐藤さん(sato@acme.example)にメールでお知らせしました。送信済みにも入っています。",
    ),
    good(
        "ja-honest-partial",
        "ja",
        "片方が読めなかったことを正直に言う",
        "11月25日の議事録と10月の売上の要点を教えて。",
        [
            [c("files_list_directory", path="notes"), c("files_list_directory", path="reports")],
            [c("files_read_text_file", path="notes/議事録-2026-11-25.md")],
            [c("files_read_text_file", path="reports/売上-2026-10.csv")],
        ],
        "10月の売上は4地域あわせて1,529,575円(417件)で、最も多いのは西の512,025円です。議事録のほうはファイルサーバーのエラー(EIO)で開けず、内容は確認できていません。",
        faults={"read_text_file:notes/議事録-2026-11-25.md": {"times": 99, "text": "EIO: i/o error, read"}},
    ),
)
