"""How fast filings are read, beside edinet-tools and Arelle, and a backfill's throughput.

``python -m benchmarks.edinet [--quick] [--json] [--data FOLDER] [--filings N]`` measures

- median_filing_s: processor seconds from one filing's zip to its sections, facts and segments,
  on one core (the median over the filings, each the best of its repetitions, import excluded);
- peak_mb: memory of a process that reads all of them one after the other;
- ratio_edinet_tools: its ``parse_xbrl`` on the same zip in the same process, in turns with
  ours: the median of the filings' ratios; its text (white space left out) is compared too;
- ratio_arelle: Arelle's load of the same filing's inline pages, offline, in turns with ours,
  in one process, import excluded: the smaller of the ratios of S100TBUZ and S100T45G. The
  ratio to its load of the ready-made instance of S100TBUZ, which we do not need, is a peer's;
- filings_per_minute: a backfill of 4,000 filings (the same ones under other codes; fewer with
  --quick) through the stages of the step ``sources`` in its processes, by the clock, event
  writing apart; the peers hold the processor seconds a filing and the memory of all its
  processes at 500 filings and at the end.

The filings are read in place from the folder beside the checkout and never kept. edinet-tools
and Arelle are measured where they are installed (the extra ``bench``), else null.
"""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import io
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar
from zipfile import ZIP_DEFLATED, ZipFile

from benchmarks.report import arguments, progress, report

DATA = Path(__file__).parents[2] / "shared" / "data" / "edinet"
WITH_TAXONOMY = ("S100TBUZ", "S100T45G")
TAXONOMY = "taxonomy-2022-11-01.zip"
#: The blocks that edinet-tools is compared by.
COMPARED = ("policy", "mdna")
BACKFILL, QUICK_BACKFILL, PROCESSES = 4_000, 48, 2
EARLY = 500
T = TypeVar("T")


def squeezed(text: str) -> str:
    return "".join(text.split())


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds: all three work on one core, and the machine may have other work.

    Nobody pays for another's garbage, nor for the modules that others loaded.
    """
    gc.collect()
    gc.freeze()
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


# -- one filing, beside edinet-tools


def beside_edinet_tools(paths: Sequence[Path], repeats: int) -> dict[str, object]:
    """Seconds by filing of ours and theirs in turns, and whether the text is equal."""
    from g2_pipelines.edinet.filing import read_filing
    from g2_pipelines.edinet.xml import local_name

    peer = None
    if importlib.util.find_spec("edinet_tools"):
        from edinet_tools.parsers import parse_xbrl as peer
    found: dict[str, object] = {}
    for path in paths[:1]:  # first use of both: what is loaded lazily is loaded
        read_filing(path)
        if peer is not None:
            peer(path.read_bytes(), "120")
    for path in paths:
        ours, theirs = [], []
        for _ in range(repeats):
            took, read = timed(partial(read_filing, path))
            ours.append(took)
            if peer is not None:
                took, result = timed(lambda p=path: peer(p.read_bytes(), "120"))
                theirs.append(took)
        equal = None
        if peer is not None:
            theirs_text = result.text_blocks
            ours_text = {
                local_name(s.element): squeezed(s.text)
                for s in read.sections
                if s.section in COMPARED and s.text
            }
            equal = all(
                squeezed(theirs_text.get(name.removesuffix("TextBlock"), "")) == text
                or squeezed(theirs_text.get(name, "")) == text
                for name, text in ours_text.items()
            )
        found[path.stem] = {
            "ours_s": min(ours),
            "edinet_tools_s": min(theirs) if theirs else None,
            "text_equal": equal,
        }
        progress(f"{path.stem}: {found[path.stem]}")
    return found


# -- Arelle, in a process of its own


def arelle_main(argv: Sequence[str]) -> None:
    """``--arelle TAXONOMY OUT REPEATS ZIP…``: seconds by filing, inline and instance."""
    taxonomy, out, repeats, *zips = argv
    from arelle.api.Session import Session
    from arelle.RuntimeOptions import RuntimeOptions

    from g2_pipelines.edinet.filing import read_filing

    def load(entry: Path) -> int:
        options = RuntimeOptions(
            entrypointFile=str(entry),
            internetConnectivity="offline",
            cacheDirectory=taxonomy,
            plugins="inlineXbrlDocumentSet" if "manifest" in entry.name else None,
            disablePersistentConfig=True,
            keepOpen=True,
            logFile="logToBuffer",
            logLevel="ERROR",
        )
        with Session() as session:
            session.run(options)
            return sum(len(model.factsInInstance) for model in session.get_models())

    found = {}
    for name in zips:
        path = Path(name)
        with tempfile.TemporaryDirectory() as folder, ZipFile(path) as archive:
            archive.extractall(folder)
            public = Path(folder) / "XBRL" / "PublicDoc"
            entries = {"inline_s": public / "manifest_PublicDoc.xml"}
            instance = next(iter(sorted(public.glob("jpcrp*.xbrl"))), None)
            if instance:
                entries["instance_s"] = instance
            read_filing(path)
            times: dict[str, list[float]] = {"ours_s": []}
            facts = 0
            for _ in range(int(repeats)):
                for key, entry in entries.items():
                    times["ours_s"].append(timed(partial(read_filing, path))[0])
                    took, facts = timed(partial(load, entry))
                    times.setdefault(key, []).append(took)
            found[path.stem] = {key: min(values) for key, values in times.items()}
            found[path.stem]["facts"] = facts
    Path(out).write_text(json.dumps(found), encoding="utf-8")


def beside_arelle(data: Path, repeats: int) -> dict[str, dict[str, float]]:
    """Arelle's and our seconds for the filings whose taxonomy is there; empty without Arelle."""
    zips = [data / "filings" / f"{name}.zip" for name in WITH_TAXONOMY]
    there = [str(path) for path in zips if path.is_file()]
    if not importlib.util.find_spec("arelle") or not (data / TAXONOMY).is_file() or not there:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        host = Path(folder) / "cache" / "http" / "disclosure.edinet-fsa.go.jp"
        host.mkdir(parents=True)
        with ZipFile(data / TAXONOMY) as archive:
            archive.extractall(host)
        out = Path(folder) / "out.json"
        command = [sys.executable, "-m", "benchmarks.edinet", "--arelle", str(host.parents[1])]
        subprocess.run(
            [*command, str(out), str(repeats), *there],
            check=True,
            env=os.environ | {"HOME": folder, "XDG_CONFIG_HOME": folder},
            stdout=subprocess.DEVNULL,
        )
        found: dict[str, dict[str, float]] = json.loads(out.read_text(encoding="utf-8"))
    progress(f"arelle: {found}")
    return found


