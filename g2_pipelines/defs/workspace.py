"""The one resource: settings and what is built from them, made when first used.

Here: the adapter between settings and the plain objects of the domain packages. Loading
the definitions makes it but touches no environment variable, file, network or heavy
library; tests hand in their own settings.

https://docs.dagster.io/guides/build/external-resources
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from upath import UPath

from g2_pipelines.defs import model_settings
from g2_pipelines.defs.reading import FilingReader
from g2_pipelines.defs.registry import PdfEntry, Registry
from g2_pipelines.errors import InputError
from g2_pipelines.settings import Settings
from g2_pipelines.tables.paths import Home

if TYPE_CHECKING:
    from pydantic import BaseModel

    from g2_pipelines.briefs.config import BriefConfig
    from g2_pipelines.edinet.client import EdinetClient
    from g2_pipelines.evaluation.brief import Thresholds
    from g2_pipelines.graph.config import EvolutionConfig
    from g2_pipelines.index.lance import NodeIndex
    from g2_pipelines.models.config import ModelConfig, VllmConfig
    from g2_pipelines.models.ports import CompletionPort, EmbeddingPort
    from g2_pipelines.models.prices import PriceTable
    from g2_pipelines.pdf.parse import PdfLimits
    from g2_pipelines.text.tokens import Tokenizer


class UnknownDocumentError(InputError):
    """A question names a document that is not registered."""

    code = "unknown_document"


def resolve(
    names: Sequence[str],
    entries: Sequence[PdfEntry],
    *,
    beside: Callable[[str], Collection[str]] | None = None,
) -> list[str]:
    """Ids of the documents among ``entries`` that are named by id, file name or stem, sorted.

    Names in composed and decomposed letters (é as one character or two) are one name: files that
    a Mac packed have the second. ``beside`` gives the SHA-256 of the files of a name that lie
    where it was written; it is asked where a name fits several documents.

    Raises:
        UnknownDocumentError: one is not registered, or a name fits several.
    """
    found: set[str] = set()
    known = [(e.document_id, unicodedata.normalize("NFC", e.name), e.digest) for e in entries]
    for name in names:
        asked = unicodedata.normalize("NFC", name)
        found_here = {
            document: digest
            for document, own, digest in known
            if name == document or asked in (own, own.rsplit(".", 1)[0])
        }
        fits = list(found_here)
        if len(fits) > 1 and name not in fits and beside is not None:
            near = beside(name)
            fits = [document for document in fits if found_here[document] in near] or fits
        if name in fits:
            fits = [name]
        if len(fits) != 1:
            raise UnknownDocumentError(
                f"Document {name[:120]!r} is not registered"
                if not fits
                else f"The name {name[:120]!r} fits {', '.join(fits)}",
                file=name[:120],
                remedy="Add its PDF with `g2 add`" if not fits else "Use the document id",
            )
        found.update(fits)
    return sorted(found)


_Model = TypeVar("_Model", bound="BaseModel")


def _validated(kind: type[_Model], value: Mapping[str, object], what: str, setting: str) -> _Model:
    """``value`` as ``kind``; an InputError names the setting's part and what there is."""
    from pydantic import ValidationError

    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{what} is wrong: {first['msg']}",
            place=f"{setting}: {name}",
            remedy="There are " + ", ".join(kind.model_fields),
        ) from error


