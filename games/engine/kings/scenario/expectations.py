"""What scenarios expect: each expectation answers with what was expected and what is there."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.state import Hex
from ...core.view import Face
from .. import KINGS
from ..catalogue import FORTS, HEROES, HEXES, OTHER_FACE, THINGS
from ..income import income
from ..state import KingsState, rack
from ..support import is_supported
from ..view import KingsFace
from .saying import Names
from .words import (
    ANY,
    NOTHING,
    Wrong,
    known,
    name_of,
    owner_named,
    repeated,
    seat_of,
    terrain_named,
    words_of,
)

if TYPE_CHECKING:  # at run time it is Game that looks here
    from .playing import Game


def kinds_at(state: KingsState, place: str, owner: int | None | str = ANY) -> list[str]:
    numbers = [n for n in state.at(place) if owner == ANY or state.counters[n].owner == owner]
    return sorted(state.counters[n].kind for n in numbers)


def box_of(state: KingsState) -> Tally[str]:
    """Every counter there is; two heroes of one counter count as the same."""
    return Tally(min(c.kind, OTHER_FACE.get(c.kind, c.kind)) for c in state.counters.values())


def tiles_of(state: KingsState) -> Tally[str]:
    terrains = [here.terrain for here in state.hexes.values()]
    return Tally([*terrains, *state.extras["deck"], *state.extras["aside"]])


def whole_box() -> Tally[str]:
    heroes = [min(front.slug, back.slug) for front, back in HEROES]
    return Tally([*(kind.slug for kind in THINGS for _ in range(kind.copies)), *heroes])


def question(state: KingsState, seat: int) -> str:
    return str(state.flow[-1].asks(state, seat)) if state.flow else ""  # type: ignore[attr-defined]


Check = Callable[..., tuple[Any, Any]]
EXPECTATIONS: list[tuple[re.Pattern[str], Check]] = []


def expects(pattern: str) -> Callable[[Check], Check]:
    def noted(check: Check) -> Check:
        EXPECTATIONS.append((re.compile(pattern), check))
        return check

    return noted


def hex_in(game: Game, place: str) -> Hex:
    if place not in game.state.hexes:
        raise Wrong(f"there is no hex {place} on this map")
    return game.state.hexes[place]


@expects(r"(h\d+) owner (\S+)")
def _(game: Game, place: str, owner: str) -> tuple[Any, Any]:
    return name_of(owner_named(owner)), name_of(hex_in(game, place).owner)


@expects(r"(h\d+) fort (\w+)")
def _(game: Game, place: str, fort: str) -> tuple[Any, Any]:
    if fort not in (*FORTS[1:], "none"):
        raise Wrong(f"{fort} is no fort: they are {', '.join(FORTS[1:])}, none")
    return fort, FORTS[hex_in(game, place).fort] or "none"


@expects(r"(h\d+) damage (\d+)")
def _(game: Game, place: str, damage: str) -> tuple[Any, Any]:
    return int(damage), hex_in(game, place).damage


@expects(r"(h\d+) terrain (\w+(?: waste)?)")
def _(game: Game, place: str, terrain: str) -> tuple[Any, Any]:
    return terrain_named(terrain), hex_in(game, place).terrain


@expects(r"(h\d+) holds (\w+): (.+)")
def _(game: Game, place: str, owner: str, names: str) -> tuple[Any, Any]:
    """Exactly these; `troll*` must lie face up, `troll/down` face down, `troll` may do either."""
    hex_in(game, place)
    wanted = repeated(names.split())
    there = [game.state.counters[n] for n in game.state.of(owner_named(owner), place)]
    plain_kinds = words_of(known(re.sub(r"\*|/up|/down", "", word)) for word in wanted)
    found = words_of(c.kind for c in there)
    if plain_kinds != found:
        return plain_kinds, found
    faced = Tally((c.kind, c.face_up) for c in there)
    sides = Tally(
        (re.sub(r"\*|/up|/down", "", w), not w.endswith("/down")) for w in wanted if re.search(r"\*|/up|/down", w)
    )
    if sides <= faced:
        return True, True
    return names, words_of(c.kind + ("/up" if c.face_up else "/down") for c in there)


@expects(r"(gold|income) ([A-D]) (\d+)")
def _(game: Game, what: str, who: str, amount: str) -> tuple[Any, Any]:
    seat = seat_of(who)
    return int(amount), game.state.seats[seat].gold if what == "gold" else income(game.state, seat).total


@expects(r"rack ([A-D]) (\d+)")
def _(game: Game, who: str, count: str) -> tuple[Any, Any]:
    return int(count), len(game.state.rack(seat_of(who)))


@expects(r"rack ([A-D]): (.+)")
def _(game: Game, who: str, names: str) -> tuple[Any, Any]:
    wanted = [known(word) for word in repeated(names.split())]
    return words_of(wanted), words_of(kinds_at(game.state, rack(seat_of(who))))


@expects(r"(pool|cup|gone|rack [A-D]|h\d+) (has|lacks) (.+)")
def _(game: Game, where: str, how: str, names: str) -> tuple[Any, Any]:
    """`has` wants that many or more of each, `lacks` none at all."""
    place = rack(seat_of(where[-1])) if where.startswith("rack") else where
    there = Tally(kinds_at(game.state, place))
    wanted = Tally(known(word) for word in repeated(names.split()))
    fits = wanted <= there if how == "has" else not wanted & there
    return (True, True) if fits else (f"{where} {how} {names}", words_of((there & wanted).elements()) + " there")


@expects(r"(cup|pool|gone|deck) (\d+)")
def _(game: Game, where: str, count: str) -> tuple[Any, Any]:
    there: Sequence[Any] = game.state.extras["deck"] if where == "deck" else game.state.at(where)
    return int(count), len(there)


@expects(r"deck (has|lacks) (.+)")
def _(game: Game, how: str, names: str) -> tuple[Any, Any]:
    wanted = Tally(terrain_named(word) for word in repeated(names.split()))
    there = Tally(game.state.extras["deck"])
    fits = wanted <= there if how == "has" else not wanted & there
    return (True, True) if fits else (f"{how} {names}", words_of((there & wanted).elements()) + " there")


@expects(r"box whole")
def _(game: Game) -> tuple[Any, Any]:
    """Counters and tiles are exactly those that are printed; only a `map: dealt` can pass on tiles."""
    wanted, found = whole_box() + Tally(HEXES), box_of(game.state) + tiles_of(game.state)
    return (NOTHING, NOTHING), (missing_from(found, wanted), missing_from(wanted, found))


def missing_from(there: Tally[str], wanted: Tally[str]) -> str:
    return words_of((wanted - there).elements())


@expects(r"asks nobody")
def _(game: Game) -> tuple[Any, Any]:
    return "nobody", " ".join(name_of(seat) for seat in KINGS.asked(game.state)) or "nobody"


@expects(r"asks ((?:[A-D]\s*)+)(\b\w+)?")
def _(game: Game, who: str, what: str | None) -> tuple[Any, Any]:
    """Exactly these players; and for this, if it is said."""
    wanted = " ".join(sorted(who.split()))
    asked = KINGS.asked(game.state)
    found = " ".join(name_of(seat) for seat in asked) or "nobody"
    if what is None:
        return wanted, found
    questions = sorted({question(game.state, seat) for seat in asked})
    return f"{wanted} {what}", f"{found} {' '.join(questions)}".strip()


@expects(r"(ever )?heard (\w+): (.+)")
def _(game: Game, ever: str | None, who: str, text: str) -> tuple[Any, Any]:
    heard = game.told_to(who, bool(ever))
    return (True, True) if text.lower() in heard.lower() else (text, heard or "silence")


@expects(r"(never )?(?:unheard|heard) (\w+) not: (.+)")
def _(game: Game, never: str | None, who: str, text: str) -> tuple[Any, Any]:
    heard = game.told_to(who, bool(never))
    return (True, True) if text.lower() not in heard.lower() else (f"not {text}", heard)


@expects(r"(\w+) sees (h\d+|pool|own rack): (.+)")
def _(game: Game, who: str, where: str, text: str) -> tuple[Any, Any]:
    """`3 backs of A, troll of A, bears of nobody`, or the kinds on one's own rack."""
    seat = None if who == "watcher" else seat_of(who)
    place = where if where != "own rack" else rack(seat if seat is not None else 0)
    there = [c for c in KINGS.view(game.state, seat).counters if c.place == place]
    if not place.startswith("h"):
        found = words_of(c.kind if isinstance(c, Face) else "back" for c in there)
        return words_of(repeated(text.split())), found
    faces = Tally((c.kind if isinstance(c, Face) else "back", name_of(c.owner)) for c in there)
    return in_words(pictured(text)), in_words(faces)


