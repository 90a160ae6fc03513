"""The two small companies whose data the five servers show."""

from __future__ import annotations

import datetime as dt

TODAY = dt.date(2026, 11, 30)
"""A Monday; it is winter in Berlin, too."""


def day(n: int) -> dt.date:
    return TODAY + dt.timedelta(days=n)


def iso(n: int) -> str:
    return day(n).isoformat()


EN_ISSUES = [
    (
        312,
        "Checkout button unresponsive on Safari 17",
        "open",
        ["bug", "priority:high"],
        "nora",
        "2026-11-24",
        "Tapping Pay does nothing on iPhones with iOS 17.5. Works in Chrome.",
    ),
    (
        311,
        "Add Apple Pay to the mobile checkout",
        "open",
        ["feature"],
        "omar",
        "2026-11-23",
        "Requested by 14 customers in the autumn survey.",
    ),
    (310, "Typo on the refund page", "closed", ["bug"], "lee", "2026-11-22", "It says 'recieve'."),
    (
        309,
        "Tax shown twice on invoices to Canada",
        "open",
        ["bug"],
        "nora",
        "2026-11-20",
        "GST is listed in the subtotal and again below it. The charged amount is right.",
    ),
    (307, "Speed up the product search", "open", ["performance"], "lee", "2026-11-18", "The median is 1.9 s; the goal is 0.6 s."),
    (
        305,
        "Coupon SPRING10 accepted after expiry",
        "open",
        ["bug"],
        "omar",
        "2026-11-17",
        "It expired on 31 May but still takes 10 % off.",
    ),
    (304, "Prices flicker on slow networks", "closed", ["bug"], "omar", "2026-11-15", "Fixed by caching."),
    (303, "Dark mode for the account pages", "open", ["feature"], None, "2026-11-14", "Nice to have."),
    (
        301,
        "Order confirmation mails arrive late",
        "open",
        ["bug", "priority:high"],
        "lee",
        "2026-11-12",
        "Customers get the mail 40 to 90 minutes after the order.",
    ),
    (299, "Rate limit the coupon endpoint", "closed", ["chore"], "nora", "2026-11-10", "Done."),
    (298, "Upgrade the payment SDK to 5.2", "open", ["chore"], "omar", "2026-11-09", "5.1 is supported until March."),
    (
        296,
        "Address form rejects postcodes in Ireland",
        "open",
        ["bug"],
        "nora",
        "2026-11-06",
        "Eircodes such as D02 AF30 are refused.",
    ),
    (293, "Export of orders times out above 10,000 rows", "open", ["bug", "performance"], "lee", "2026-11-03", "504 after 30 s."),
    (290, "Write a runbook for payment outages", "open", ["docs"], None, "2026-10-30", "Who to call, what to switch off."),
    (
        288,
        "Guest checkout loses the cart after login",
        "open",
        ["bug"],
        "nora",
        "2026-10-27",
        "The cart is empty after signing in.",
    ),
]
JA_ISSUES = [
    (
        312,
        "Safariで購入ボタンが反応しない",
        "open",
        ["bug", "priority:high"],
        "sato",
        "2026-11-24",
        "iOS 17.5 の iPhone で「購入する」を押しても何も起きない。Chrome では動く。",
    ),
    (311, "スマホ版にApple Payを追加", "open", ["feature"], "tanaka", "2026-11-23", "秋のアンケートで14人から要望。"),
    (310, "返金ページの誤字", "closed", ["bug"], "yamada", "2026-11-22", "「返勤」になっている。"),
    (
        309,
        "請求書に消費税が二重に表示される",
        "open",
        ["bug"],
        "sato",
        "2026-11-20",
        "小計と合計の両方に税が出る。請求額そのものは正しい。",
    ),
    (307, "商品検索の高速化", "open", ["performance"], "yamada", "2026-11-18", "中央値が1.9秒。目標は0.6秒。"),
    (
        305,
        "期限切れクーポンHARU10が使えてしまう",
        "open",
        ["bug"],
        "tanaka",
        "2026-11-17",
        "5月31日に期限が切れたのに10%引きになる。",
    ),
    (303, "マイページのダークモード", "open", ["feature"], None, "2026-11-14", "余裕があれば。"),
    (301, "注文確認メールの到着が遅い", "open", ["bug", "priority:high"], "yamada", "2026-11-12", "注文から40〜90分後に届く。"),
    (298, "決済SDKを5.2に更新", "open", ["chore"], "tanaka", "2026-11-09", "5.1のサポートは3月まで。"),
    (
        296,
        "住所欄で一部の郵便番号がエラーになる",
        "open",
        ["bug"],
        "sato",
        "2026-11-06",
        "100-6701 などビル専用の番号が通らない。",
    ),
    (
        293,
        "1万件を超える注文の出力がタイムアウトする",
        "open",
        ["bug", "performance"],
        "yamada",
        "2026-11-03",
        "30秒で504になる。",
    ),
    (290, "決済障害時の手順書を書く", "open", ["docs"], None, "2026-10-30", "連絡先と止めるもの。"),
]
EN_MEMBERS = [("nora", "Nora Lind"), ("omar", "Omar Haddad"), ("lee", "Lee Park")]
JA_MEMBERS = [("sato", "佐藤 美咲"), ("tanaka", "田中 健"), ("yamada", "山田 涼")]

