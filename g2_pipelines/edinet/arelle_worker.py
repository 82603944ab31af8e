"""The process that lets Arelle load one filing: ``python -m … arelle_worker REQUEST.json``.

Here: limiting itself, no network, Arelle's session, its facts as plain JSON. Not here: any
judgement (``crosscheck``). Writes its reply file and nothing to stdout. Started by
``crosscheck`` only; Arelle is imported in this process alone.
"""

from __future__ import annotations

import json
import re
import socket
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from lxml import html as lxml_html

from g2_pipelines.pdf.contain import die_with_parent, limit_memory

_MISSING = re.compile(r"Could not load file .*?file: (\S+)")


def _no_network(*_: object, **__: object) -> NoReturn:
    raise OSError("Arelle runs without network here")


def words_digest(markup: str) -> str:
    """SHA-256 of a text block's characters without white space and markup."""
    if not markup.strip():
        return sha256(b"").hexdigest()
    parser = lxml_html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True)
    root = lxml_html.fragment_fromstring(markup, create_parent="div", parser=parser)
    for element in list(root.iter("script", "style")):
        element.drop_tree()
    return sha256("".join(root.text_content().split()).encode()).hexdigest()


def _fact(fact: Any) -> dict[str, Any]:
    numeric = bool(fact.isNumeric)
    return {
        "element": fact.qname.localName,
        "context": fact.contextID or "",
        "unit": fact.unitID or "" if numeric else None,
        "decimals": fact.decimals if numeric and not fact.isNil else None,
        "value": None if fact.isNil else (fact.value.strip() if numeric else ""),
        "words": words_digest(fact.value) if fact.qname.localName.endswith("TextBlock") else None,
    }


def load(request: dict[str, Any]) -> dict[str, Any]:
    """Arelle's facts of the entry points, and the files that it missed."""
    from arelle.api.Session import Session
    from arelle.RuntimeOptions import RuntimeOptions

    facts: list[dict[str, Any]] = []
    missing: dict[str, None] = {}
    for entry in request["entries"]:
        options = RuntimeOptions(
            entrypointFile=entry,
            internetConnectivity="offline",
            cacheDirectory=request["cache"],
            plugins="inlineXbrlDocumentSet" if "manifest" in Path(entry).name else None,
            disablePersistentConfig=True,
            keepOpen=True,
            logFile="logToBuffer",
            logLevel="ERROR",
        )
        with Session() as session:
            session.run(options)
            for model in session.get_models():
                facts.extend(_fact(fact) for fact in model.factsInInstance)
            missing |= dict.fromkeys(_MISSING.findall(session.get_logs("text")))
    return {"facts": facts, "missing": list(missing), "version": version("arelle-release")}


def main(argv: list[str]) -> None:
    """Read the request, write the reply."""
    die_with_parent()
    request = json.loads(Path(argv[1]).read_text(encoding="utf-8"))
    limit_memory(request["memory_mb"])
    socket.socket.connect = _no_network  # type: ignore[method-assign]
    reply = load(request)
    Path(request["reply"]).write_text(json.dumps(reply), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv)
