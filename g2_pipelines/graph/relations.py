"""Which of the eight relations a text names, by words that stand at the thing itself.

Here: ``relation_at`` (words right beside a reference or a shared term) and
``opening_relation`` (the connective with which a text begins). A cue somewhere in the same
sentence is none: «however» says nothing of the figure that the sentence names as well. Only
the extractive evolver imports this module.
"""

from __future__ import annotations

import re

from g2_pipelines.tables.line2 import SemanticKind

Cues = tuple[tuple[SemanticKind, re.Pattern[str]], ...]

#: What follows a Japanese term at once.
_AFTER: Cues = (
    ("contrast", re.compile(r"(?:」|』)?(?:に比べ|と比べ|と異な|と違|とは対照)")),
    ("causal", re.compile(r"(?:」|』)?(?:により|によって|のため|が原因|に起因|の影響で)")),
    ("dependency", re.compile(r"(?:」|』)?(?:に基づ|にもとづ|に依存|を前提|を用い|を使っ|に応じ)")),
    ("part_whole", re.compile(r"(?:」|』)?(?:から成|からな|の内訳|の一部|に含ま|を構成)")),
    ("hierarchy", re.compile(r"(?:」|』)?(?:の一種|に分類|に属)")),
    ("sequence", re.compile(r"(?:」|』)?(?:の後に|に次い|の次に|に続い)")),
)
#: What stands right before an English term, at most an article between them.
_BEFORE_WORDS: tuple[tuple[SemanticKind, str], ...] = (
    ("contrast", "unlike|than|compared (?:with|to)|in contrast to|as opposed to|versus|vs\\.?"),
    ("causal", "because of|due to|caused by|owing to|as a result of|results? from"),
    (
        "dependency",
        "based on|builds? on|relies on|depends? on|requires?|using|according to|by means of",
    ),
    (
        "part_whole",
        "consists? of|composed of|comprises?|parts? of|includ(?:es?|ing)|contains?|equipped with",
    ),
    ("hierarchy", "(?:types?|kinds?|forms?|examples?|instances?|variants?) of"),
    ("sequence", "after|following|followed by"),
)
_BEFORE: Cues = tuple(
    (
        kind,
        re.compile(rf"\b(?:{words})\s+(?:(?:the|an?|our|its|their|this|that)\s+)?$", re.IGNORECASE),
    )
    for kind, words in _BEFORE_WORDS
)
_OPENING: Cues = (
    (
        "contrast",
        re.compile(
            r"(?:一方|他方|しかし|ただし|だが|反面|これに対し|それに対し|(?:これ|それ)と(?:は)?(?:異な|対照))"
            r"|(?:However|In contrast|By contrast|On the other hand|On the contrary|Conversely|"
            r"Nevertheless|Nonetheless|Unlike this|Yet)\b"
        ),
    ),
    (
        "causal",
        re.compile(
            r"(?:そのため|このため|したがって|従って|よって|その結果|この結果|これにより|それにより|ゆえに)"
            r"|(?:Therefore|Thus|Hence|As a (?:result|consequence)|Consequently|Because of this|"
            r"For this reason|This is (?:because|due to|why))\b"
        ),
    ),
    (
        "dependency",
        re.compile(
            r"(?:これに基づ|これを(?:踏まえ|もと|基|受け)|それに基づ)"
            r"|(?:Based on (?:this|these|that)|Building on this|Accordingly|On this basis)\b"
        ),
    ),
    (
        "part_whole",
        re.compile(
            r"(?:このうち|そのうち|内訳は|その内訳|これらのうち)"
            r"|(?:Of (?:this|these|those|which)|Among (?:these|them|those)|These (?:include|comprise)|"
            r"It (?:consists|comprises))\b"
        ),
    ),
    (
        "sequence",
        re.compile(
            r"(?:次に|次いで|つぎに|続いて|その後|最後に|まず|翌年)"
            r"|(?:Next|Then|Afterwards?|Subsequently|Finally|Lastly|Second(?:ly)?|Third(?:ly)?|After "
            r"(?:this|that))\b,?"
        ),
    ),
    (
        "elaboration",
        re.compile(
            r"(?:たとえば|例えば|具体的に|すなわち|つまり|なかでも|特に)"
            r"|(?:For (?:example|instance)|Specifically|In particular|That is|Namely|In other words|"
            r"More (?:precisely|specifically)|Concretely)\b"
        ),
    ),
)


def relation_at(sentence: str, start: int, end: int, default: SemanticKind) -> SemanticKind:
    """The relation named by the words beside ``sentence[start:end]``, else ``default``."""
    after = sentence[end : end + 8]
    for kind, cue in _AFTER:
        if cue.match(after):
            return kind
    before = sentence[max(0, start - 40) : start]
    return next((kind for kind, cue in _BEFORE if cue.search(before)), default)


def opening_relation(text: str) -> SemanticKind | None:
    """The relation of a text to the one before it, where it opens with a connective."""
    head = text.lstrip(" \t\n\u3000・•")[:60]
    return next((kind for kind, cue in _OPENING if cue.match(head)), None)
