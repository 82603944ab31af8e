"""The end of a question: the reasoner's answer with proven citations, or the refusal.

Here: ``conclude``, which makes the ``Answer`` row. Every claim's quote must stand in the node
it names and every number of the answer in what is cited or calculated from it; else the
reasoner is asked once more, and then the answer is refused. Imported by ``answer``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from g2_pipelines.qa.answer_form import form_faults, in_form, items_of
from g2_pipelines.qa.checks import faults_of
from g2_pipelines.qa.grounding import (
    find_quote,
    quotes_of,
    tells,
    unquoted,
    unsupported_numbers,
)
from g2_pipelines.qa.ports import Inquiry, Reasoned, Reasoner
from g2_pipelines.qa.strangers import Known, strangers, uncited
from g2_pipelines.qa.typed import values_of
from g2_pipelines.qa.wording import (
    is_unverified,
    left_out,
    nothing_found,
    open_part,
    refusal,
    unverified,
)
from g2_pipelines.tables.line2 import (
    Answer,
    AnswerValue,
    Citation,
    DocumentNode,
    Gap,
    PlanVersion,
    Question,
)
from g2_pipelines.text.language import language
from g2_pipelines.text.shown import neutral


@dataclass(frozen=True)
class _Concluded:
    answer: str
    citations: list[Citation]
    why: str
    values: tuple[AnswerValue, ...] = ()
    items: tuple[str, ...] = ()


async def conclude(
    inquiry: Inquiry,
    reasoner: Reasoner,
    *,
    versions: Sequence[PlanVersion],
    all_gaps: Sequence[Gap],
    call_keys: Sequence[str],
    index_digest: str,
) -> Answer:
    """The answer row of ``inquiry``; refuses where the verdict is insufficient.

    Args:
        inquiry: What is known, with the last verdict and its gaps.
        reasoner: Who composes the answer.
        versions: All versions of the plan.
        all_gaps: The gaps of every check, for the record.
        call_keys: Keys of the calls made so far; the reasoner's are added.
        index_digest: Digest of the index states used.
    """
    keys = list(call_keys)
    spoken = language(inquiry.question.question)
    if inquiry.verdict == "insufficient":
        done = _Concluded("", _sides(inquiry), _why(inquiry))
    else:
        done = await _reasoned(inquiry, reasoner, keys)
        if done.answer and inquiry.verdict == "partial":
            done = _with_open_parts(done, inquiry)
    refused = not done.answer and inquiry.verdict in ("sufficient", "partial")
    if refused and (faults := _refused(inquiry)):
        done = replace(done, why=faults)
    return Answer(
        engine=reasoner.engine,
        model=reasoner.model,
        prompt_version=reasoner.prompt_version,
        call_keys=keys,
        question_id=inquiry.question.question_id,
        question=inquiry.question.question,
        documents=inquiry.question.documents,
        plan_versions=list(versions),
        sub_answers=[finding.row for finding in inquiry.findings],
        gaps=list(all_gaps),
        verdict="insufficient" if refused else inquiry.verdict,
        answer=neutral(done.answer) or refusal(spoken),
        citations=done.citations,
        unanswerable=not done.answer,
        why=neutral(done.why),
        index_digest=index_digest,
        format=inquiry.question.format,
        items=[neutral(item) for item in done.items],
        values=list(done.values),
    )


def _sides(inquiry: Inquiry) -> list[Citation]:
    """The places that contradict each other, of the steps that could not be answered for it."""
    findings = [f for f in inquiry.current.values() if f.lack == "conflicting" and not f.row.found]
    nodes = {item.node.node_id: item.node for item in inquiry.evidence}
    return [
        _citation(nodes[quote.node_id], quote.text, finding.row.answer)
        for finding in findings
        for quote in finding.quotes
        if quote.node_id in nodes
    ]


def _with_open_parts(done: _Concluded, inquiry: Inquiry) -> _Concluded:
    """The answer to a part, saying what is not answered: in a sentence, else as the reason."""
    spoken = language(inquiry.question.question)
    sides = _sides(inquiry)
    beside = {side.node_id for side in sides}
    nodes = [item.node for item in inquiry.evidence if item.node.node_id in beside]
    known = [inquiry.question.question, *quotes_of(nodes)]
    told = [
        open_part(
            spoken,
            gap.kind,
            "" if unsupported_numbers(gap.text, known) else gap.text,
        )
        for gap in inquiry.gaps
    ]
    told = list(dict.fromkeys(told))
    citations = [*done.citations, *(side for side in sides if side not in done.citations)]
    if inquiry.question.format != "sentence":
        why = " ".join(filter(None, [done.why, *told]))
        return replace(done, citations=citations, why=why)
    joined = ("" if spoken == "ja" else " ").join([done.answer, *told])
    return replace(done, answer=joined, citations=citations)


def _citation(node: DocumentNode, quote: str, claim: str) -> Citation:
    return Citation(
        document_id=node.document_id,
        node_id=node.node_id,
        page=node.page,
        bbox=node.bbox,
        quote=quote,
        claim=neutral(claim),
        image=node.image,
    )


def _refused(inquiry: Inquiry) -> str:
    """Why the steps' replies were not kept, "" where none was refused."""
    rows = [finding.row for finding in inquiry.current.values()]
    if any(row.found for row in rows):
        return ""
    return "; ".join(dict.fromkeys(row.answer for row in rows if is_unverified(row.answer)))