@expects(r"(\w+) sees sealed (\w+): (.+)")
def _(game: Game, who: str, where: str, names: str) -> tuple[Any, Any]:
    """What of one's own rack goes there once everybody has answered (S5)."""
    view = KINGS.view(game.state, None if who == "watcher" else seat_of(who))
    found = [game.state.kind(game.state.tags[tag]).slug for tag, place in view.sealed.items() if place == where]
    return words_of(repeated(names.split())), words_of(found)


def pictured(text: str) -> Tally[tuple[str, str]]:
    found: Tally[tuple[str, str]] = Tally()
    for part in [] if text == NOTHING else text.split(","):
        words = re.fullmatch(r"(?:(\d+) )?(\w+)(?: of (\w+))", part.strip())
        if words is None:
            raise Wrong(f"write what is seen like this: 3 backs of A, troll of A; not {part.strip()}")
        kind = "back" if words[2] in ("back", "backs") else known(words[2])
        found[(kind, name_of(owner_named(words[3])))] += int(words[1] or 1)
    return found


def in_words(seen: Mapping[tuple[str, str], int]) -> str:
    return ", ".join(f"{count} {kind} of {owner}" for (kind, owner), count in sorted(seen.items())) or NOTHING


@expects(r"(\w+) sees (h\d+) terrain: (\w+)")
def _(game: Game, who: str, place: str, terrain: str) -> tuple[Any, Any]:
    seat = None if who == "watcher" else seat_of(who)
    found = next(h for h in KINGS.view(game.state, seat).hexes if h.place == place).terrain
    return "hidden" if terrain == "hidden" else terrain_named(terrain), found or "hidden"