EN_EVENTS = [
    ("ev_101", 0, "10:00", "10:30", "Stand-up", ["omar.haddad@acme.example", "nora.lind@acme.example"], ""),
    ("ev_102", 1, "09:30", "10:30", "Budget review", ["priya.shah@acme.example", "tom.becker@acme.example"], "Room 4"),
    ("ev_103", 1, "13:00", "14:00", "Interview: Elena Costa", ["elena.costa@example.com"], "Room 2"),
    ("ev_104", 1, "16:00", "17:00", "1:1 with Omar", ["omar.haddad@acme.example"], ""),
    ("ev_105", 2, "11:00", "12:00", "Supplier call Hartmann", ["k.hartmann@hartmann-keramik.example"], "online"),
    ("ev_106", 3, "15:00", "16:30", "Roadmap workshop", ["nora.lind@acme.example", "lee.park@acme.example"], "Room 1"),
]
JA_EVENTS = [
    ("ev_101", 0, "10:00", "10:15", "朝会", ["sato@acme.example", "yamada@acme.example"], ""),
    ("ev_102", 1, "09:30", "10:30", "予算会議", ["ito@acme.example"], "会議室A"),
    ("ev_103", 1, "14:00", "15:00", "採用面接(小林様)", ["kobayashi@example.com"], "会議室B"),
    ("ev_104", 2, "11:00", "12:00", "窯元との打ち合わせ", ["info@tokoname-kiln.example"], "オンライン"),
    ("ev_105", 2, "16:00", "17:00", "新商品レビュー", ["sato@acme.example"], "会議室A"),
    ("ev_106", 4, "13:00", "14:30", "棚卸し説明会", ["tanaka.ken@acme.example"], "倉庫2階"),
]