# -- memory of one reading process


def memory_main(argv: Sequence[str]) -> None:
    """``--memory ZIP…``: peak of this process in megabytes, on stdout."""
    from g2_pipelines.edinet.filing import read_filing

    for name in argv:
        read_filing(Path(name))
    # Not ru_maxrss: a child's begins at what its parent held when it was forked.
    status = Path("/proc/self/status").read_text(encoding="ascii").split()
    print(int(status[status.index("VmHWM:") + 1]) / 1024)


def peak_mb(paths: Sequence[Path]) -> float:
    command = [sys.executable, "-m", "benchmarks.edinet", "--memory", *map(str, paths)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# -- backfill


def renamed(path: Path, old: str, new: str) -> bytes:
    """The filing under another EDINET code, of the same length."""
    out = io.BytesIO()
    with ZipFile(path) as given, ZipFile(out, "w", ZIP_DEFLATED, compresslevel=1) as made:
        for name in given.namelist():
            content = given.read(name).replace(old.encode(), new.encode())
            made.writestr(name.replace(old, new), content)
    return out.getvalue()


def prepared(home: str, number: int, path: str) -> str:
    """Register copy ``number`` of a filing; its new EDINET code."""
    from g2_pipelines.defs.manifest import ManifestRow
    from g2_pipelines.defs.register import register
    from g2_pipelines.defs.workspace import Workspace
    from g2_pipelines.edinet.filing import read_filing
    from g2_pipelines.settings import Settings

    code = f"E{number:05d}"
    old = read_filing(Path(path), with_facts=False).filing.edinet_code
    document_id = f"S9{number:06d}"
    row = ManifestRow(file=f"{document_id}.zip", type="filing", document_id=document_id)
    register(Workspace(Settings(home=home)), renamed(Path(path), old, code), row)
    return code


def memory_of(processes: Iterator[int] | Sequence[int]) -> float:
    """Resident megabytes of processes together."""
    pages = 0
    for process in processes:
        try:
            pages += int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
        except OSError:
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


def processor_s_of(process: int) -> float:
    """Processor seconds of a process so far."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def backfill(paths: Sequence[Path], count: int) -> dict[str, float | int | None]:
    """Filings a minute through the stages of ``sources`` in its processes, and memory."""
    from g2_pipelines.defs.assets import sources
    from g2_pipelines.defs.farm import Farm
    from g2_pipelines.defs.steps import StepRun
    from g2_pipelines.defs.workspace import Workspace
    from g2_pipelines.settings import Settings

    with tempfile.TemporaryDirectory() as home:
        given = [(home, n, str(paths[n % len(paths)])) for n in range(count)]
        if count <= EARLY:  # so few are registered before other processes have started
            codes = [prepared(*each) for each in given]
        else:
            context = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(PROCESSES, mp_context=context) as pool:
                codes = list(pool.map(prepared, *zip(*given, strict=True), chunksize=8))
        progress(f"backfill: {count} filings registered")
        ws = Workspace(Settings(home=home))
        factory = partial(sources._stages, ws.brief_config)  # noqa: SLF001 - the step's own stages
        keys = [stage.key for stage in factory(ws, StepRun())]
        return asyncio.run(_through(Farm(factory, ws, StepRun(), keys, PROCESSES), codes, keys))


async def _through(
    farm: object, codes: Sequence[str], keys: Sequence[object]
) -> dict[str, float | int | None]:
    """Time is taken once the processes have started and made one filing each."""
    gate = asyncio.Semaphore(2 * PROCESSES)
    done = stored = 0
    memory: dict[int, float] = {}

    async def one(code: str) -> None:
        nonlocal done, stored
        async with gate:
            farmed = await farm.work(code)
        if farmed.failed:
            raise RuntimeError(f"{code}: {farmed.failed[0].error}")
        done += 1
        stored += len(farmed.stored)
        if done in {EARLY, len(codes)}:
            children = [child.pid for child in multiprocessing.active_children()]
            memory[done] = memory_of([os.getpid(), *children])

    def processor_s() -> float:
        children = [child.pid for child in multiprocessing.active_children()]
        return sum(map(processor_s_of, [os.getpid(), *children]))

    with farm:
        first, rest = codes[: 2 * PROCESSES], codes[2 * PROCESSES :]
        await asyncio.gather(*(one(code) for code in first))
        began, used = time.perf_counter(), processor_s()
        await asyncio.gather(*(one(code) for code in rest))
        took, used = time.perf_counter() - began, processor_s() - used
    if stored != len(codes) * len(keys):
        raise RuntimeError(f"{stored} tables were stored, not {len(codes) * len(keys)}")
    end, early = memory[len(codes)], memory.get(EARLY)
    return {
        "filings": len(codes),
        "per_minute": len(rest) / took * 60,
        "processor_s_per_filing": used / len(rest),
        "memory_end_mb": end,
        "memory_500_mb": early if len(codes) > EARLY else None,
        "memory_growth": end / early if early and len(codes) > EARLY else None,
    }


def ratio(of: dict[str, float], key: str) -> float | None:
    return of[key] / of["ours_s"] if key in of else None


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with filings/*.zip")
    parser.add_argument("--filings", type=int, help=f"of the backfill, default {BACKFILL}")
    given = parser.parse_args()
    paths = sorted((given.data / "filings").glob("*.zip"))
    if not paths:
        parser.error(f"there are no filings in {given.data / 'filings'}")
    repeats = 2 if given.quick else 5
    filings = beside_edinet_tools(paths, repeats)
    arelle = beside_arelle(given.data, 1 if given.quick else 3)
    peak = peak_mb(paths)
    progress(f"peak: {peak:.0f} MB")
    annual = [p for p in paths if not p.stem.startswith("S021")]  # a correction has no year alone
    count = given.filings or (QUICK_BACKFILL if given.quick else BACKFILL)
    filled = backfill(annual, count)
    progress(f"backfill: {filled}")
    against = [
        each["edinet_tools_s"] / each["ours_s"]
        for each in filings.values()
        if each["edinet_tools_s"] is not None
    ]
    inline = [r for each in arelle.values() if (r := ratio(each, "inline_s")) is not None]
    instance = [r for each in arelle.values() if (r := ratio(each, "instance_s")) is not None]
    report(
        {
            "median_filing_s": statistics.median(each["ours_s"] for each in filings.values()),
            "peak_mb": peak,
            "ratio_edinet_tools": statistics.median(against) if against else None,
            "ratio_arelle": min(inline) if inline else None,
            "filings_per_minute": filled["per_minute"],
        },
        {
            "edinet_tools": {
                "smallest_ratio": min(against) if against else None,
                "text_equal": sum(bool(each["text_equal"]) for each in filings.values()),
                "filings": filings,
            },
            "arelle": {
                "ratio_to_instance": min(instance) if instance else None,
                "filings": arelle,
            },
            "backfill": filled,
        },
        as_json=given.json,
        packages=("lxml", "edinet-tools", "arelle-release"),
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--arelle"]:
        arelle_main(sys.argv[2:])
    elif sys.argv[1:2] == ["--memory"]:
        memory_main(sys.argv[2:])
    else:
        main()
