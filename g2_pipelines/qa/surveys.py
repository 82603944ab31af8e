"""What of a whole document must be gone through for a question, as patterns of folded text.

Here: ``line_of`` (a row of the asked item), ``tables_of`` (tables that hold two of the
question's words), ``titles_of`` (short lines, as they stand above tables) and ``holding_all``.
A search brings the best places; a cell is found by its row and column, which may stand on a
page that the search ranks low. Used by the extractive worker.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from g2_pipelines.qa.common_words import SAME_JA
from g2_pipelines.qa.matching import Word, loosened, prepared, stem

_SHORTEST, _LONGEST = 4, 120  # letters of an item's name, and of a row's label
_YEAR = re.compile(r"(?:19|20)\d\d")
_FEWEST = 4  #: words that tell a node of a whole document
_MOST = 6  #: words that are looked for in pairs
_TITLE = 60  #: letters of a line that may be a table's title


def _things(question_words: Sequence[Word]) -> list[str]:
    return [re.escape(stem(word.text).removesuffix("y")) for word in question_words]


def tables_of(question_words: Sequence[Word]) -> str:
    """Tables that hold two of the words or years, compounds as their parts, as a pattern; "" with fewer than two words."""
    parts = loosened([word for word in question_words if not word.is_figure], prepared(""))
    years = [word.text for word in question_words if _YEAR.fullmatch(word.text)]
    forms = [*years[:2], *_things(parts)][:_MOST]
    pairs = (rf"(?=[\s\S]*{one})(?=[\s\S]*{two})" for one, two in combinations(forms, 2))
    either = "|".join(pairs)
    return rf"\A(?=[\s\S]*\t)(?:{either})" if either else ""


def titles_of(question_words: Sequence[Word]) -> str:
    """Short lines that hold one of the words, as a pattern; "" without words."""
    forms = _things([w for w in question_words if not w.is_figure])[:_MOST]
    if not forms:
        return ""
    return rf"\A(?=[^\t\n]{{2,{_TITLE}}}\Z)(?=.*(?:{'|'.join(forms)}))"


def line_of(scope_words: Sequence[Word]) -> str:
    """Where a table has a row of the asked item: its words before a tab, as a pattern."""
    things = [word.text for word in scope_words if not word.is_figure and not word.strict]
    if not things or sum(len(text) for text in things) < _SHORTEST:
        return ""
    ahead = "".join(rf"(?=[^\t\n]*{re.escape(stem(text).removesuffix('y'))})" for text in things)
    return rf"(?m:^{ahead}[^\t\n]{{1,{_LONGEST}}}\t)"


def holding_all(question_words: Sequence[Word]) -> str:
    """A node that holds every word of an open Japanese question, compounds as their parts, as a
    pattern; "" with too few words to tell a node by.
    """
    parts = [word.text for word in loosened(question_words, prepared(""))]
    if len(parts) < _FEWEST or not all("\u3041" <= text[0] <= "\u9fff" for text in parts):
        return ""
    forms = ("|".join(map(re.escape, (text, *SAME_JA.get(text, ())))) for text in parts)
    return "^" + "".join(rf"(?=[\s\S]*(?:{form}))" for form in forms)
