"""Names of players: plain text that looks the way it is stored."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError

LONGEST = 30
SHORTEST_USERNAME = 2
MOST_MARKS = 2  # accents on one letter; more of them climb over the lines above
GUEST_PREFIX = "guest-"  # of the user names that guests get, which nobody may choose

# Letters and marks that show nothing, although Unicode does not call them format characters.
_BLANK = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
_VARIATION_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
# Scripts written together. Any other mix is a trick: a Cyrillic "а" in "Anna".
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA", "LATIN"}, {"CJK", "HANGUL", "LATIN"})


def clean_name(text: object) -> str:
    """A guest's name: 1 to 30 characters that can be seen; what cannot be seen is dropped."""
    name = visible_line(str(text or ""))
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        raise ValidationError("Please enter a name that others can read.", code="no_name")
    if len(name) > LONGEST:
        raise ValidationError(f"A name can have up to {LONGEST} characters.", code="long_name")
    return name


def visible_line(text: str) -> str:
    """One line without control, bidi, zero-width or other unseen characters, nor towers of accents."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        if char.isspace():
            char = " "
        elif is_unseen(char):
            continue
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def is_unseen(char: str) -> bool:
    code = ord(char)
    return (
        unicodedata.category(char)[0] == "C"
        or unicodedata.category(char) in ("Zl", "Zp")
        or code in _BLANK
        or any(code in selectors for selectors in _VARIATION_SELECTORS)
    )


def check_username(name: str) -> None:
    """An account's name: 2 to 30 letters and digits of one script, with . _ - between them."""
    if not SHORTEST_USERNAME <= len(name) <= LONGEST:
        raise ValidationError(f"A name must have {SHORTEST_USERNAME} to {LONGEST} characters.", code="username_length")
    if not all(_may_stand_in_username(char) for char in name) or visible_line(name) != name:
        raise ValidationError("Use only letters, digits and . _ - in your name.", code="username_characters")
    if not (name[0].isalnum() and any(char.isalnum() for char in name)):
        raise ValidationError("A name must start with a letter or a digit.", code="username_start")
    scripts = {_script(char) for char in name if unicodedata.category(char)[0] == "L"}
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise ValidationError("Please use the letters of only one alphabet.", code="username_mixed")


def is_reserved(name: str) -> bool:
    """Names that would pass for a guest's own."""
    return name.casefold().startswith(GUEST_PREFIX)


def normal_username(text: str) -> str:
    """The one spelling of a name among those that look alike to the eye (NFKC, as Django does it)."""
    return unicodedata.normalize("NFKC", text).strip()


def _may_stand_in_username(char: str) -> bool:
    return char in "._-" or unicodedata.category(char) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Mn", "Mc")


def _script(char: str) -> str:
    return unicodedata.name(char, "?").split()[0].removesuffix("-PROLONGED")
