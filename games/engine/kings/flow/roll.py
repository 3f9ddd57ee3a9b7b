"""Roll, Window, Played: every die, every reaction and every magic item of the game goes through these three (R1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...core.events import EVERYONE, Event
from ...core.house import GoOn, WentOn
from ...core.offers import Exactly, Offer
from ..actions import Done, PlayItem
from ..events import Charmed, Dispelled, ItemAimed, ItemPlayed, Rolled, WildItemPlayed, WildRolled
from ..orders import hides_items, is_waited_for, passes
from ..powers.magic import REACTIONS, by_condition, by_house, possible, reaction_offers, users_besides
from ..state import SHOWN, WILD, KingsState
from .base import KingsFrame, Together, frame_named


@dataclass
class Roll(KingsFrame):
    """Dice thrown by one player, or by several at once; then anybody may answer with the Lucky Charm (C10, R1)."""

    rule: ClassVar[str] = "R1"
    why: str = ""
    throwers: list[int] = field(default_factory=list)  # seats, or the wild side
    counts: list[int] = field(default_factory=list)
    added: bool = False  # the dice of each thrower are added up; a Charm then changes the total
    parties: list[int] = field(default_factory=list)  # whom this roll concerns, for "ask me in my own ..."
    needs: list[list[int]] = field(default_factory=list)  # what each die must not exceed to hit, where that is so
    names: list[list[str]] = field(default_factory=list)  # whose die it is
    wish: int = 0  # the total that the first thrower needs, where that is so
    faces: list[list[int]] = field(default_factory=list)
    bonus: list[int] = field(default_factory=list)
    steps: ClassVar[tuple[str, ...]] = ("throw", "react", "settle")

    def throw(self, state: KingsState) -> None:
        for at, (seat, count) in enumerate(zip(self.throwers, self.counts)):
            faces = list(state.dice.throw(self.why, count))
            self.faces.append(faces)
            self.bonus.append(0)
            about = self.told_of(state, at)
            if seat == WILD:
                state.tell(WildRolled(self.why, tuple(faces), *about), to=EVERYONE)
            else:
                state.tell(Rolled(seat, self.why, tuple(faces), *about), to=EVERYONE)
        state.extras["rolled"] = self.record()

    def told_of(self, state: KingsState, at: int) -> tuple[tuple[str, ...], tuple[int, ...], int | None, str]:
        """Whose dice a thrower's are, what they need, whom they strike at and where: all of it lies open."""
        names = tuple(self.names[at]) if at < len(self.names) else ()
        battle = frame_named(state, "battle")
        fight = battle or frame_named(state, "explore")
        place = fight.place if fight is not None else ""
        if at >= len(self.needs):
            return names, (), None, place
        return names, tuple(self.needs[at]), battle and battle.target_of(state, self.throwers[at]), place

    def record(self) -> list[Any]:
        """The dice as everybody has seen them, and whose they were; shown until the next are thrown."""
        names, needs = [list(line) for line in self.names], [list(line) for line in self.needs]
        return [self.why, list(self.throwers), [list(faces) for faces in self.faces], names, needs]

    def react(self, state: KingsState) -> None:
        by = next((seat for seat in self.throwers if seat != WILD), self.parties[0] if self.parties else 0)
        state.call(Window(trigger="roll", by=by, parties=list(self.parties)))

    def settle(self, state: KingsState) -> None:
        self.leave(state, self.totals() if self.added else self.faces)

    def totals(self) -> list[int]:
        return [sum(faces) + bonus for faces, bonus in zip(self.faces, self.bonus)]

    def charm(self, state: KingsState, seat: int, thrower: int, die: int, change: int) -> None:
        """One die, or one total, is one more or one less."""
        if self.added:
            self.bonus[thrower] += change
            result = self.totals()[thrower]
        else:
            self.faces[thrower][die] += change
            result = self.faces[thrower][die]
        state.tell(Charmed(seat, result), to=EVERYONE)
        state.extras["rolled"] = self.record()

    def abandoned_by(self, state: KingsState, seat: int) -> bool:
        return seat in self.throwers

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {
            "why": self.why,
            "throwers": list(self.throwers),
            "faces": [list(faces) for faces in self.faces],
            "bonus": list(self.bonus),
            "needs": [list(needs) for needs in self.needs],
            "names": [list(names) for names in self.names],
            "wish": self.wish,
        }


