"""Figures of the two invented annual reports, in millions of yen unless said otherwise.

Here: numbers and names that the filings' tables and tags show. The prose, which repeats them,
stands in ``texts``; a test compares both. Invented companies; any likeness is chance.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Segment:
    """A reportable segment: external sales and profit of the previous and current year."""

    name: str
    english: str
    member: str
    sales: tuple[int, int]
    profit: tuple[int, int]
    employees: int
    capital_expenditure: int


@dataclass(frozen=True)
class Company:
    """One report. Series run over five fiscal years, the reported one last."""

    document_id: str
    edinet_code: str
    securities_code: str
    name: str
    name_english: str
    text: str
    term: int
    period_start: str
    period_end: str
    filed: str
    taxonomy: str
    mdna_prefix: str
    contracts_element: str
    representative: str
    contact: str
    address: str
    business_heading: str
    research_cost: int
    shares_thousand: int
    dividend_yen: int
    sales: tuple[int, ...]
    ordinary: tuple[int, ...]
    net_income: tuple[int, ...]
    comprehensive: tuple[int, ...]
    net_assets: tuple[int, ...]
    total_assets: tuple[int, ...]
    roe: tuple[str, ...]
    operating_cash: tuple[int, ...]
    investing_cash: tuple[int, ...]
    financing_cash: tuple[int, ...]
    cash: tuple[int, ...]
    employees: tuple[int, ...]
    corporate_employees: int
    corporate_expenditure: int
    segments: tuple[Segment, ...]
    adjustment: tuple[int, int]
    cost_of_sales: tuple[int, int]
    expenses: tuple[int, int]
    other_income: tuple[int, int]
    other_expenses: tuple[int, int]
    extraordinary_loss: tuple[int, int]
    taxes: tuple[int, int]
    current_assets: tuple[int, int]
    operating_series: tuple[int, ...]
    style: str


AOMINE = Company(
    document_id="S9000A01",
    edinet_code="E99001",
    securities_code="99010",
    name="青嶺精機株式会社",
    name_english="Aomine Precision Co., Ltd.",
    text="aomine.txt",
    term=58,
    period_start="2024-04-01",
    period_end="2025-03-31",
    filed="2025-06-25",
    taxonomy="2024-11-01",
    mdna_prefix="jpcrp_cor",
    contracts_element="CriticalContractsTextBlock",
    representative="代表取締役社長　　深沢　誠一",
    contact="取締役最高財務責任者　　小林　由美",
    address="長野県茅野市青嶺１丁目１番１号",
    business_heading="３【事業の内容】",
    research_cost=2_140,
    shares_thousand=16_280,
    dividend_yen=48,
    sales=(38_214, 42_360, 44_870, 45_696, 48_620),
    ordinary=(1_905, 3_012, 3_388, 3_512, 3_902),
    net_income=(1_284, 2_061, 2_317, 2_418, 2_604),
    comprehensive=(1_420, 2_260, 2_540, 3_052, 2_976),
    net_assets=(30_780, 32_480, 34_400, 36_720, 38_915),
    total_assets=(51_240, 54_830, 57_120, 59_180, 61_240),
    roe=("4.2", "6.5", "6.9", "6.8", "6.9"),
    operating_cash=(3_120, 3_460, 3_610, 3_980, 4_650),
    investing_cash=(-1_850, -2_210, -2_480, -2_760, -3_420),
    financing_cash=(-940, -1_020, -1_180, -1_240, -1_090),
    cash=(9_650, 9_880, 9_830, 9_850, 10_075),
    employees=(1_398, 1_421, 1_447, 1_465, 1_486),
    corporate_employees=79,
    corporate_expenditure=150,
    segments=(
        Segment(
            "工作機械事業",
            "Machine Tools",
            "MachineToolsReportableSegmentMember",
            (28_972, 29_870),
            (1_868, 1_790),
            842,
            1_640,
        ),
        Segment(
            "計測制御事業",
            "Measurement and Control",
            "MeasurementAndControlReportableSegmentMember",
            (10_749, 12_340),
            (1_182, 1_520),
            297,
            1_180,
        ),
        Segment(
            "サービス事業",
            "Services",
            "ServicesReportableSegmentMember",
            (5_975, 6_410),
            (1_023, 1_130),
            268,
            290,
        ),
    ),
    adjustment=(-694, -625),
    cost_of_sales=(31_975, 33_710),
    expenses=(10_342, 11_095),
    other_income=(231, 248),
    other_expenses=(98, 161),
    extraordinary_loss=(58, 134),
    taxes=(1_036, 1_164),
    current_assets=(35_720, 36_480),
    operating_series=(1_842, 2_905, 3_264, 3_379, 3_815),
    style="heading",
)

MINATO = Company(
    document_id="S9000B01",
    edinet_code="E99002",
    securities_code="99020",
    name="株式会社みなと食品",
    name_english="Minato Foods Co., Ltd.",
    text="minato.txt",
    term=72,
    period_start="2018-04-01",
    period_end="2019-03-31",
    filed="2019-06-26",
    taxonomy="2019-02-28",
    mdna_prefix="jpcrp030000-asr_E99002-000",
    contracts_element="CriticalContractsForOperationTextBlock",
    representative="代表取締役社長　　大石　健",
    contact="常務取締役　　望月　章",
    address="静岡県焼津市みなと町２丁目３番地",
    business_heading="３【事業の内容】",
    research_cost=412,
    shares_thousand=12_400,
    dividend_yen=40,
    sales=(64_310, 66_480, 68_350, 70_120, 72_450),
    ordinary=(2_410, 2_585, 2_690, 2_731, 2_402),
    net_income=(1_520, 1_652, 1_733, 1_790, 1_488),
    comprehensive=(1_640, 1_592, 1_757, 1_852, 1_406),
    net_assets=(19_010, 20_180, 21_490, 22_870, 23_780),
    total_assets=(46_120, 47_890, 49_310, 50_860, 54_300),
    roe=("8.2", "8.4", "8.3", "8.1", "6.4"),
    operating_cash=(3_610, 3_850, 4_020, 4_310, 3_980),
    investing_cash=(-2_340, -2_610, -2_720, -2_940, -5_620),
    financing_cash=(-1_120, -1_060, -1_180, -1_150, 1_870),
    cash=(5_720, 5_900, 6_020, 6_240, 6_470),
    employees=(2_054, 2_098, 2_136, 2_181, 2_217),
    corporate_employees=66,
    corporate_expenditure=0,
    segments=(
        Segment(
            "冷凍食品事業",
            "Frozen Foods",
            "FrozenFoodsReportableSegmentsMember",
            (36_880, 38_900),
            (1_510, 1_420),
            1_168,
            0,
        ),
        Segment(
            "水産加工事業",
            "Seafood Processing",
            "SeafoodProcessingReportableSegmentsMember",
            (21_940, 21_350),
            (690, 310),
            612,
            0,
        ),
        Segment(
            "低温物流事業",
            "Cold Chain Logistics",
            "ColdChainLogisticsReportableSegmentsMember",
            (11_300, 12_200),
            (885, 980),
            371,
            0,
        ),
    ),
    adjustment=(-430, -400),
    cost_of_sales=(55_020, 57_690),
    expenses=(12_445, 12_450),
    other_income=(198, 214),
    other_expenses=(122, 122),
    extraordinary_loss=(38, 156),
    taxes=(903, 758),
    current_assets=(20_760, 21_340),
    operating_series=(2_330, 2_510, 2_618, 2_655, 2_310),
    style="smt",
)

COMPANIES = (AOMINE, MINATO)
