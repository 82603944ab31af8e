"""Typesets the two sample PDFs of the corpus; run as ``python -m g2_pipelines.corpus.makers.pdfs``.

Here: the pictures and the typesetting; the texts stand in the two ``.typ`` files beside this
one. Needs the ``typst`` package (extra ``dev``); nothing imports this module but its test.
Everything in the documents is invented. Output is byte-identical from run to run: dates are
fixed, fonts come from packages (Libertinus Serif inside typst, Droid Sans Fallback,
Apache-2.0, inside docvortex), system fonts are off.

What the documents say, for those who write questions about them:

``aomine_spindle_report_ja.pdf`` (company E99001, 青嶺精機技報 第18号, 2025-02-14): a thermal
displacement compensation TC-5 for the spindle of machining centre AV-650.

* 表1 (rotation; temperature rise K; displacement without / old / TC-5 in μm): 3,000: 4.1, 11.8,
  4.6, 1.2; 6,000: 7.9, 23.5, 8.3, 1.9; 9,000: 12.6, 37.2, 12.9, 2.6; 12,000: 18.4, 52.7, 19.4,
  3.4; 15,000: 25.3, 71.6, 28.8, 5.1.
* 表2 (site, part, machines, 6σ before/after μm, warm-up before/after min): 諏訪A工場 真空チャンバ部品
  12, 18.2, 7.4, 45, 12; 浜松B工場 樹脂成形金型 8, 22.9, 9.8, 60, 15; 熊谷C工場 航空機継手 5, 15.6, 6.9,
  50, 10.
* 図1 (vector chart): displacement over 120 minutes at 12,000 rpm. 図2 (raster): temperature of the
  spindle head after 60 min at 12,000 rpm, hottest place the front bearing 41.8℃, room 22.0℃.
* Sensors: T1 motor, T2 rear bearing, T3 outer ring of the front bearing, T4 front of the head,
  T5/T6 column, T7 oil return, T8 room. (Two hops: hottest place of 図2 → its sensor T3; if T3
  fails the error triples and the old compensation takes over, section 3.2.)
* Uncertainty 0.3μm; AoLink about 6,200 machines, 410 used; update every 10 ms, steps 0.1μm, at most
  0.5μm/s, alarm past 8μm; defects at 諏訪 1.8％ → 0.4％; power 1,840kWh a machine and year, 25
  machines 46,000kWh; cost 14万円 a machine, pays back in 14 months; standard on AV-650 and AV-850
  from October 2025. Room temperature 1.3μm/℃, five hours late; 1,640 updates tried in 2024, 118
  thrown away; grooves differ by 48.3 / 17.0 / 4.4μm; 33 of 41 workers content. 表3 is the
  specification (BT40, 22kW, 5,900kg, response 1.8秒). Not in it: the price of TC-5, sales figures, accuracy of the X axis.

``minato_cold_chain_en.pdf`` (company E99002, 2019-02-20): temperature excursions on 64 trucks and
12 cold stores, June 2017 to May 2018, 18,240 trips recorded, 412 left out.

* Table 1 (class; trips; km; openings; excursion rate %): Trunk 4,106, 287, 2.1, 1.4; Market 5,380,
  96, 4.8, 6.3; Retail centre 5,922, 118, 5.6, 9.7; Mixed round 2,420, 41, 14.3, 32.1; All 17,828,
  140, 5.7, 9.8.
* Table 2 (measure; trucks; rate %; thousand yen): None 20, 32.1, 0; Curtain 20, 12.4, 1,300;
  Sealed dock 6, 17.5, 8,900; Both 6, 2.1, 9,290.
* Figure 1 (vector bars, % of trips by openings 0-2, 3-4, 5-8, 9+): June to September 2, 8, 21, 46;
  October to May 1, 3, 7, 18. Figure 2 (raster): warmest point −6.5 °C at the ceiling by the rear
  door after the sixth opening.
* Each further opening multiplies the odds by 1.31; 38 % of excursions begin within half an hour of
  departure; Yaizu 1, Kakegawa and Toyohashi have open docks; investment 21.5 million yen, 17
  months; Komaki opens April 2020, 21,000 tonnes, 24 sealed doors, +5 °C, six minutes. Trips that
  start from four to six: 4.4 %, eleven to one: 15.2 %, week before New Year 22.6 %; openings 3.9 →
  2.7 → 3.4 minutes after training. Table 3 is the equipment (battery 14 months). Not in it:
  sea or air transport, sensor price, results after May 2018.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

Field = Callable[[np.ndarray, np.ndarray], np.ndarray]
NAMES = ("aomine_spindle_report_ja", "minato_cold_chain_en")
WIDTH_PX, HEIGHT_PX = 560, 340
#: Dark blue, violet, red, orange, light yellow: cold to hot, as infrared cameras paint.
PALETTE = np.array(
    [(12, 12, 70), (92, 20, 130), (200, 50, 70), (245, 150, 40), (255, 250, 190)], dtype=float
)


def _spindle_head(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Warmth 0…1 of a spindle head: hot front bearing below, warm motor above, cool column."""
    bearing = np.exp(-(((x - 0.55) / 0.13) ** 2 + ((y - 0.72) / 0.10) ** 2))
    motor = 0.55 * np.exp(-(((x - 0.55) / 0.17) ** 2 + ((y - 0.22) / 0.16) ** 2))
    column = 0.22 * np.exp(-(((x - 0.16) / 0.10) ** 2))
    shaft = 0.45 * np.exp(-(((x - 0.55) / 0.05) ** 2)) * (y > 0.15) * (y < 0.95)
    warmest: np.ndarray = np.maximum.reduce([bearing, motor, column, shaft])
    return warmest