EN_PRODUCTS = [
    ("TEA-01", "Sencha 100 g", 42, 14.50),
    ("TEA-02", "Hojicha 100 g", 3, 12.00),
    ("TEA-03", "Genmaicha 200 g", 0, 11.80),
    ("TEA-04", "Matcha 30 g", 18, 24.00),
    ("POT-01", "Kyusu teapot, red", 4, 58.00),
    ("POT-02", "Cast-iron teapot", 7, 86.00),
    ("CUP-01", "Yunomi cup", 65, 9.50),
    ("CUP-02", "Glass cup", 2, 7.20),
    ("ACC-01", "Bamboo whisk", 11, 19.90),
]
JA_PRODUCTS = [
    ("TEA-01", "煎茶 100g", 42, 1450),
    ("TEA-02", "ほうじ茶 100g", 3, 1200),
    ("TEA-03", "玄米茶 200g", 0, 1180),
    ("TEA-04", "抹茶 30g", 18, 2400),
    ("POT-01", "急須(朱泥)", 4, 5800),
    ("POT-02", "鉄瓶", 7, 8600),
    ("CUP-01", "湯のみ", 65, 950),
    ("CUP-02", "耐熱グラス", 2, 720),
    ("ACC-01", "茶筅", 11, 1990),
]
EN_ORDERS = [
    ("SO-5001", "C-11", "Helen Brandt", "2026-11-20", "shipped", [("POT-02", 1)], 86.00),
    ("SO-5002", "C-12", "Ravi Menon", "2026-11-21", "delivered", [("TEA-04", 2)], 48.00),
    ("SO-5003", "C-11", "Helen Brandt", "2026-11-22", "delivered", [("TEA-01", 2)], 29.00),
    ("SO-5004", "C-13", "Julia Novak", "2026-11-23", "processing", [("POT-01", 1), ("CUP-01", 1)], 67.50),
    ("SO-5005", "C-12", "Ravi Menon", "2026-11-24", "cancelled", [("ACC-01", 1)], 19.90),
    ("SO-5006", "C-14", "Marco Bianchi", "2026-11-25", "delivered", [("TEA-02", 3)], 36.00),
    ("SO-5007", "C-11", "Helen Brandt", "2026-11-26", "processing", [("TEA-04", 1)], 24.00),
    ("SO-5008", "C-13", "Julia Novak", "2026-11-27", "delivered", [("CUP-02", 2)], 14.40),
]
JA_ORDERS = [
    ("SO-5001", "C-11", "高橋 由美", "2026-11-20", "shipped", [("POT-02", 1)], 8600),
    ("SO-5002", "C-12", "森 大輔", "2026-11-21", "delivered", [("TEA-04", 2)], 4800),
    ("SO-5003", "C-11", "高橋 由美", "2026-11-22", "delivered", [("TEA-01", 2)], 2900),
    ("SO-5004", "C-13", "木村 恵", "2026-11-23", "processing", [("POT-01", 1), ("CUP-01", 1)], 6750),
    ("SO-5005", "C-12", "森 大輔", "2026-11-24", "cancelled", [("ACC-01", 1)], 1990),
    ("SO-5006", "C-14", "岡田 直人", "2026-11-25", "delivered", [("TEA-02", 3)], 3600),
    ("SO-5007", "C-11", "高橋 由美", "2026-11-26", "processing", [("TEA-04", 1)], 2400),
    ("SO-5008", "C-13", "木村 恵", "2026-11-27", "delivered", [("CUP-02", 2)], 1440),
]

