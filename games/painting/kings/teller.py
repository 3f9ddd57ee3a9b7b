"""Who, whose and where: the words that captions of the film are made of, as one viewer would say them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.engine.kings.catalogue import PROPER_NAMES
from games.engine.kings.terms import WILD

from ..scene import Line

FAR_BACK = 200  # lines: what led to a line is looked for no further back
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

Die = tuple[str, int, int]  # whose it is, its face, and what it must not exceed to hit; "" and 0 where that is not so


@dataclass(frozen=True)
class Caption:
    """What one line shows. It `joins` the shot before it if that is of one of these kinds, and of the same action."""

    kind: str
    says: str
    title: str = ""
    place: str = ""
    path: tuple[str, ...] = ()
    seat: int | None = None
    count: int = 0
    dice: tuple[Die, ...] = ()
    joins: tuple[str, ...] = ()
    again: str = ""  # what is added, instead of a whole sentence, to a shot about the same seat
    against: int | None = None  # the side that dice are thrown against
    falls: tuple[str, ...] = ()  # who falls in a battle: "0 Giant"; walls with what is left of them: "-1 keep=1"


@dataclass(frozen=True)
class Teller:
    """Words for one viewer: who is "you", what people are called, and what was told before."""

    names: Mapping[int, str]
    me: int | None  # the viewer's seat; None for spectators and where several share the screen
    lines: Sequence[Line]

    # ---- people

    def who(self, seat: int | None) -> str:
        if seat is None or seat == WILD:
            return "The wild defenders"
        return "You" if seat == self.me else self.names[seat]

    def whom(self, seat: int | None) -> str:
        if seat is None or seat == WILD:
            return "the wild defenders"
        return "you" if seat == self.me else self.names[seat]

    def whose(self, seat: int | None) -> str:
        if seat is None or seat == WILD:
            return "the wild defenders’"
        return "your" if seat == self.me else f"{self.names[seat]}’s"

    def does(self, seat: int | None, verb: str, others: str = "") -> str:
        """A subject and its verb: "You march", "The wild defenders march", "Bruno marches"."""
        is_plural = seat is None or seat in (WILD, self.me)
        return f"{self.who(seat)} {verb if is_plural else others or verb + 's'}"

    def sentence(self, words: str) -> str:
        """It begins with a capital, unless it begins with somebody's name."""
        return words if words.startswith(tuple(self.names.values())) else words[:1].upper() + words[1:]

    def of_whose(self, seat: int | None) -> str:
        return "yours" if seat is not None and seat == self.me else self.whose(seat)

    # ---- what was told before

    def before(self, at: int) -> Iterator[Line]:
        """This line and those before it, as far as they can matter."""
        for number in range(at, max(-1, at - FAR_BACK), -1):
            if not self.lines[number].taken_back:
                yield self.lines[number]

    def fight(self, at: int) -> tuple[str, str]:
        """The hex of the latest fight or exploration: its number and its name."""
        last = next((line for line in self.before(at) if line.event in FIGHTS), None)
        return (str(last.facts["place"]), at_place(last)) if last else ("", "")

    def cause(self, at: int) -> str:
        """The random event behind a loss, with who played it; nothing if the log does not tell."""
        for line in self.before(at):
            if line.event == "event_played":
                return f"{line.facts['event_name']}, played by {self.whom(line.facts['seat'])},"
            if line.event == "turn_began":
                break
        return ""


def without_article(said: str) -> str:
    """A sentence that was put together with "the" before all names."""
    return ARTICLE.sub("", said)


ARTICLE = re.compile(rf"\b[Tt]he (?=(?:{'|'.join(map(re.escape, sorted(PROPER_NAMES)))})\b)")


def at_place(line: Line, fact: str = "place") -> str:
    """A place as everybody called it then."""
    return line.words.get(fact) or str(line.facts.get(fact, ""))


def counted(number: int) -> str:
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


def listed(names: Sequence[str]) -> str:
    """Names with "and" before the last; of many alike, how many."""
    alike = {name: names.count(name) for name in names}
    said = [name if count == 1 else f"{counted(count)} {name}" for name, count in alike.items()]
    return enumerated(said) if said else "nobody"


def enumerated(parts: Sequence[str]) -> str:
    """Parts of a sentence with "and" before the last."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


FIGHTS = ("battle_began", "found_defenders")
