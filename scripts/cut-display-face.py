"""Cuts the display face: python3 scripts/cut-display-face.py BarlowSemiCondensed_600SemiBold.ttf

Needs fonttools and brotli, and the whole face from the npm package @expo-google-fonts/barlow-semi-condensed (0.4.1),
which is under the SIL Open Font License. Keeps Latin-1, the Maori macrons and our punctuation, without ligatures.
"""

import os
import sys
import tempfile

from fontTools.subset import main as subset
from fontTools.ttLib import TTFont

KEPT = (
    "U+0020-007E,U+00A0-00FF,U+0100-0101,U+0112-0113,U+012A-012B,U+014C-014D,U+016A-016B,"
    "U+2010,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2032-2033,U+20AC,U+2122,U+2212"
)
OUT = os.path.join(os.path.dirname(__file__), "../public/assets/barlow-semi-condensed-600.woff2")
# Of the em, at each side of a macron over an i: the bar of a t before it ends there.
ROOM = 20
NARROWER = 0.8

with tempfile.TemporaryDirectory() as folder:
    cut = os.path.join(folder, "cut.ttf")
    subset(
        [
            sys.argv[1],
            f"--unicodes={KEPT}",
            "--layout-features=kern,tnum",
            "--no-hinting",
            "--name-IDs=0,1,2,13,14",
            f"--output-file={cut}",
        ]
    )
    face = TTFont(cut)

glyphs, widths = face["glyf"], face["hmtx"]
for name in ("imacron", "Imacron"):
    glyph = glyphs[name]
    stem, macron = sorted(glyph.components, key=lambda part: part.glyphName == "macron")
    bar, post = glyphs[macron.glyphName], glyphs[stem.glyphName]
    width = round((bar.xMax - bar.xMin) * NARROWER) + 2 * ROOM
    macron.transform = [[NARROWER, 0], [0, 1]]
    macron.x = round(ROOM - bar.xMin * NARROWER)
    stem.x = round(width / 2 - (post.xMin + post.xMax) / 2)
    for part in glyph.components:
        part.flags &= ~0x0200  # USE_MY_METRICS: the width is no longer that of the i.
    glyph.recalcBounds(glyphs)
    widths[name] = (width, glyph.xMin)

face.flavor = "woff2"
face.save(OUT)