EN_MAIL = [
    (
        "m-801",
        "Helen Brandt <helen.brandt@example.com>",
        "Torn bag",
        "2026-11-28 08:12",
        "Hello,\nthe second bag of Sencha in my order SO-5003 was torn when it arrived. Could you refund 14.50 for it?\nKind regards\nHelen Brandt",
    ),
    (
        "m-802",
        "Karl Hartmann <k.hartmann@hartmann-keramik.example>",
        "Price list 2027",
        "2026-11-27 15:40",
        "Dear team,\nfrom 1 February 2027 the red kyusu rises from 31.00 to 33.50 per piece. The minimum order stays at 24 pieces. Orders until 31 January keep the old price.\nKarl Hartmann",
    ),
    (
        "m-803",
        "Priya Shah <priya.shah@acme.example>",
        "Budget figures",
        "2026-11-27 11:05",
        "Hi,\nnext year's proposal: Marketing 12,400, Operations 31,250, Training 4,800. Training is down from 6,000 because two courses moved online. Please send comments by Thursday.\nPriya",
    ),
    (
        "m-804",
        "Julia Novak <julia.novak@example.com>",
        "When does my order arrive?",
        "2026-11-26 19:22",
        "Good evening,\nI ordered a teapot and a cup (SO-5004). When will they arrive?\nJulia",
    ),
    (
        "m-805",
        "Facilities <facilities@acme.example>",
        "Water off on Saturday",
        "2026-11-26 09:00",
        "On Saturday the water is off from 8:00 to 12:00 on floors 2 and 3. Floor 1 is not affected.",
    ),
    (
        "m-806",
        "Elena Costa <elena.costa@example.com>",
        "Our interview",
        "2026-11-25 17:48",
        "Thank you for the invitation. I will bring my portfolio. Is there parking near the office?\nElena",
    ),
    (
        "m-807",
        "Marco Bianchi <marco.bianchi@example.com>",
        "Lovely hojicha",
        "2026-11-25 12:30",
        "Just a note that the hojicha is the best I have had. Do you sell it in larger bags?\nMarco",
    ),
]
JA_MAIL = [
    (
        "m-801",
        "高橋 由美 <takahashi.yumi@example.com>",
        "袋が破れていました",
        "2026-11-28 08:12",
        "お世話になっております。注文 SO-5003 の煎茶のうち1袋が破れて届きました。1袋分1,450円の返金をお願いできますか。\n高橋",
    ),
    (
        "m-802",
        "Karl Hartmann <k.hartmann@hartmann-keramik.example>",
        "Price list 2027",
        "2026-11-27 15:40",
        "Dear team,\nfrom 1 February 2027 the red kyusu rises from 3,100 to 3,350 yen per piece. The minimum order stays at 24 pieces. Orders until 31 January keep the old price.\nKarl Hartmann",
    ),
    (
        "m-803",
        "伊藤 彩 <ito@acme.example>",
        "来年度予算案",
        "2026-11-27 11:05",
        "お疲れさまです。来年度の案です。広告費124万円、運営費312万円、研修費48万円。研修費は二つの講座がオンラインになったため60万円から下げました。木曜日までにご意見をください。\n伊藤",
    ),
    (
        "m-804",
        "木村 恵 <kimura@example.com>",
        "いつ届きますか",
        "2026-11-26 19:22",
        "急須と湯のみを注文しました(SO-5004)。いつ届きますか。\n木村",
    ),
    (
        "m-805",
        "総務部 <soumu@acme.example>",
        "土曜日の断水",
        "2026-11-26 09:00",
        "土曜日の8時から12時まで、2階と3階が断水します。1階は使えます。",
    ),
    (
        "m-806",
        "小林 翼 <kobayashi@example.com>",
        "面接について",
        "2026-11-25 17:48",
        "面接のご案内ありがとうございます。作品集を持参します。駐車場はありますか。\n小林",
    ),
]
EN_CONTACTS = [
    ("Tom Becker", "tom.becker@acme.example", "Finance"),
    ("Tom Baker", "tom.baker@acme.example", "Warehouse"),
    ("Priya Shah", "priya.shah@acme.example", "Finance"),
    ("Omar Haddad", "omar.haddad@acme.example", "Engineering"),
    ("Nora Lind", "nora.lind@acme.example", "Engineering"),
    ("Ingrid Vos", "ingrid.vos@acme.example", "Legal"),
    ("Karl Hartmann", "k.hartmann@hartmann-keramik.example", "Supplier"),
    ("Julia Novak", "julia.novak@example.com", "Customer"),
]
JA_CONTACTS = [
    ("田中 健", "tanaka.ken@acme.example", "開発部"),
    ("田中 真由", "tanaka.mayu@acme.example", "経理部"),
    ("佐藤 美咲", "sato@acme.example", "開発部"),
    ("山田 涼", "yamada@acme.example", "開発部"),
    ("伊藤 彩", "ito@acme.example", "経理部"),
    ("小林 翼", "kobayashi@example.com", "応募者"),
]
EN_FILES = {
    "notes/minutes-2026-11-18.md": "# Minutes 18 November\n\n- Packaging: we stay with paper bags until spring.\n- The Cologne fair is cancelled.\n",
    "notes/minutes-2026-11-25.md": "# Minutes 25 November\n\nPresent: Priya, Omar, Nora\n\n- Sale: 15 % off all teapots from 5 to 12 December.\n- Packaging: Nora tests two tear-proof bags and reports on 9 December.\n- Hiring: one person for the warehouse; Omar writes the advert.\n- The winter party is on 18 December in the canteen.\n",
    "policies/travel.md": "# Travel policy\n\n- Hotels: up to 135 euros a night, breakfast included; 180 in London and Paris.\n- Trains: second class; first class above four hours.\n- Flights only where the train takes more than six hours.\n",
    "reports/sales-2026-10.csv": "region,orders,revenue\nNorth,120,4310.50\nSouth,96,3875.00\nWest,143,5120.25\nEast,58,1990.00\n",
}
JA_FILES = {
    "notes/議事録-2026-11-18.md": "# 議事録 11月18日\n\n- 包装: 春まで紙袋のまま。\n- 名古屋の展示会は中止。\n",
    "notes/議事録-2026-11-25.md": "# 議事録 11月25日\n\n出席: 伊藤、佐藤、山田\n\n- セール: 12月5日から12日まで急須を15%引きにする。\n- 包装: 佐藤さんが破れにくい袋を2種類試し、12月9日に報告する。\n- 採用: 倉庫に1名。求人票は山田さんが書く。\n- 忘年会は12月18日、社員食堂。\n",
    "policies/出張規程.md": "# 出張規程\n\n- 宿泊費: 1泊13,000円まで(朝食込み)。東京23区と大阪市内は16,000円まで。\n- 新幹線: 普通車指定席。4時間を超えるときはグリーン車可。\n",
    "reports/売上-2026-10.csv": "地域,注文数,売上\n北,120,431050\n南,96,387500\n西,143,512025\n東,58,199000\n",
}
