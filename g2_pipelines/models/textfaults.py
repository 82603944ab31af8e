"""What makes a prose answer unusable: nothing there or said, the wrong language, a loop.

Counting only, no model; ``structured`` and those with texts in an object import this module.
Thresholds are ours: wide, as a fault costs a second call and a missed one is seen by the
brief's checks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from g2_pipelines.text.overlap import ngrams
from g2_pipelines.text.sentences import sentences

_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
#: 12 characters or more, four times or more in a row.
_LOOP = re.compile(r"(.{12,400}?)\1{3,}", re.DOTALL)
_WORD = re.compile(r"[^\W_]")
_STUCK = re.compile(r"([^\s\-=_.・…─―*#|])\1{29,}")

_GRAM = 6
#: Quotes and commas are what an echo changes first.
_MARKS = re.compile(r"[「」『』\"'“”‘’（）()、,]")
#: Share of a sentence's 6-grams that stand in the instruction, from which on it is an echo.
_ECHO = 0.7
#: A sentence that only says that something follows.
_ANNOUNCEMENT = re.compile(
    r"(以下|次|下記)の?(通り|とおり|ように|[一二三四五六七八九十0-9]+つの(文|点)|内容).{0,12}"
    r"(です|ます|である|する|した|れる)[。：:]?$"
    r"|(を|について|に関して).{0,14}(要約|説明|記載|記述|紹介|まとめ|作成|お伝え|提示|書き|書く)"
    r"(いた)?(します|しました|する|した|してください|ます|ました|)[。：:]?$"
    r"|(要約|まとめ|事前要約|文章)(です|になります|である)?[。：:]?$"
    r"|^(sure|certainly|of course|okay|here (is|are)|below (is|are)|the following|as follows|i will|i'll)"
    r"[^.:!]{0,120}[.:!]?$",
    re.IGNORECASE,
)


def text_fault(text: str, language: Literal["ja", "en"] | None) -> str | None:
    """The first fault of ``text`` in words, or None. ``language`` None: any language."""
    if not text.strip():
        return "the answer is empty"
    if language is not None and _other_language(text, language):
        wanted = "Japanese" if language == "ja" else "English"
        return f"the answer is not in {wanted}"
    if loops(text):
        return "the answer repeats one passage over and over"
    return None


def _other_language(text: str, language: Literal["ja", "en"]) -> bool:
    kana, han, latin = (len(p.findall(text)) for p in (_KANA, _HAN, _LATIN))
    letters = kana + han + latin
    if language == "ja" and is_chinese(text):
        return True
    if letters < 20:  # a number, a name: no language to speak of
        return False
    if language == "en":
        return (kana + han) * 2 > letters
    # Chinese has no kana; Japanese prose has 40 % and more, a list of nouns at least some.
    return kana * 20 < letters


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese, however short it is: without kana, and with two characters
    that no Japanese character set has (simplified ones) or a sentence of a dozen; a Japanese
    one of that length has a particle.
    """
    if _KANA.search(text):
        return False
    found = _HAN.findall(text)
    strange = sum(not _japanese(character) for character in found)
    return strange >= 2 or (len(found) >= 12 and "。" in text)


def _japanese(character: str) -> bool:
    for codec in ("cp932", "euc_jis_2004"):
        try:
            character.encode(codec)
        except UnicodeEncodeError:
            continue
        return True
    return False


def loops(text: str) -> bool:
    """True when one character stands 30 times, or a passage 4 times, in a row.

    Rules of dashes or dots are no passage. Only the last 8,000 characters are looked at for
    passages: a model that loops does not stop, and the search grows with the length.
    """
    passages = (match.group(1) for match in _LOOP.finditer(text[-8_000:]))
    return bool(_STUCK.search(text)) or any(_WORD.search(passage) for passage in passages)


def content_fault(text: str, instruction: str) -> str | None:
    """``instruction_echo`` or ``no_content`` in words, or None where a sentence says something.

    A sentence says nothing if it only repeats ``instruction`` or only announces what is to
    come (「以下の通りです。」, "Here is the summary:"). One that says something is enough: the
    text then is judged by the brief's checks. Measured: of 64 answers of a small model (0.5
    billion parameters) 42 are found, all that say nothing and no other; of 1,335
    sentences of ten annual reports none is an echo of any aspect's prompt.
    """
    plain = _MARKS.sub("", instruction)
    known = {n: ngrams(plain, n) for n in range(1, _GRAM + 1)}
    said = [text[start:end] for start, end in sentences(text)]
    repeated = [one for one in said if _share(one, known) >= _ECHO]
    # A word of the instruction is an echo beside one only, as where an answer was cut.
    echo = any(len(one.strip()) >= _GRAM for one in repeated)
    left = [one for one in said if not (echo and one in repeated)]
    if not all(_ANNOUNCEMENT.search(one.strip()) for one in left):
        return None
    if echo:
        return "the answer says its instruction again instead of following it (instruction_echo)"
    return "the answer only announces a text and does not give it (no_content)"


def _share(sentence: str, known: Mapping[int, frozenset[str]]) -> float:
    """Share of a sentence's n-grams in ``known``; of a shorter one, whether it stands there."""
    own = ngrams(_MARKS.sub("", sentence), _GRAM)
    size = min((len(gram) for gram in own), default=0)
    return len(own & known[size]) / len(own) if own else 1.0
