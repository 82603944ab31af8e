"""The list of all pages: each one once, by its title, whatever a title says."""

from __future__ import annotations

import re
from pathlib import Path

from g2_pipelines.commands.contents import contents_page


def put(folder: Path, name: str, title: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<!doctype html><head><title>{title}</title></head>", encoding="utf-8")


def test_each_page_stands_in_its_list_by_its_title(tmp_path: Path) -> None:
    put(tmp_path, "briefs/E99002/2019-03.html", "株式会社みなと食品 事業概況 2019年3月期")
    put(tmp_path, "briefs/E99001/2025-03.html", "青嶺精機株式会社 事業概況 2025年3月期")
    put(tmp_path, "answers/q 1.html", "Is it &lt;b&gt; &amp; so?")
    put(tmp_path, "reports/aspect-vs-simple/index.html", "評価レポート")
    put(tmp_path, "reports/aspect-vs-simple/companies/E99001-2025-03.html", "not listed")
    put(tmp_path, "benchmarks/index.html", "質問応答の評価")
    put(tmp_path, "benchmarks/own/full.html", "not listed")
    page = contents_page(tmp_path).decode()
    assert re.findall(r'href="([^"]*)"', page) == [
        "/briefs/E99001/2025-03.html",
        "/briefs/E99002/2019-03.html",
        "/answers/q%201.html",
        "/reports/aspect-vs-simple/index.html",
        "/benchmarks/index.html",
    ]
    assert "青嶺精機株式会社 事業概況 2025年3月期</a>" in page
    assert "Is it &lt;b&gt; &amp; so?</a>" in page
    assert "Content graphs" not in page


def test_a_page_without_a_title_stands_under_its_path(tmp_path: Path) -> None:
    (tmp_path / "graphs").mkdir()
    (tmp_path / "graphs/<i>.html").write_bytes(b"\xff\xfe nothing")
    page = contents_page(tmp_path).decode()
    assert '<a href="/graphs/%3Ci%3E.html">graphs/&lt;i&gt;.html</a>' in page


def test_without_a_page_it_says_how_one_is_made(tmp_path: Path) -> None:
    assert "g2 demo" in contents_page(tmp_path).decode()