def _why(inquiry: Inquiry) -> str:
    texts = list(dict.fromkeys(gap.text for gap in inquiry.gaps))
    return "; ".join(texts) or nothing_found(language(inquiry.question.question))


@dataclass(frozen=True)
class _Proof:
    """A reply's citations, what of it could not be verified, and its numbers, typed."""

    citations: list[Citation]
    faults: list[str]
    values: list[AnswerValue]
    uncited: list[str]


async def _reasoned(inquiry: Inquiry, reasoner: Reasoner, keys: list[str]) -> _Concluded:
    """The reasoner's answer if it stands, after at most one retry that names the faults.

    A wrong form or language is worth a retry too, but no refusal.
    """
    question = inquiry.question
    kept: _Concluded | None = None
    faults: list[str] = []
    for _ in range(2):
        reasoned = await reasoner.reason(inquiry, fault="; ".join(faults))
        keys += reasoned.call_keys
        if reasoned.unanswerable or not reasoned.answer.strip():
            return kept or _Concluded("", [], reasoned.why or _why(inquiry))
        proof = _proven(reasoned, inquiry)
        faults = proof.faults
        if not faults:
            answer, why = _without(reasoned.answer, proof.uncited, reasoned.why, question)
            answer = in_form(answer, question.format, proof.values)
            items = tuple(items_of(answer, question.format))
            faults = form_faults(reasoned.answer, question.format, question.question)
            faults += [f"no claim carries {one[:60]!r}" for one in proof.uncited]
            if answer or kept is None:
                kept = _Concluded(answer, proof.citations, why, tuple(proof.values), items)
            if not faults and kept:
                return kept
    return kept or _Concluded("", [], unverified(language(question.question), faults))


def _without(answer: str, left: Sequence[str], why: str, question: Question) -> tuple[str, str]:
    """The answer without its sentences that no claim carries, and the reason told."""
    for sentence in left:
        answer = answer.replace(sentence, "", 1)
    told = [why, *(left_out(language(question.question)) for _ in left[:1])]
    return answer.strip(), " ".join(filter(None, told))


def _proven(reasoned: Reasoned, inquiry: Inquiry) -> _Proof:
    """The claims as citations, and what of the answer could not be verified."""
    nodes = {item.node.node_id: item.node for item in inquiry.evidence}
    faults: list[str] = []
    citations: list[Citation] = []
    for claim in reasoned.claims:
        node = nodes.get(claim.node_id)
        quote = find_quote(claim.quote, node) if node else None
        if node is None or quote is None:
            faults.append(f"the quote {claim.quote[:60]!r} does not stand in {claim.node_id[:40]}")
            continue
        if not tells(quote, node):
            faults.append(f"the quote {quote[:60]!r} is too short to point at a place")
            continue
        citation = _citation(node, quote, claim.text)
        if citation not in citations:
            citations.append(citation)
    if not reasoned.claims:
        faults.append("the answer cites nothing")
    cited = [nodes[citation.node_id] for citation in citations]
    found = [finding.row for finding in inquiry.findings if finding.row.found]
    results = [row.result for row in found if row.operation != "rank"]
    ranks = [row.result for row in found if row.operation == "rank"]  # values put in order
    asked = inquiry.question.question
    checked = faults_of(reasoned.answer, cited, results=results, texts=[asked, *ranks], asked=asked)
    faults += checked.faults
    quoted = [citation.quote for citation in citations] + [asked, *results, *ranks]
    for finding in inquiry.findings:
        if finding.row.found:
            quoted += [quote.text for quote in finding.quotes]
            quoted += [value.text for value in finding.row.values]
            quoted.append(finding.row.answer)
    answers = [row.answer for row in found]
    known = Known([asked, *answers, *results, *ranks], cited)
    faults += [
        f"the name {name[:40]!r} is not in what is cited"
        for name in strangers(reasoned.answer, known)
    ]
    loose = unquoted(checked.plain, checked.known, quoted)
    faults += [f"the number {number} stands in no quote" for number in loose]
    distinct = list({node.node_id: node for node in cited}.values())
    values = [] if faults else values_of(checked.figures, distinct, found)
    carried = [text for one in reasoned.claims for text in (one.text, one.quote)]
    return _Proof(citations, faults, values, uncited(reasoned.answer, [*carried, *results]))
