"""Since the viewer's last visit: the log from there on, a line for each kind of thing, so a week has eleven at most.

Every loss and gain of the viewer's is named; what others did among themselves is counted. Like the film this is made
from the log as the viewer hears it, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.engine.kings import KINGS

from ..scene import Line, Scene
from .captions import caption_of
from .teller import Teller, at_place, counted, listed


@dataclass(frozen=True)
class Reel:
    """What happened, as one seat heard it."""

    seat: int
    tell: Teller
    told: Sequence[tuple[int, Line]]

    def of(self, *events: str) -> list[Line]:
        return [line for _, line in self.told if line.event in events]

    def own(self, *events: str, fact: str = "seat") -> list[Line]:
        return [line for line in self.of(*events) if line.facts.get(fact) == self.seat]

    def sentences(self, *events: str) -> str:
        """What each of these lines says, once."""
        said = (caption_of(self.tell, number) for number, line in self.told if line.event in events)
        return " ".join(dict.fromkeys(each.says or each.title for each in said if each))


def reel(scene: Scene, first: int) -> tuple[str, ...]:
    """The lines for the viewer's seat, of the log from this line on."""
    seat = scene.view.seat
    if seat is None:
        return ()
    told = [(at, line) for at, line in enumerate(scene.lines) if at >= first and not line.taken_back]
    here = Reel(seat, Teller(scene.names, seat, scene.lines), told)
    return tuple(line for kind in KINDS_OF_LINES for line in [kind(here)] if line)


def by_place(lines: Sequence[Line], fact: str) -> str:
    """Names by the hex where it happened: "Giant and two Ogres in Swamp 3; Elf in Hill 1"."""
    places: dict[str, list[str]] = {}
    for line in lines:
        places.setdefault(at_place(line), []).append(str(line.facts[fact]))
    return "; ".join(f"{listed(names)}{f' in {place}' if place else ''}" for place, names in places.items())


# ---- how the game stands


def the_end(here: Reel) -> str:
    return here.sentences("sole_citadel", "no_sole_citadel", "seat_out", "won")


def absences(here: Reel) -> str:
    """The viewer's deadlines that have passed, and when they were back."""
    side = KINGS.seat_names[here.seat]
    return " ".join(line.text for line in here.of("seat_taken_over", "seat_kept") if line.facts["side"] == side)


# ---- losses


def land_lost(here: Reel) -> str:
    lost = here.own("captured", fact="by")
    return f"Land lost: {listed_places(lost, here.tell)}." if lost else ""


def listed_places(lines: Sequence[Line], tell: Teller) -> str:
    return "; ".join(
        f"{at_place(line)} ({line.facts['terrain']}), to {tell.whom(line.facts['seat'])}" for line in lines
    )


def creatures_lost(here: Reel) -> str:
    fallen, bluffs = here.own("fell"), here.own("bluffs_removed")
    killed = here.own("assassinated", fact="by")
    taken = here.own("lost_counters", "crowded")
    parts = [by_place(fallen, "creature")] if fallen else []
    parts += [f"{by_place(bluffs, 'creature')} (found out as bluff{'' if len(bluffs) == 1 else 's'})"] if bluffs else []
    parts += [f"{by_place(killed, 'victim')} (assassinated)"] if killed else []
    parts += [f"{counted(line.facts['count'])} in {at_place(line)} ({WHY[line.event]})" for line in taken]
    return f"Lost: {'; '.join(parts)}." if parts else ""


WHY = {"lost_counters": "an event", "crowded": "no room"}


def heroes_gone(here: Reel) -> str:
    gone = [str(line.facts["hero"]) for line in here.own("caught", "lord_left")]
    gone += [f"{line.facts['hero']} (changed sides)" for line in here.own("defected", fact="by")]
    return f"Heroes gone: {listed(gone)}." if gone else ""


def walls_hit(here: Reel) -> str:
    hit = {(at_place(line), line.facts["what"]): line for line in here.own("took_hit", "damage_done")}
    parts = [f"{what} in {place} ({says_left(line)})" for (place, what), line in hit.items()]
    parts += [f"{line.facts['town']} in {at_place(line)} (gone)" for line in here.own("lost_town")]
    parts += [f"{line.facts['fort']} in {at_place(line)} (damaged)" for line in here.own("lost_walls", "vandalized")]
    return f"Forts and towns hit: {'; '.join(parts)}." if parts else ""


def says_left(line: Line) -> str:
    left = line.facts.get("left")
    return "damaged" if left is None else f"{left} left" if left else "gone"


def robbed(here: Reel) -> str:
    parts = [f"{line.facts['amount']} gold" for line in here.own("stole_gold", fact="by")]
    things = len(here.own("stole_counter", fact="by"))
    parts += [f"{counted(things)} thing{'' if things == 1 else 's'} from the rack"] if things else []
    return f"Stolen: {listed(parts)}." if parts else ""


# ---- gains


def land_won(here: Reel) -> str:
    won = here.own("captured", "claimed")
    return f"Land won: {'; '.join(at_place(line) for line in won)}." if won else ""


def gains(here: Reel) -> str:
    parts = [str(line.facts["hero"]) for line in here.own("hero_joined")]
    parts += [f"{line.facts['hero']} (changed sides)" for line in here.own("defected")]
    parts += [str(line.facts["creature"]) for line in here.own("warlord_won")]
    parts += [str(line.facts["item"]) for line in here.own("looted", "stole_this")]
    parts += [f"{line.facts['amount']} gold stolen" for line in here.own("stole_gold")]
    parts += [f"{line.facts['fort']} in {at_place(line)}" for line in here.own("built")]
    drawn = sum(int(line.facts["count"]) for line in here.own("drew"))
    parts += [f"{counted(drawn)} thing{'' if drawn == 1 else 's'} from the cup"] if drawn else []
    return f"Gained: {listed(parts)}." if parts else ""


def gold_taken_in(here: Reel) -> str:
    parts = [f"{line.facts['gold']} as income" for line in here.own("collected")]
    parts += [f"{line.facts['amount']} by an event" for line in here.own("earned")]
    parts += [f"{line.facts['gold']} for the {line.facts['treasure']}" for line in here.own("cashed_in")]
    return f"Gold: {listed(parts)}." if parts else ""


# ---- the others


def others(here: Reel) -> str:
    """How far the game has got, and what others took from each other."""
    turns = [int(line.facts["number"]) for line in here.of("turn_began")]
    fights = [line for line in here.of("battle_began") if not in_fight(line, here.seat)]
    land = [line for line in here.of("captured") if here.seat not in (line.facts["seat"], line.facts["by"])]
    parts = [f"turn {turns[-1]} has begun"] if turns else []
    parts += [f"{counted(len(fights))} battle{'' if len(fights) == 1 else 's'} without you"] if fights else []
    parts += [f"{counted(len(land))} hex{'' if len(land) == 1 else 'es'} taken by others"] if land else []
    played = len(here.of("event_played"))
    parts += [f"{counted(played)} event{'' if played == 1 else 's'} played"] if played else []
    return here.tell.sentence(f"{', '.join(parts)}.") if parts else ""


def in_fight(line: Line, seat: int) -> bool:
    return seat in (*line.facts["attackers"], line.facts["defender"])


KINDS_OF_LINES: tuple[Callable[[Reel], str], ...] = (
    the_end,
    absences,
    land_lost,
    creatures_lost,
    heroes_gone,
    walls_hit,
    robbed,
    land_won,
    gains,
    gold_taken_in,
    others,
)
