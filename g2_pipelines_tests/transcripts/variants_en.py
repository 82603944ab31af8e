"""An English call rendered in every usual way. See ``variants``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

from g2_pipelines_tests.transcripts.variants import Person, Rendering, Said

OPERATOR = Person("Operator", "Operator", "", "", "moderator")
RELATIONS = Person("Onodera", "Makoto Onodera", "Head of Investor Relations", "", "moderator")
CHIEF = Person("Saegusa", "Ichiro Saegusa", "President and CEO", "", "answer")
MONEY = Person("Sakakibara", "Miwa Sakakibara", "Chief Financial Officer", "", "answer")
FIRST = Person("Whitlock", "Owen Whitlock", "Analyst", "Calder Bay Securities", "question")
SECOND = Person("Dahl", "Ingrid Dahl", "Analyst", "Northlight Partners", "question")

CALL = [
    Said(
        OPERATOR,
        "moderator",
        None,
        "Good day, and welcome to the Shirakaba Chemical earnings call. After the presentation we will open the line for your questions.",
    ),
    Said(
        CHIEF,
        "presenter",
        0,
        "Good morning, and thank you for joining us. Sales came to JPY 51.2 billion, up 6% on the year.\n"
        "For the new year we plan sales of JPY 53 billion. With that, back to the operator.",
    ),
    Said(
        OPERATOR,
        "moderator",
        None,
        "Thank you. We will now begin the question-and-answer session. Our first question comes from Owen Whitlock of Calder Bay Securities. Please go ahead.",
    ),
    Said(
        FIRST,
        "question",
        1,
        "Thanks for taking my questions. I have two. First, how far are the price increases? And second, where do you see inventories?",
    ),
    Said(CHIEF, "answer", 1, "The price increases were completed in September."),
    Said(MONEY, "answer", 1, "And inventories are down to 2.1 months, which we think is right."),
    Said(FIRST, "question", 2, "As a follow-up, how low can inventories go next year?"),
    Said(MONEY, "answer", 2, "We will not go below 2 months."),
    Said(
        OPERATOR,
        "moderator",
        None,
        "Our next question comes from the line of Ingrid Dahl with Northlight Partners. Your line is open.",
    ),
    Said(SECOND, "question", 3, "Good morning. Could you talk about the ramp of the new plant?"),
    Said(CHIEF, "answer", 3, "It is on schedule. Volume production starts in April."),
    Said(SECOND, "question", 3, "That is very clear. Thank you."),
    Said(
        OPERATOR,
        "moderator",
        None,
        "There are no further questions. This concludes today's call. Thank you for joining.",
    ),
]

ROSTER = f"""Corporate Participants
{CHIEF.full} - {CHIEF.title}
{MONEY.full} - {MONEY.title}
Conference Call Participants
{FIRST.full} - {FIRST.house}
{SECOND.full} - {SECOND.house}
"""

Words = Callable[[Person], str]


def _joined(*parts: str, by: str) -> str:
    return by.join(p for p in parts if p)


NAMES: dict[str, Words] = {
    "full": lambda p: p.full,
    "full - title": lambda p: _joined(p.full, p.house or p.title, by=" - "),
    "full - house - title": lambda p: _joined(p.full, p.house, p.title, by=" - "),
    "full -- house -- title": lambda p: _joined(p.full, p.house, p.title, by=" -- "),
    "full – title": lambda p: _joined(p.full, p.house or p.title, by=" – "),
    "full — house — title": lambda p: _joined(p.full, p.house, p.title, by=" — "),
    "full, house": lambda p: _joined(p.full, p.house or p.title, by=", "),
    "full, title, house": lambda p: _joined(p.full, p.title, p.house, by=", "),
    "full, house, title": lambda p: _joined(p.full, p.house, p.title, by=", "),
    "full | house": lambda p: _joined(p.full, p.house or p.title, by=" | "),
    "full / house": lambda p: _joined(p.full, p.house or p.title, by=" / "),
    "full (house)": lambda p: f"{p.full} ({p.house or p.title})" if p.title else p.full,
    "full [house]": lambda p: f"{p.full} [{p.house or p.title}]" if p.title else p.full,
    "title - full": lambda p: _joined(p.house or p.title, p.full, by=" - "),
    "house, full": lambda p: _joined(p.house or p.title, p.full, by=", "),
    "full <role>": lambda p: (
        f"{p.full} <{'Analyst' if p.house else 'Executive'}>" if p.title else p.full
    ),
    "upper": lambda p: p.full.upper(),
    "family": lambda p: p.family,
    "Mr.": lambda p: f"Mr. {p.family}" if p.title else p.full,
    "house only": lambda p: p.house or p.title or p.full,
    "generic": lambda p: (
        "Unidentified Analyst"
        if p.house
        else "Unidentified Company Representative"
        if p.title
        else p.full
    ),
    "generic 2": lambda p: (
        "Unidentified Participant" if p.house else "Company Representative" if p.title else p.full
    ),
    "generic 3": lambda p: "Analyst" if p.house else "Executive" if p.title else "Moderator",
}
SHAPES: dict[str, Callable[[str], str]] = {
    "colon": lambda label: f"{label}: ",
    "colon, next line": lambda label: f"{label}:\n",
    "alone": lambda label: f"{label}\n",
    "alone, blank": lambda label: f"{label}\n\n",
    "bold alone": lambda label: f"**{label}**\n",
    "bold colon": lambda label: f"**{label}:** ",
    "interpreted": lambda label: f"{label} [Interpreted]: ",
    "interpreted body": lambda label: f"{label}: [Interpreted] ",
    "interpreted alone": lambda label: f"{label} [Interpreted]\n",
    "foreign alone": lambda label: f"{label}\n[Foreign Language] ",
    "square": lambda label: f"[{label}] ",
    "heading": lambda label: f"### {label}\n",
    "time behind": lambda label: f"{label} (0:12:34)\n",
    "time before": lambda label: f"[0:12:34] {label}: ",
}


def named() -> Iterator[Rendering]:
    """Every turn has a name in every shape, with and without a roster before."""
    for (words, label), (sign, shape), roster in product(
        NAMES.items(), SHAPES.items(), (ROSTER, "")
    ):
        if ("[" in words and sign in ("square", "interpreted")) or ("generic" in words and roster):
            continue
        if ("(" in words and "time behind" in sign) or ("<" in words and "square" in sign):
            continue
        if not roster and words in ("family",):
            continue  # a family name alone on a line, without any list, is a heading as well
        body = "\n\n".join(shape(label(s.who)) + s.text for s in CALL)
        name = f"english/{words}/{sign}/{bool(roster)}"
        yield Rendering(
            name, f"Shirakaba Chemical FY2024 Earnings Call\n\n{roster}\n{body}\n", CALL
        )


def marked() -> Iterator[Rendering]:
    """``Q:`` and ``A:`` in their forms, with and without names."""
    marks: dict[str, tuple[str, str]] = {
        "Q:": ("Q: ", "A: "),
        "Q -": ("Q - ", "A - "),
        "Q.": ("Q. ", "A. "),
        "Q)": ("Q) ", "A) "),
        "[Q]": ("[Q] ", "[A] "),
        "bold Q.": ("**Q.** ", "**A.** "),
        "Question:": ("Question: ", "Answer: "),
        "Question N:": ("Question N: ", "Answer N: "),
        "QN:": ("QN: ", "AN: "),
        "QN.": ("QN. ", "AN. "),
        "QN alone": ("QN\n", "AN\n"),
        "Question alone": ("Question\n", "Answer\n"),
        "Q - name:": ("Q - NAME: ", "A - NAME: "),
        "Q - name": ("Q - NAME\n", "A - NAME\n"),
        "Q (name):": ("Q (NAME): ", "A (NAME): "),
        "name (Q):": ("NAME (Q): ", "NAME (A): "),
        "Q: (name)": ("Q: (NAME) ", "A: (NAME) "),
        "Questioner:": ("Questioner: ", "Company: "),
        "Analyst:": ("Analyst: ", "Management: "),
        "Participant:": ("Participant: ", "Speaker from the company: "),
        "Investor:": ("Investor: ", "CEO: "),
    }
    heads = ("Q&A", "Questions and Answers", "Question-and-Answer Session", "## Q&A", "Q&A Session")
    heads += ("QUESTIONS AND ANSWERS", "Q & A")
    digest = [s for s in CALL if s.role != "moderator" and "very clear" not in s.text]
    for (sign, (q, a)), head, who in product(marks.items(), heads, ("full", "house")):
        if "NAME" not in q and who == "house":
            continue
        parts = ["Shirakaba Chemical FY2024", "Presentation", digest[0].text, head]
        for said in digest[1:]:
            mark = q if said.role == "question" else a
            name = said.who.full if who == "full" else said.who.house or said.who.title
            number = {1: "1", 2: "2", 3: "3"}[said.chunk or 1]
            numbered = re.sub(r"(?<=[QA ])N(?![A-Z])", number, mark)
            parts.append(numbered.replace("NAME", name) + said.text)
        yield Rendering(f"english marks/{sign}/{head}/{who}", "\n\n".join(parts) + "\n", digest)
