"""Elements as text, escaped by default: for drawings, where templates would cost more than the game does."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from html import escape as escape_anew  # what Django's does to a text, without the way there

from django.conf import settings
from django.templatetags.static import static
from django.utils.safestring import SafeString


def element(name: str, /, *children: object, **attributes: object) -> SafeString:
    """One element. Children that are not markup already are escaped, and so is every attribute.

    Attributes that are None or False are left out; `class_` is class and `view_box` is viewBox, while other
    underscores become hyphens.
    """
    spelt = ""
    for key, value in attributes.items():
        if type(value) is Json:
            spelt += f" {_spelt(key)}='{value}'"
        elif value is not None and value is not False:
            spelt += f' {_spelt(key)}="{escape(str(value))}"'
    if not children:
        if name == "input":
            return SafeString(f"<input{spelt}>")
        return SafeString(f"<{name}{spelt}/>" if name in EMPTY else f"<{name}{spelt}></{name}>")
    inside = as_text(children[0]) if len(children) == 1 else "".join(map(as_text, children))
    return SafeString(f"<{name}{spelt}>{inside}</{name}>")


class Json(str):
    """JSON as an attribute's value. It stands between single quotes, as its own would take six characters each."""

    @classmethod
    def of(cls, data: object) -> Json:
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        return cls(text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#x27;"))


def join(*parts: object) -> SafeString:
    return SafeString("".join(map(as_text, parts)))


def address_of(path: str) -> str:
    """The address of a sprite. Ask once a drawing: finding the name with its hash takes longer than a counter does."""
    return _address(path, settings.STORAGES["staticfiles"]["BACKEND"])


@cache
def _address(path: str, storage: str) -> str:
    return static(path)


# Most of what pages say they have said before: classes, numbers, names.
escape = lru_cache(maxsize=4096)(escape_anew)


# Shapes may close themselves inside an <svg>; HTML elements may not.
EMPTY = {"rect", "circle", "use", "path", "line", "polyline", "polygon"}


def as_text(part: object) -> str:
    if type(part) is SafeString:
        return part
    if type(part) is str:
        return escape(part)
    return str(part) if hasattr(part, "__html__") else escape(str(part))


@cache
def _spelt(key: str) -> str:
    if key == "view_box":
        return "viewBox"
    return key.rstrip("_").replace("_", "-")
