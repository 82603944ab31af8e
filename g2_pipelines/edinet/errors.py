"""The named failures of this package, derived from the project's five kinds.

Here: what can go wrong with a filing's archive and with EDINET's API. Not here: messages
and remedies, which are given where the failure arises. Everyone may import this module.
"""

from __future__ import annotations

from typing import ClassVar

from g2_pipelines.errors import G2Error, InputError, LimitError, ModelError, NotYetError


class CorruptArchiveError(InputError):
    """The file is no readable zip: damaged, cut short, encrypted or of another format."""

    code: ClassVar[str] = "corrupt_archive"


class UnsafeArchiveError(InputError):
    """The archive or a page in it would harm its reader (zip slip, bomb, links, entities)."""

    code: ClassVar[str] = "unsafe_archive"


class NotAFilingError(InputError):
    """A readable archive, but not one filing in EDINET's form."""

    code: ClassVar[str] = "not_a_filing"


class NotAnAnnualReportError(InputError):
    """A filing of EDINET's, but no 有価証券報告書 and no correction of one."""

    code: ClassVar[str] = "not_an_annual_report"


class CodeListError(InputError):
    """The file is not EDINET's code list."""

    code: ClassVar[str] = "bad_code_list"


class CorrectionMismatchError(InputError):
    """A correction was applied to sections of another company or fiscal year."""

    code: ClassVar[str] = "correction_mismatch"


class BadRequestError(InputError):
    """EDINET answered 400: a parameter is wrong."""

    code: ClassVar[str] = "edinet_bad_request"


class RejectedKeyError(InputError):
    """EDINET refused the subscription key. Asking again with the same key is useless."""

    code: ClassVar[str] = "edinet_rejected_key"


class NotFoundError(NotYetError):
    """EDINET has no such document (yet): a listed one may appear some minutes later."""

    code: ClassVar[str] = "edinet_not_found"


class MaintenanceError(ModelError):
    """EDINET answered with a web page or nothing, as it does during maintenance."""

    code: ClassVar[str] = "edinet_maintenance"


class ServiceError(ModelError):
    """EDINET answered with a server error, also after the retries."""

    code: ClassVar[str] = "edinet_service"


class UnreachableError(ModelError):
    """EDINET could not be reached, also after the retries."""

    code: ClassVar[str] = "edinet_unreachable"


class UnexpectedAnswerError(ModelError):
    """EDINET answered with something that its specification does not name."""

    code: ClassVar[str] = "edinet_unexpected_answer"


class TruncatedAnswerError(ModelError):
    """EDINET's answer ended before its end, also after the retries."""

    code: ClassVar[str] = "edinet_truncated"


class RateLimitedError(LimitError):
    """EDINET answered 429, or an answer was larger than the limit."""

    code: ClassVar[str] = "edinet_limit"


class ArelleMissingError(InputError):
    """The cross-check is asked for, but the extra ``arelle`` is not installed."""

    code: ClassVar[str] = "arelle_missing"


class TaxonomyFolderError(InputError):
    """The configured folder holds no EDINET taxonomy."""

    code: ClassVar[str] = "bad_taxonomy_folder"


class ArelleLimitError(LimitError):
    """Arelle took more time or memory than it may."""

    code: ClassVar[str] = "arelle_limit"


class ArelleFailedError(G2Error):
    """Arelle ended without an answer."""

    code: ClassVar[str] = "arelle_failed"
