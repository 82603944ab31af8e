"""What stands at a turn's edges and is none of its words, and how words said to somebody end.

Here: the patterns that ``layout`` and ``speaker_runs`` share. Every pattern is anchored and bounded.
"""

from __future__ import annotations

import re

from g2_pipelines.transcripts.cues import (
    ARTEFACT_LINE,
    END_LINE,
    RULE_LINE,
    STAGE_LINE,
    TOPIC_HEADING,
)

POLITE = re.compile(r"(?:ます|ました|です|でした|ません|ください|でしょう)(?:。|か。|$)")
_TIME_ONLY = re.compile(r"[\s　]*[\[(（【]?[*＊ ]{0,6}\d{1,2}:\d{2}(?::\d{2})?[\])）】]?[\s　]*$")
#: Lines of their own at a turn's edges, and why they are dropped.
EDGES = (
    (STAGE_LINE, "stage_direction"),
    (TOPIC_HEADING, "heading"),
    (RULE_LINE, "rule"),
    (END_LINE, "end_mark"),
    (_TIME_ONLY, "timestamp"),
    (ARTEFACT_LINE, "artefact"),
)
