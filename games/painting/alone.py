"""A board as a file of its own, for a mail: its styles and symbols are in it, so that nothing is fetched."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles.finders import find

from games.engine.core.view import View

from .fragments import board_svg, styles_of
from .markup import address_of

SPRITES = ("gambit", "kings", "terrain", "ui")
SYMBOL = re.compile(r'<symbol id="([\w-]+)".*?</symbol>', re.DOTALL)
FONTS = re.compile(r"@font-face\s*{.*?}", re.DOTALL)
PICTURES = re.compile(r"[\w-]+:\s*url\('data:[^']*'\)[^;]*;")  # of counters beside a map; mail programs refuse them


def board_alone(view: View, table: str) -> str:
    """The board of a View as a whole SVG file."""
    drawn = str(board_svg(view, None, table))
    symbols: list[str] = []
    for sprite in SPRITES:
        address = re.escape(address_of(f"art/{sprite}.svg"))
        used = sorted(set(re.findall(rf'href="{address}#([\w-]+)"', drawn)))
        drawn = re.sub(rf'href="{address}#', f'href="#{sprite}-', drawn)
        symbols += [_symbols(sprite)[name] for name in used]
    style = "\n".join(_style(path) for path in ("css/tokens.css", *styles_of(view.ruleset)))
    inside = f"<defs>{''.join(symbols)}</defs><style>{style}</style>"
    head, _, rest = drawn.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg" width="1000">{inside}{rest}\n'


@cache
def _symbols(sprite: str) -> dict[str, str]:
    text = _text(f"art/{sprite}.svg")
    return {
        each[1]: each[0].replace(f'id="{each[1]}"', f'id="{sprite}-{each[1]}"', 1) for each in SYMBOL.finditer(text)
    }


@cache
def _style(path: str) -> str:
    """A style sheet without its fonts, which would have to be fetched, and without pictures in it."""
    text = PICTURES.sub("", FONTS.sub("", _text(path)))
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).replace("&", "&amp;").replace("<", "&lt;")


def _text(path: str) -> str:
    found = find(path)
    assert found, f"there is no {path} among the static files"
    return Path(found).read_text()