@dataclass
class Window(Together):
    """Whoever could answer what has just happened is asked, all at once (R1, R2).

    Who is asked follows from public facts and from standing orders. When several play, the first to the left of the
    acting player takes effect and everybody is asked again.
    """

    rule: ClassVar[str] = "R1"
    asking: ClassVar[str] = "react"
    trigger: str = ""
    by: int = 0
    parties: list[int] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)  # who may be asked at all; empty for everybody
    plays: dict[str, dict[str, Any]] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    outcome: dict[str, Any] | None = None
    steps: ClassVar[tuple[str, ...]] = ("ask", "settle", "effect")

    def ask(self, state: KingsState) -> None:
        """Standing orders with a condition answer at once; the rest are asked if they wish to be."""
        self.rounds += 1
        self.plays, self.pending = {}, []
        kinds = self.kinds_now(state)
        if not kinds:
            return
        house = by_house(state, self, kinds)
        if house is not None:
            self.plays[str(WILD)] = house.plain()
        for seat in state.order:
            if not self.may_answer(state, seat):
                continue
            played = by_condition(state, self, seat, kinds)
            if played is not None:
                self.plays[str(seat)] = played.plain()
            elif any(self.is_asked(state, seat, kind) for kind in kinds):
                self.pending.append(seat)

    def kinds_now(self, state: KingsState) -> list[str]:
        """The items that could answer now, as far as anybody can tell."""
        return [kind for kind in REACTIONS[self.trigger] if kind not in self.used and possible(state, kind, self)]

    def may_answer(self, state: KingsState, seat: int) -> bool:
        """Rolls and diseases may be answered by all they concern, magic by everybody but its user (15)."""
        if self.asked and seat not in self.asked:
            return False
        if self.trigger == "magic":
            return bool(users_besides(state, self, seat))
        return self.trigger in ("roll", "plague", "pox") or seat != self.by

    def runs_wild(self, state: KingsState, seat: int) -> bool:
        battle = frame_named(state, "battle")
        return battle is not None and battle.runner == seat

    def is_asked(self, state: KingsState, seat: int, kind: str) -> bool:
        """Among people by what everybody knows; otherwise only whoever has it (R2)."""
        if passes(state, seat) or not REACTIONS[self.trigger][kind].is_worth_asking(state, self, seat):
            return False
        lies_open = self.runs_wild(state, seat) and any(
            state.counters[n].kind == kind for n in state.of(None, frame_named(state, "battle").place)
        )
        if lies_open:
            return True
        if not is_waited_for(state, seat, kind, self.parties):
            return False
        if hides_items(state, seat):
            return bool(state.rack(seat))
        return any(state.counters[n].kind == kind for n in state.rack(seat))

    def offers_to(self, state: KingsState, seat: int) -> list[Offer]:
        kinds = [kind for kind in REACTIONS[self.trigger] if kind not in self.used]
        return [*reaction_offers(state, self, seat, kinds), Exactly(Done())]

    def on_done(self, state: KingsState, seat: int, action: Done) -> None:
        self.answered(seat)

    def let_pass(self, state: KingsState, seat: int) -> None:
        self.answered(seat)

    def on_play_item(self, state: KingsState, seat: int, action: PlayItem) -> None:
        self.plays = {**self.plays, str(seat): action.plain()}
        self.answered(seat)

    def on_go_on(self, state: KingsState, seat: None, action: GoOn) -> None:
        """The house answers for everyone who still owes an answer, by their standing orders, else with a pass (R4)."""
        state.tell(WentOn(), to=EVERYONE)
        kinds = self.kinds_now(state)
        for owing in self.pending:
            played = by_condition(state, self, owing, kinds)
            if played is not None:
                self.plays = {**self.plays, str(owing): played.plain()}
        self.pending = []

    def settle(self, state: KingsState) -> None:
        """The first to the left of the acting player takes effect."""
        if not self.plays:
            self.leave(state)
            return
        after = state.order
        if self.by in after:
            at = after.index(self.by) + 1
            after = after[at:] + after[:at]
        seat = next((s for s in after if str(s) in self.plays), WILD)
        play = self.plays[str(seat)]
        number = state.tags[play["item"]]
        self.used = [*self.used, state.counters[number].kind]
        side = WILD if state.counters[number].owner is None else seat
        facts = {key: play[key] for key in ("target", "thrower", "die", "change")}
        state.call(Played(seat=side, item=number, parties=self.parties, about=facts), into="outcome")

    def aim_of(self, state: KingsState, played: Any) -> Event | None:
        return REACTIONS[self.trigger][played.kind].aim(state, state.below(self), played.about)

    def effect(self, state: KingsState) -> None:
        outcome = self.outcome
        if outcome is not None and outcome["works"]:
            state.use_up(outcome["item"])
            REACTIONS[self.trigger][outcome["kind"]].answer(state, state.below(self), self, outcome)
        self.outcome = None
        self.next = "ask"

    def forget(self, state: KingsState, seat: int) -> None:
        super().forget(state, seat)
        self.plays = {key: play for key, play in self.plays.items() if key != str(seat)}

    def shown(self, state: KingsState) -> dict[str, Any]:
        """What could be answered now; never who is asked, nor who plays (R2)."""
        return {"trigger": self.trigger, "about": dict(self.about)}


