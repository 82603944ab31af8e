"""HTML into clean text, each character with its place in the source.

Here: a scanner of tags, comments and character references. A tree parser was not taken
because lxml's trees do not say where in the source a character stood, and the trail from a
sentence to the original must not break. The scanner is linear, resolves no entity but
characters and opens nothing. ``readers`` imports this module.
"""

from __future__ import annotations

import html
import re

from g2_pipelines.transcripts.clean import TextBuilder

_TAG_NAME = re.compile(r"/?\s{0,8}([A-Za-z][A-Za-z0-9]{0,15})")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_SKIPPED = frozenset(
    [
        "script",
        "style",
        "head",
        "noscript",
        "template",
        "svg",
        "nav",
        "footer",
        "iframe",
        "select",
        "button",
    ]
)
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "br",
        "li",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "tr",
        "td",
        "th",
        "table",
        "section",
        "article",
        "main",
        "header",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "pre",
        "hr",
        "figure",
        "figcaption",
        "address",
    ]
)
#: What a page sets apart by its style only: ``<span>質問</span>優待の…``.
_SIDE = re.compile(r"(?:ご?質問|ご?回答|問|答|[QAＱＡ])[0-9０-９]{0,3}")
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset=[\"']?([A-Za-z0-9_-]{2,20})", re.IGNORECASE)


#: Encodings by what pages call them. Others are not looked up: Python's codecs of such names
#: (idna, punycode, unicode_escape) are no encodings, and fail in ways of their own.
_CHARSETS = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms932", "windows-31j"), "cp932"),
    **dict.fromkeys(("cp932", "ms_kanji", "csshiftjis"), "cp932"),
    **dict.fromkeys(("euc-jp", "eucjp", "x-euc-jp"), "euc_jp"),
    **dict.fromkeys(("iso-2022-jp", "iso2022jp", "csiso2022jp"), "iso2022_jp"),
    **dict.fromkeys(("iso-8859-1", "latin1", "windows-1252", "cp1252", "us-ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030"), "gb18030"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "cp949"), "cp949"),
    **dict.fromkeys(("big5", "big5-hkscs"), "big5hkscs"),
}


def declared_charset(content: bytes) -> str | None:
    """The codec of the charset that the page declares in its first 4,096 bytes, if known."""
    match = _CHARSET.search(content[:4096])
    return _CHARSETS.get(match[1].decode("ascii").lower()) if match else None


def read_html(original: str) -> tuple[TextBuilder, str | None]:
    """Text of the body, a line per block element, white space as a browser shows it."""
    scanner = _Scanner(original)
    scanner.run()
    return scanner.builder, scanner.title


class _Scanner:
    def __init__(self, source: str) -> None:
        self.source = source
        self.lower = source.lower()
        self.builder = TextBuilder()
        self.title: str | None = None
        self._last_tag_end = source.rfind(">")
        self._line_open = False
        self._space: int | None = None

    def run(self) -> None:
        position, size = 0, len(self.source)
        while position < size:
            tag = self.source.find("<", position)
            if tag < 0 or tag > self._last_tag_end:
                self._words(position, size)
                return
            self._words(position, tag)
            position = self._tag(tag)

    def _tag(self, start: int) -> int:
        source = self.source
        if source.startswith("<!--", start):
            end = source.find("-->", start + 4)
            return len(source) if end < 0 else end + 3
        if not _TAG_NAME.match(source, start + 1) and source[start + 1 : start + 2] not in "!?":
            self._words(start, start + 1)
            return start + 1
        end = source.find(">", start) + 1
        match = _TAG_NAME.match(source, start + 1)
        name = match[1].lower() if match else ""
        if name == "title" and source[start + 1] != "/":
            return self._title(end)
        if name in _BLOCKS:
            self._break()
        elif source[start + 1] == "/" and self._marks_a_side(start, end):
            self.builder.insert("　")
        if name in _SKIPPED and source[start + 1] != "/" and not source.startswith("/>", end - 2):
            return self._skip(name, end)
        return end

    def _marks_a_side(self, start: int, end: int) -> bool:
        """Whether an element that ends here says 「質問」 only, and words stand right behind it."""
        opened = self.source.rfind(">", max(0, start - 40), start)
        words = self.source[opened + 1 : start].strip()
        following = self.source[end : end + 1]
        return (
            opened >= 0
            and _SIDE.fullmatch(words) is not None
            and following not in ("", "<", "&", *"：:．.）)／/|｜　 \n\r\t")
        )

    def _title(self, start: int) -> int:
        end = self.lower.find("</title", start)
        if end < 0:
            return start
        self.title = " ".join(html.unescape(self.source[start : min(end, start + 500)]).split())
        return end

    def _skip(self, name: str, start: int) -> int:
        if name == "head":
            title = self.lower.find("<title", start)
            close = self.lower.find("</head", start)
            if 0 <= title < close:
                self._title(self.source.find(">", title) + 1)
        end = self.lower.find(f"</{name}", start)
        if end < 0:
            return start
        close = self.source.find(">", end)
        return len(self.source) if close < 0 else close + 1

    def _break(self) -> None:
        self.builder.line_end()
        self._line_open = False
        self._space = None

    def _words(self, start: int, end: int) -> None:
        position = start
        while position < end:
            reference = self.source.find("&", position, end)
            stop = end if reference < 0 else reference
            self._visible(position, stop)
            if reference < 0:
                return
            match = _REFERENCE.match(self.source, reference, end)
            if match is None:
                self._put("&", reference)
                position = reference + 1
                continue
            for character in html.unescape(match[0]):
                self._put(" " if character == "\xa0" else character, reference)
            position = match.end()

    def _visible(self, start: int, end: int) -> None:
        position = start
        for match in _SPACE.finditer(self.source, start, end):
            self._put(self.source[position : match.start()], position)
            self._space = match.start()
            position = match.end()
        self._put(self.source[position:end], position)

    def _put(self, piece: str, source_start: int) -> None:
        if not piece:
            return
        if self._space is not None and self._line_open:
            self.builder.add(" ", self._space)
        self._space = None
        self._line_open = True
        self.builder.clean(piece, source_start)
