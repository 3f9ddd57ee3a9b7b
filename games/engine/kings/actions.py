"""Every action a player of Kings & Things* can send. Counters are named by their tags, hexes by their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..core.actions import Action, Vocabulary


@dataclass(frozen=True)
class Done(Action):
    """Nothing (more) of what is being offered: pass, stay, fight, finish."""

    do: ClassVar[str] = "done"


@dataclass(frozen=True)
class Choose(Action):
    """One out of what is being asked for: a place, a tag, a seat's number, a terrain, a number."""

    do: ClassVar[str] = "choose"
    what: str


# ---- set-up (2)


@dataclass(frozen=True)
class ReplaceSea(Action):
    """Have a sea hex beside one's start replaced (2.15)."""

    do: ClassVar[str] = "replace_sea"
    place: str


@dataclass(frozen=True)
class Exchange(Action):
    """Return counters from the rack for as many new ones, once (2.18)."""

    do: ClassVar[str] = "exchange"
    counters: tuple[str, ...]


# ---- counters on the map and on the rack (6 to 8)


@dataclass(frozen=True)
class Place(Action):
    """Counters from the rack, or a new hero, onto hexes: the first counter onto the first place, and so on."""

    do: ClassVar[str] = "place"
    counters: tuple[str, ...]
    places: tuple[str, ...]


@dataclass(frozen=True)
class Discharge(Action):
    """Send a hero of one's own back to the pool, turned over (6.4)."""

    do: ClassVar[str] = "discharge"
    hero: str


@dataclass(frozen=True)
class Recruit(Action):
    """Try to win a hero, with gold put down before the roll (6.1, 6.2)."""

    do: ClassVar[str] = "recruit"
    hero: str
    gold: int = 0


@dataclass(frozen=True)
class AddGold(Action):
    """Pay after the roll, ten for each one added (6.2)."""

    do: ClassVar[str] = "add_gold"
    gold: int


@dataclass(frozen=True)
class Draw(Action):
    """Draw Things: free ones, so many paid for, and one for every two counters traded (7)."""

    do: ClassVar[str] = "draw"
    paid: int = 0
    traded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Discard(Action):
    """Counters from a full rack back to the cup (7.4)."""

    do: ClassVar[str] = "discard"
    counters: tuple[str, ...]


@dataclass(frozen=True)
class Cash(Action):
    """Turn a treasure into gold (5.3)."""

    do: ClassVar[str] = "cash"
    aside: ClassVar[bool] = True
    treasure: str


@dataclass(frozen=True)
class RemoveIncome(Action):
    """Take a special income counter of one's own off the map (8.42)."""

    do: ClassVar[str] = "remove_income"
    aside: ClassVar[bool] = True
    counter: str


@dataclass(frozen=True)
class PlayEvent(Action):
    """Play a random event (14). `target` is what the event is aimed at, `caster` a creature that uses magic."""

    do: ClassVar[str] = "play_event"
    event: str
    target: str = ""
    caster: str = ""


@dataclass(frozen=True)
class PlayItem(Action):
    """Play a magic item (15): on a die of a roll, on a creature, at a place, or just so."""

    do: ClassVar[str] = "play_item"
    item: str
    target: str = ""
    thrower: int = 0
    die: int = 0
    change: int = 0


@dataclass(frozen=True)
class Give(Action):
    """Hand the Bow or the Sword to another creature in the same battle."""

    do: ClassVar[str] = "give"
    item: str
    creature: str


# ---- movement (9)


@dataclass(frozen=True)
class March(Action):
    """A stack goes along a path of hexes (9.1)."""

    do: ClassVar[str] = "march"
    counters: tuple[str, ...]
    path: tuple[str, ...]


@dataclass(frozen=True)
class FlyPast(Action):
    """Flyers in a hex with enemies show themselves, to be allowed to go on (9.31)."""

    do: ClassVar[str] = "fly_past"
    counters: tuple[str, ...]


@dataclass(frozen=True)
class AskProof(Action):
    """Ask whoever pins a stack to show one supported creature (9.23)."""

    do: ClassVar[str] = "ask_proof"
    place: str