@dataclass
class Played(KingsFrame):
    """A magic item is shown; it works unless somebody dispels it (15, R1)."""

    rule: ClassVar[str] = "15"
    seat: int = 0
    item: int = 0
    parties: list[int] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    kind: str = ""
    works: bool = True
    blown: str = ""  # where a Fan has sent it
    steps: ClassVar[tuple[str, ...]] = ("announce", "react", "settle")

    def announce(self, state: KingsState) -> None:
        self.kind = state.counters[self.item].kind
        owner = None if self.seat == WILD else self.seat
        state.change_counter(self.item, place=SHOWN, owner=owner, face_up=True)
        name = state.kind(self.item).name
        if self.seat == WILD:
            state.tell(WildItemPlayed(name), to=EVERYONE)
        else:
            state.tell(ItemPlayed(self.seat, name), to=EVERYONE)
        caller: Any = state.below(self)
        aim = caller.aim_of(state, self)
        if aim is not None:
            state.tell(aim, to=EVERYONE)

    def react(self, state: KingsState) -> None:
        by = self.seat
        if by == WILD:
            battle = frame_named(state, "battle", "explore")
            by = battle.runner if battle is not None else WILD
        state.call(
            Window(
                trigger="item",
                by=by,
                parties=list(self.parties),
                about={"kind": self.kind, "side": self.seat, **self.about},
            )
        )

    def settle(self, state: KingsState) -> None:
        if not self.works:
            state.use_up(self.item)
        outcome = {"seat": self.seat, "item": self.item, "kind": self.kind, "works": self.works, "blown": self.blown}
        self.leave(state, {**self.about, **outcome})

    def dispel(self, state: KingsState, seat: int) -> None:
        self.works = False
        state.tell(Dispelled(state.kind(self.item).name), to=EVERYONE)

    def shown(self, state: KingsState) -> dict[str, Any]:
        return {"kind": self.kind, "seat": self.seat, **self.about}


def creature_aimed_at(state: KingsState, played: Played) -> Event | None:
    """Bow and Sword are meant for a creature of the battle, where all lie face up; Golem and others for none."""
    target = played.about["target"]
    return ItemAimed(state.kind(played.item).name, state.kind(state.tags[target]).name) if target else None