def _loading_space(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Warmth 0…1 along a truck: a warm wedge under the ceiling that comes from the rear door."""
    wedge = np.clip(1.15 * x - 1.25 * y, 0, 1)
    boxes = 0.12 * ((x * 8) % 1 > 0.08) * (y > 0.45)
    return np.clip(wedge**1.3 + boxes * (1 - wedge) + 0.05, 0, 1)


def thermal_picture(field: Field) -> bytes:
    """A false-colour PNG of ``field`` over the unit square, in 32 steps with a scale at the right."""
    across, down = np.meshgrid(np.linspace(0, 1, WIDTH_PX), np.linspace(0, 1, HEIGHT_PX))
    warmth = np.clip(field(across, down), 0, 1)
    warmth[:, -24:] = np.linspace(1, 0, HEIGHT_PX)[:, None]
    warmth[:, -30:-24] = 0
    steps = np.round(warmth * 31).astype(np.uint8)
    places = np.linspace(0, len(PALETTE) - 1, 32)
    colours = np.stack(
        [np.interp(places, np.arange(len(PALETTE)), PALETTE[:, i]) for i in range(3)], axis=1
    )
    picture = Image.fromarray(steps, mode="P")
    picture.putpalette(colours.round().astype(np.uint8).tobytes())
    target = BytesIO()
    picture.save(target, "PNG", optimize=True)
    return target.getvalue()


def _named_font(folder: Path) -> None:
    """Droid Sans Fallback with a PostScript name: typst passes over fonts that have none."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with as_file(files("docvortex") / "resources" / "fonts" / "DroidSansFallbackFull.ttf") as path:
        font = TTFont(path, recalcTimestamp=False)
        font["name"].setName("DroidSansFallbackFull", 6, 3, 1, 0x409)
        font.save(folder / "droid.ttf")


def make_pdf(name: str) -> bytes:
    """The PDF ``name`` (one of NAMES), typeset now; the same bytes every time."""
    import typst

    here = files("g2_pipelines.corpus.makers")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _named_font(work)
        source = work / f"{name}.typ"
        source.write_bytes((here / f"{name}.typ").read_bytes())
        (work / "aomine_thermal.png").write_bytes(thermal_picture(_spindle_head))
        (work / "minato_thermal.png").write_bytes(thermal_picture(_loading_space))
        return bytes(
            typst.compile(
                str(source),
                root=str(work),
                font_paths=[str(work)],
                ignore_system_fonts=True,
                timestamp=1_750_000_000,
                pdf_tags=False,
            )
        )


def main() -> None:
    """Writes both PDFs into the corpus folder."""
    folder = Path(__file__).parents[1] / "pdfs"
    folder.mkdir(exist_ok=True)
    for name in NAMES:
        (folder / f"{name}.pdf").write_bytes(make_pdf(name))


if __name__ == "__main__":
    main()