class Workspace:
    """Settings, paths, registry and models of one G2_HOME."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._given = settings

    @cached_property
    def settings(self) -> Settings:
        """Settings in force; read from the environment on first use."""
        return self._given if self._given is not None else Settings()

    @cached_property
    def home(self) -> Home:
        """Paths below G2_HOME; a local one is made absolute."""
        root = UPath(self.settings.home)
        return Home(root.absolute() if root.protocol in ("", "file") else root)

    @cached_property
    def registry(self) -> Registry:
        """Originals that were taken in."""
        return Registry(self.home)

    @cached_property
    def filings(self) -> FilingReader:
        """Reads registered filings, each once for the stages that need it."""
        return FilingReader(self.registry)

    @cached_property
    def brief_config(self) -> BriefConfig:
        """Aspects, source types and budgets."""
        from g2_pipelines.briefs.config import load_config, load_layers, shipped

        files = [file.strip() for file in self.settings.aspects_file.split(",") if file.strip()]
        if not files:
            return load_config(None)
        texts: list[tuple[str, str]] = []
        for file in files:
            if file in shipped():
                texts.append((file, shipped()[file]))
                continue
            try:
                texts.append((file, UPath(file).read_text(encoding="utf-8")))
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(
                    f"The aspects' file cannot be read: {error}",
                    file=file,
                    place="G2_ASPECTS_FILE",
                    remedy="Give files or some of "
                    + ", ".join(shipped())
                    + ", or unset it for the built-in aspects",
                ) from error
        return load_layers(texts)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The target model's tokenizer."""
        from g2_pipelines.text.tokens import tokenizer

        return tokenizer(self.settings.tokenizer)

    @property
    def waits_for_a_person(self) -> bool:
        """Whether sensors must not start runs of the configured engine, which may cost money."""
        return self.settings.engine != "extractive" and not self.settings.chain_paid

    def resolve_documents(
        self, names: Sequence[str], *, beside: Callable[[str], Collection[str]] | None = None
    ) -> list[str]:
        """Document ids of documents named by id, file name or its stem, sorted (see ``resolve``).

        Raises:
            UnknownDocumentError: one is not registered, or a name fits several.
        """
        return resolve(names, self.registry.pdfs() if names else [], beside=beside)

    @property
    def pdf_limits(self) -> PdfLimits:
        """What one PDF may take."""
        from g2_pipelines.pdf.parse import PdfLimits

        given = self.settings
        return PdfLimits(
            timeout_s=given.pdf_timeout_s,
            memory_mb=given.pdf_memory_mb,
            max_pages=given.pdf_max_pages,
            ocr_pages=given.pdf_ocr_pages,
            ocr_pictures=given.pdf_ocr_pictures,
            paragraph_tokens=given.pdf_paragraph_tokens,
            join_tokens=given.pdf_join_tokens,
            tokenizer=given.tokenizer,
        )

    def edinet(self) -> EdinetClient:
        """A new EDINET client; to be closed (a context manager).

        All of a home's clients keep one pace, also those of other processes.
        """
        from g2_pipelines.edinet.client import EdinetClient
        from g2_pipelines.edinet.pace import Pace

        given = self.settings
        root = self.home.root
        file = root / "registry" / "edinet.pace" if isinstance(root, Path) else None
        return EdinetClient(
            given.edinet_base_url,
            given.edinet_api_key,
            timeout_s=given.timeout_s,
            backoff_s=min(2.0, 2 * given.edinet_interval_s),
            pace=Pace(given.edinet_interval_s, file),
        )

    @property
    def call_cache_url(self) -> str:
        """SQLAlchemy URL of the call cache and ledger."""
        return self.settings.call_cache_url or f"sqlite:///{self.home.root / 'calls.sqlite'}"

    @cached_property
    def prices(self) -> PriceTable | None:
        """The user's prices, None where no file is set.

        Raises:
            InputError: the file cannot be read, or is no price table.
        """
        from g2_pipelines.models.prices import read_prices

        file = self.settings.prices_file
        if not file:
            return None
        try:
            text = UPath(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"The price table cannot be read: {error}",
                file=file,
                place="G2_PRICES_FILE",
                remedy="Correct the setting, or unset it to see tokens without money",
            ) from error
        return read_prices(text, file=file)

    def completion(
        self, *, refresh: bool = False, budget_tokens: int = 0, budget_money: float = 0.0
    ) -> CompletionPort | None:
        """A new completion port for one run, or None for the extractive engine.

        The budgets are this run's; 0 leaves them to the settings.
        """
        if self.settings.engine == "extractive":
            return None
        from g2_pipelines.models.build import build_completion
        from g2_pipelines.models.config import CacheConfig

        return build_completion(
            self.model_config(),
            CacheConfig(url=self.call_cache_url, refresh=refresh),
            model_settings.budget(
                self.settings, self.prices, tokens=budget_tokens, money=budget_money
            ),
        )

    def judge(self) -> CompletionPort:
        """A new completion port of the judge, for one report.

        Raises:
            InputError: no judge is configured.
        """
        from g2_pipelines.models.build import build_completion
        from g2_pipelines.models.config import CacheConfig

        return build_completion(
            model_settings.judge(self.settings),
            CacheConfig(url=self.call_cache_url),
            model_settings.budget(self.settings, self.prices),
        )

    @cached_property
    def thresholds(self) -> Thresholds:
        """Thresholds of a brief's checks and gates.

        Raises:
            InputError: there is no such check, or the value is out of its range.
        """
        from g2_pipelines.evaluation.brief import Thresholds

        return _validated(Thresholds, self.settings.thresholds, "A threshold", "G2_THRESHOLDS")

    @cached_property
    def evolution(self) -> EvolutionConfig:
        """Bounds of the content graph's rounds.

        Raises:
            InputError: there is no such setting, or the value is out of its range.
        """
        from g2_pipelines.graph.config import EvolutionConfig

        what = "A setting of the content graph"
        return _validated(EvolutionConfig, self.settings.evolution, what, "G2_EVOLUTION")

    @property
    def index_round(self) -> int:
        """The round of the content graph that is indexed and read out.

        Raises:
            InputError: a round is set that is not made.
        """
        chosen, last = self.settings.index_round, self.settings.rounds
        if chosen > last:
            raise InputError(
                f"Round {chosen} is not made: the last is {last}",
                place="G2_INDEX_ROUND",
                remedy="Set a round of 0 to G2_ROUNDS, or -1 for the last",
            )
        return last if chosen < 0 else chosen

    def model_config(self) -> ModelConfig | VllmConfig:
        """The configured model, for engines and estimates."""
        return model_settings.writer(self.settings)

    def embedding(self) -> EmbeddingPort:
        """A new embedding port for one run."""
        from g2_pipelines.models.build import build_embedding
        from g2_pipelines.models.config import CacheConfig

        return build_embedding(
            model_settings.embedding(self.settings), CacheConfig(url=self.call_cache_url)
        )

    def index(self, embedding: EmbeddingPort) -> NodeIndex:
        """The node index, opened for the embedding in force."""
        from g2_pipelines.index.lance import NodeIndex

        return NodeIndex.open(
            str(self.home.lance),
            embedding.model,
            embedding.dimension,
            vector_index_rows=self.settings.vector_index_rows,
        )