@expects(r"(\w+) sees (h\d+) value of (\w+): (\d+)")
def _(game: Game, who: str, place: str, kind: str, value: str) -> tuple[Any, Any]:
    """The combat value now of a counter of this kind, or of the fort, in sight there."""
    view = KINGS.view(game.state, None if who == "watcher" else seat_of(who))
    if kind == "fort":
        return int(value), next(h for h in view.hexes if h.place == place).fort_value
    faces = [c for c in view.counters if c.place == place and isinstance(c, KingsFace) and c.kind == known(kind)]
    return int(value), faces[0].value if faces else f"no {kind} in sight"


@expects(r"(\w+) sees (gold|rack|income) ([A-D]): (\d+)")
def _(game: Game, who: str, what: str, whose: str, count: str) -> tuple[Any, Any]:
    seat = None if who == "watcher" else seat_of(who)
    shown_seat: Any = KINGS.view(game.state, seat).seats[seat_of(whose)]
    found = {"gold": shown_seat.gold, "rack": shown_seat.rack, "income": shown_seat.income.total}[what]
    return int(count), found


@expects(r"(h\d+|rack) ([A-D]) mixed")
def _(game: Game, where: str, who: str) -> tuple[Any, Any]:
    """No face-down counter there bears a name that any counter had before the last action (H3)."""
    assert game.run is not None and len(game.run.states) > 1
    before = {c.tag for c in game.run.states[-2].counters.values()}
    place = rack(seat_of(who)) if where == "rack" else where
    now = [c for c in game.state.counters.values() if c.place == place and c.owner == seat_of(who) and not c.face_up]
    followed = [c.kind for c in now if c.tag in before]
    if not now:
        return "face-down counters there", "none"
    return "new names for all", f"{words_of(followed)} with the old name" if followed else "new names for all"


@expects(r"(\S+) of ([A-D]) is (supported|a bluff)")
def _(game: Game, word: str, who: str, what: str) -> tuple[Any, Any]:
    number = Names(game.state, seat_of(who)).number(word, ("map",))
    return what, "supported" if is_supported(game.state, number) else "a bluff"


@expects(r"won (.+) (\w+)")
def _(game: Game, who: str, how: str) -> tuple[Any, Any]:
    wanted = "" if who == "nobody" else " ".join(sorted(who.split()))
    result = game.state.result
    if result is None:
        return f"{wanted} {how}", "the game goes on"
    return f"{wanted} {how}", f"{' '.join(name_of(seat) for seat in result.winners)} {result.how}"


@expects(r"not over")
def _(game: Game) -> tuple[Any, Any]:
    return "the game goes on", "the game goes on" if game.state.result is None else "it is over"


@expects(r"(turn|phase|cloud) (\w+)")
def _(game: Game, what: str, value: str) -> tuple[Any, Any]:
    return value, str(game.state.extras[what] or "none")


@expects(r"order ((?:[A-D]\s*)+)")
def _(game: Game, seats: str) -> tuple[Any, Any]:
    return " ".join(seats.split()), " ".join(name_of(seat) for seat in game.state.order)


@expects(r"sole (?:([A-D]) (\d+)|none)")
def _(game: Game, who: str | None, turn: str | None) -> tuple[Any, Any]:
    sole = game.state.extras["sole"]
    return f"{who} {turn}" if who else "none", f"{name_of(sole[0])} {sole[1]}" if sole else "none"


@expects(r"out ([A-D]|nobody)")
def _(game: Game, who: str) -> tuple[Any, Any]:
    return who, " ".join(name_of(n) for n, seat in game.state.seats.items() if seat.out) or "nobody"


@expects(r"true elimination (yes|no)")
def _(game: Game, what: str) -> tuple[Any, Any]:
    return what, "yes" if game.state.extras.get("true_elimination") else "no"


@expects(r"bank (tower|keep|castle|citadel) (\d+)")
def _(game: Game, fort: str, count: str) -> tuple[Any, Any]:
    return int(count), game.state.forts_left(FORTS.index(fort))
