"""Whom to follow: companies.csv and, by setting, the listed companies of the code list."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.company import (
    CompanyListError,
    read_companies,
    read_company,
    read_followed,
)
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.tables.line1 import Company
from g2_pipelines.tables.store import read_table, write_atomic
from g2_pipelines_tests.defs.following import Following, follow

HEADER = (
    "ＥＤＩＮＥＴコード,提出者種別,上場区分,連結の有無,資本金,決算日,提出者名,提出者名（英字）,"
    "提出者名（ヨミ）,所在地,提出者業種,証券コード,提出者法人番号"
)
ROWS = [
    "E99001,内国法人・組合,上場,有,100,3月31日,青嶺精機株式会社,Aomine,アオミネ,長野,機械,99010,1",
    "E99003,内国法人・組合,非上場,無,1,3月31日,非上場の会社,,ヒ,東京,機械,,2",
]


def code_list() -> bytes:
    text = "\n".join(["ダウンロード実行日,2025年03月31日現在,件数,2件", HEADER, *ROWS])
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("EdinetcodeDlInfo.csv", text.encode("cp932"))
    return buffer.getvalue()


def following(ws: Workspace, whom: str) -> Workspace:
    return Workspace(ws.settings.model_copy(update={"edinet_follow": whom}))


def test_without_a_list_nobody_is_followed(ws: Workspace):
    assert read_followed(ws) == {}
    assert read_followed(following(ws, "listed")) == {}


def test_the_code_list_names_companies_and_follows_nobody_unless_it_is_said(ws: Workspace):
    """4,000 companies followed because a file for their names was put there is a surprise."""
    write_atomic(ws.home.root / "Edinetcode.zip", code_list())
    assert read_followed(ws) == {}
    assert read_company(ws, "E99003").name == "非上場の会社"
    followed = read_followed(following(ws, "listed"))
    assert list(followed) == ["E99001"]
    assert (followed["E99001"].industry, followed["E99001"].fiscal_year_end) == ("機械", "3月31日")


def test_the_own_list_is_followed_beside_the_listed_companies_and_its_names_count(ws: Workspace):
    write_atomic(ws.home.root / "Edinetcode.zip", code_list())
    rows = "edinet_code,name\nE99002,みなと食品\nE99001,青嶺\n"
    write_atomic(ws.home.companies_csv, rows.encode())
    assert list(read_followed(ws)) == ["E99002", "E99001"]
    assert set(read_followed(following(ws, "listed"))) == {"E99001", "E99002"}
    assert read_company(ws, "E99001").name == "青嶺"


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"name\nx\n", "line 1"),
        ("edinet_code,name\nE1,あ\n".encode("cp932"), ""),
        (b"edinet_code,name\n../x,y\n", "line 2"),
        (b"edinet_code,name\nE1,a\n,b\n", "line 3"),
        (b"edinet_code,name\nE1,Foods, Inc.\n", "line 2"),
        (b"edinet_code,name\nE1,a\nE2,b\nE1,c\n", "line 4"),
    ],
)
def test_a_wrong_list_names_its_place(content: bytes, place: str, ws: Workspace):
    write_atomic(ws.home.companies_csv, content)
    with pytest.raises(CompanyListError) as caught:
        read_companies(ws.home.companies_csv)
    assert caught.value.place == place
    assert caught.value.file.endswith("companies.csv")
    assert caught.value.remedy


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Following]:
    with follow(tmp_path / "home", []) as home:
        home.edinet.code_list = code_list()
        yield home


def materialize(home: Following, **config: object) -> dict[str, object]:
    ops = {"ops": {"companies_step": {"config": config}}}
    assert home.run("companies", config=ops).success
    event = home.instance.get_latest_materialization_event(specs.COMPANIES)
    assert event is not None
    assert event.asset_materialization is not None
    return {k: v.value for k, v in event.asset_materialization.metadata.items()}


def test_the_registry_is_made_of_edinets_code_list(registry: Following):
    write_atomic(registry.ws.home.companies_csv, b"edinet_code,name\nE99001,a\nE99077,b\nE9,c\n")
    mergers = "EDINETコード集約一覧,,\n集約処理日,廃止EDINETコード,継続EDINETコード\n2023-04-03,E99077,E99001\n"
    write_atomic(registry.ws.home.root / "ESE140190.csv", mergers.encode("cp932"))
    shown = materialize(registry)
    rows = read_table(registry.ws.home.table("companies", "all"), Company)
    assert [(r.edinet_code, r.securities_code, r.industry, r.fiscal_year_end) for r in rows] == [
        ("E99001", "99010", "機械", "3月31日"),
        ("E99003", None, "機械", "3月31日"),
    ]
    assert (shown["dagster/row_count"], shown["listed"], shown["followed"]) == (2, 1, 3)
    assert shown["followed_under_a_retired_code"] == "E99077 is now E99001"
    assert shown["followed_and_not_in_the_list"] == "E9"


def test_a_page_instead_of_the_code_list_leaves_the_stored_one(registry: Following):
    materialize(registry)
    for content in (b"<!DOCTYPE html>", code_list()[:200]):
        registry.edinet.code_list = content
        assert not registry.run("companies").success
    assert materialize(registry, download=False)["dagster/row_count"] == 2


def test_without_a_code_list_the_run_says_what_to_do(registry: Following):
    ops = {"ops": {"companies_step": {"config": {"download": False}}}}
    result = registry.run("companies", config=ops)
    assert not result.success
    [event] = [e for e in result.all_events if e.is_step_failure]
    assert "Edinetcode.zip" in event.step_failure_data.user_failure_data.description
