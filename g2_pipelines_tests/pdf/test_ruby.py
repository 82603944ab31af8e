"""Furigana: out of the sentences, not out of the document."""

from __future__ import annotations

from pathlib import Path

import typst

from g2_pipelines.corpus.makers.pdfs import _named_font
from g2_pipelines.pdf.ruby import ruby_apart
from g2_pipelines_tests.pdf.conftest import read, run

BASE = run("この工場では鋳物を作る", 50, 100, size=12)
READING = run("いもの", 122, 93, size=6)


def test_small_kana_over_kanji_are_readings() -> None:
    assert ruby_apart([BASE, READING]) == ([BASE], [READING])


def test_a_line_of_kana_of_the_same_size_is_text() -> None:
    line = run("いものをつくる", 50, 86, size=12)
    assert ruby_apart([line, BASE]) == ([line, BASE], [])


def test_small_kana_far_above_below_or_over_kana_are_text() -> None:
    far, below = run("いもの", 122, 70, size=6), run("いもの", 122, 114, size=6)
    over_kana = run("いもの", 50, 93, size=6)
    kana = run("この こうじょう", 50, 100, size=12)
    assert ruby_apart([far, BASE, below]) == ([far, BASE, below], [])
    assert ruby_apart([over_kana, kana]) == ([over_kana, kana], [])


def test_small_latin_or_kanji_over_kanji_are_text() -> None:
    for text in ("abc", "注記", "（一）"):
        small = run(text, 122, 93, size=6)
        assert ruby_apart([small, BASE]) == ([small, BASE], [])


SOURCE = """
#set page(width: 400pt, height: 300pt)
#set text(font: "Droid Sans Fallback", size: 12pt, lang: "ja")
#set par(leading: 1em)
#let ruby(base, top) = context {
  let width = measure(base).width
  box(width: width, { place(dy: -0.75em, box(width: width, align(center, text(size: 6pt, top)))); base })
}
この工場では#ruby[鋳物][いもの]を作り、#ruby[旋盤][せんばん]で削る。出荷は前年より三割増えた。
次の行も長く続き、職人の#ruby[手仕事][てしごと]は#ruby[宝物][たから]とされる。以上が会社の説明である。
"""


def test_a_page_with_furigana_reads_as_without_and_keeps_every_character(tmp_path: Path) -> None:
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    _named_font(fonts)
    (tmp_path / "a.typ").write_text(SOURCE, encoding="utf-8")
    typst.compile(str(tmp_path / "a.typ"), output=str(tmp_path / "a.pdf"), font_paths=[str(fonts)])
    parsed = read(tmp_path / "a.pdf", tmp_path / "images")
    flow = "".join(n.text for n in parsed.nodes if n.order >= 0).replace(" ", "")
    assert flow == (
        "この工場では鋳物を作り、旋盤で削る。出荷は前年より三割増えた。"
        "次の行も長く続き、職人の手仕事は宝物とされる。以上が会社の説明である。"
    )
    [readings] = [n for n in parsed.nodes if n.order < 0]
    assert readings.text == "いもの せんばん てしごと たから"
    assert readings.kind == "furniture"
    assert parsed.quality.kept_share == 1.0
    assert any("4 readings over kanji" in warning for warning in parsed.quality.warnings)