@dataclass(frozen=True)
class Reveal(Action):
    """Show counters: flyers that hold others back (9.31), or one that pins (9.23). None is an answer too."""

    do: ClassVar[str] = "reveal"
    counters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ascend(Action):
    """Play the Balloon: up to three creatures of one hex to a land hex up to three away."""

    do: ClassVar[str] = "ascend"
    item: str
    counters: tuple[str, ...]
    to: str


# ---- exploration and battle (10, 11)


@dataclass(frozen=True)
class Engage(Action):
    """Name the battle or exploration to be resolved now (11.2)."""

    do: ClassVar[str] = "engage"
    place: str


@dataclass(frozen=True)
class Bribe(Action):
    """Pay defenders off; none at all means to fight (10.2)."""

    do: ClassVar[str] = "bribe"
    counters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lose(Action):
    """Who takes the hits or losses, in order; `fort` stands for the fort of the hex (11.51)."""

    do: ClassVar[str] = "lose"
    counters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Retreat(Action):
    """Leave the battle with the whole force (11.6); the Balloon and those in it may go up to three hexes.

    `counters` need not be named, since nobody may stay behind; a list that leaves somebody out is refused.
    """

    do: ClassVar[str] = "retreat"
    to: str = ""
    balloon: str = ""
    counters: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Without an empty list of counters: stored games have none, and their hashes must stay the same."""
        found = super().plain()
        return found if self.counters else {key: value for key, value in found.items() if key != "counters"}


# ---- forts and powers (12, 13)


@dataclass(frozen=True)
class Build(Action):
    """A tower, or the next level of a fort (12.1)."""

    do: ClassVar[str] = "build"
    place: str


@dataclass(frozen=True)
class Assassinate(Action):
    do: ClassVar[str] = "assassinate"
    place: str


@dataclass(frozen=True)
class Steal(Action):
    do: ClassVar[str] = "steal"
    victim: int


# ---- beside the game


@dataclass(frozen=True)
class Challenge(Action):
    """Call a creature that lies face up a bluff (8.3)."""

    do: ClassVar[str] = "challenge"
    aside: ClassVar[bool] = True
    counter: str


@dataclass(frozen=True)
class SetOrder(Action):
    """An answer given in advance (R2)."""

    do: ClassVar[str] = "set_order"
    aside: ClassVar[bool] = True
    about: str
    how: str


@dataclass(frozen=True)
class PassBattle(Action):
    """Nothing more from this seat in the battle in that hex: reactions and questions before a round are passed (R2)."""

    do: ClassVar[str] = "pass_battle"
    aside: ClassVar[bool] = True
    place: str


@dataclass(frozen=True)
class RejoinBattle(Action):
    """Be asked again in the battle in that hex."""

    do: ClassVar[str] = "rejoin_battle"
    aside: ClassVar[bool] = True
    place: str


@dataclass(frozen=True)
class Undo(Action):
    do: ClassVar[str] = "undo"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class Resign(Action):
    do: ClassVar[str] = "resign"
    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class ProposeEnd(Action):
    """Propose to end the game here, with a winner or (-1) without one (W4)."""

    do: ClassVar[str] = "propose_end"
    aside: ClassVar[bool] = True
    winner: int = -1


@dataclass(frozen=True)
class AgreeEnd(Action):
    """Agree to what was proposed; the winner is named again, so that no other proposal can be meant."""

    do: ClassVar[str] = "agree_end"
    aside: ClassVar[bool] = True
    winner: int = -1


@dataclass(frozen=True)
class DeclineEnd(Action):
    do: ClassVar[str] = "decline_end"
    aside: ClassVar[bool] = True


VOCABULARY = Vocabulary(
    (
        *(Done, Choose, ReplaceSea, Exchange, Place, Discharge, Recruit, AddGold, Draw, Discard, Cash, RemoveIncome),
        *(PlayEvent, PlayItem, Give, March, FlyPast, AskProof, Reveal, Ascend, Engage, Bribe, Lose, Retreat, Build),
        *(Assassinate, Steal, Challenge, SetOrder, PassBattle, RejoinBattle, Undo, Resign),
        *(ProposeEnd, AgreeEnd, DeclineEnd),
    )
)
