"""Trim the fonts in static/vendor/fonts to the weights that the style sheets use.

The trimmed files are checked in; run this only to take a newer font. It needs `pip install "fonttools[woff]==4.68.0"`
and the packages @fontsource-variable/figtree and @fontsource-variable/grenze from npm, unpacked:

    python tools/trim_fonts.py FOLDER_OF_FIGTREE/files FOLDER_OF_GRENZE/files
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).resolve().parents[1] / "static" / "vendor" / "fonts"

# Headings are 600 to 700 (--display in tokens.css), and only plain text is ever italic.
WEIGHTS: dict[str, tuple[int, int] | int] = {
    "grenze-latin-wght-normal.woff2": (600, 700),
    "grenze-latin-ext-wght-normal.woff2": (600, 700),
    "figtree-latin-wght-italic.woff2": 400,
}


def main(folders: list[Path]) -> None:
    for name, weights in WEIGHTS.items():
        [source] = [folder / name for folder in folders if (folder / name).exists()]
        font = instantiateVariableFont(TTFont(source), {"wght": weights})
        font.flavor = "woff2"
        font.save(FONTS / name)
        print(f"{name}: {source.stat().st_size:,} → {(FONTS / name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]])
