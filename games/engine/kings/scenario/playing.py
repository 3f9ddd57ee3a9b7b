"""One scenario while it is played: positions, actions and expectations in the order of their lines."""

from __future__ import annotations

import dataclasses
import re
import traceback
from collections import Counter as Tally

from ...core.actions import Action
from ...core.events import Event, Told
from ...core.refusals import IllegalAction
from ...core.replay import Run
from .. import KINGS
from ..actions import Bribe, Done, Draw, Exchange, Reveal
from ..catalogue import KINDS
from ..flow.turn import PHASES
from .expectations import EXPECTATIONS, box_of, missing_from, question, tiles_of
from .position import Position, is_position
from .reading import Failure, Line, Scenario
from .saying import spoken
from .table import ScenarioState, Script
from .words import (
    ANY,
    TERRAINS,
    Wrong,
    name_of,
    number_in,
    repeated,
    seat_of,
    words_of,
)

MOST_SKIPPED = 300


def sentence(event: Event) -> str:
    """As the log has it, players by their letters."""
    values = {f.name: getattr(event, f.name) for f in dataclasses.fields(event)}
    for key in ("seat", "by", "to_seat"):
        if key in values and (values[key] is None or isinstance(values[key], int)):
            values[key] = name_of(values[key])
    for key, value in values.items():
        if isinstance(value, tuple):
            values[key] = ", ".join(str(each) for each in value)
    return event.sentence(values).format(**values)


class Game:
    """One scenario while it is played."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.script = Script()
        self.position = Position(self.script)
        self.run: Run | None = None
        self.heard: list[list[Told]] = []
        self.failures: list[Failure] = []
        self.box: Tally[str] = Tally()
        self.tiles: Tally[str] = Tally()
        self.checked = 0  # expectations, refusals and permissions looked at

    @property
    def state(self) -> ScenarioState:
        assert self.run is not None and isinstance(self.run.state, ScenarioState)
        return self.run.state

    def fail(self, line: Line, text: str) -> None:
        self.failures.append(Failure(self.scenario.path, self.scenario.title, line.number, text))

    def play(self) -> list[Failure]:
        """Expectations that fail are gathered; anything else that is wrong ends the scenario."""
        line = Line(0, "")
        try:
            for line in self.scenario.lines:
                self.take(line)
            self.begin()
            self.finish()
        except Wrong as wrong:
            self.fail(Line(self.position.at, "") if self.position.at else line, str(wrong))
        except IllegalAction as refusal:
            self.fail(line, f"expected this to be allowed, found it refused: {refusal.sentence} ({refusal.code})")
        except Exception as error:  # a bug of the game fails its scenario, and the next one is played all the same
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.fail(line, f"the game broke: {error!r} in {where.name}, {where.filename}:{where.lineno}")
        return self.failures

    def take(self, line: Line) -> None:
        key, _, value = line.text.partition(":")
        if key in ("dice", "draw"):
            self.write(key, value)
        elif self.run is None and self.position.take(line):
            pass
        else:
            self.begin()
            self.follow(line)

    def write(self, key: str, value: str) -> None:
        words = repeated(value.split())
        if key == "dice":
            self.script.faces += [number_in(word) for word in words]
            return
        for word in words:
            if word not in KINDS and word not in TERRAINS and word != ANY:
                raise Wrong(f"{word} cannot be drawn: there is no such counter or terrain")
        self.script.draws += words

    def begin(self) -> None:
        if self.run is not None:
            return
        state = self.position.laid()
        self.box, self.tiles = box_of(state), tiles_of(state)
        self.position.begin(state)
        self.run = Run(KINGS, state)
        self.heard.append(list(state.told))
        self.check_box()

    def finish(self) -> None:
        if not self.checked:
            raise Wrong("this scenario expects nothing")
        if self.script.faces:
            raise Wrong(f"dice left over: {' '.join(map(str, self.script.faces))}")
        if self.script.draws:
            raise Wrong(f"draws left over: {' '.join(self.script.draws)}")

    def follow(self, line: Line) -> None:
        text = line.text
        if found := re.match(r"(refuse|allow|offered|not offered|expect)\b([^:]*):\s*(.*)", text):
            self.checked += 1
            problem = self.look(found[1], found[2].strip(), found[3])
            if problem:
                self.fail(line, problem)
        elif found := re.fullmatch(r"skip to (turn )?(\w+)", text):
            self.skip(found[2], is_turn=bool(found[1]))
        elif re.match(r"[A-D]\s", text):
            self.act(*spoken(self.state, text))
        elif is_position(line):
            raise Wrong(f"positions must stand before the first action or expectation: {text}")
        else:
            raise Wrong(f"this line is not understood: {text}")

    def act(self, seat: int, action: Action) -> None:
        assert self.run is not None
        progress = self.run.act(seat, action)
        self.heard.append(list(progress.told))
        self.state.watch()
        self.check_box()

    def check_box(self) -> None:
        """No action makes or loses a counter or a tile."""
        if box_of(self.state) != self.box:
            raise Wrong(f"the box is no longer whole: {missing_from(box_of(self.state), self.box)} missing")
        if tiles_of(self.state) != self.tiles:
            raise Wrong("the tiles on the map and in the deck are no longer the same")

    def skip(self, to: str, *, is_turn: bool) -> None:
        """Everybody asked does nothing, until a phase or a turn begins."""
        if not is_turn and to not in PHASES:
            raise Wrong(f"{to} is no phase: they are {', '.join(PHASES)}")
        told: list[Told] = []
        for _ in range(MOST_SKIPPED):
            if self.state.result is not None or self.has_come_to(to, is_turn, told):
                return
            seat = KINGS.asked(self.state)[0]
            self.act(seat, self.nothing_for(seat))
            told = self.heard[-1]
        raise Wrong(f"nothing was done {MOST_SKIPPED} times, and {to} has not come")

    def has_come_to(self, to: str, is_turn: bool, told: list[Told]) -> bool:
        """A phase in which nobody is asked anything is over before anybody could see it, but it has been announced."""
        if is_turn:
            return bool(self.state.extras["turn"] == number_in(to))
        begun = [getattr(each.event, "phase", "") for each in told if each.event.name() == "phase_began"]
        return bool(self.state.extras["phase"] == to) or PHASES[to] in begun

    def nothing_for(self, seat: int) -> Action:
        for action in (Done(), Draw(), Exchange(()), Bribe(), Reveal()):
            if any(action in offer for offer in KINGS.offers(self.state, seat)):
                return action
        raise Wrong(f"{name_of(seat)} cannot do nothing here: asked for {question(self.state, seat)}")

    # -- looking

    def look(self, how: str, reason: str, text: str) -> str:
        """What is wrong, in words; nothing if all is well."""
        if how == "expect":
            return self.expectation(text)
        if how in ("offered", "not offered"):
            return self.offered(how == "offered", text)
        seat, action = spoken(self.state, text, may_be_missing=how == "refuse")
        try:
            KINGS.check(self.state, seat, action)
        except IllegalAction as refusal:
            return self.refused(how, reason, refusal)
        return "" if how == "allow" else "expected this to be refused, found it allowed"

    def refused(self, how: str, reason: str, refusal: IllegalAction) -> str:
        found = f"{refusal.sentence} ({refusal.code}, rule {refusal.rule or 'none'})"
        if how == "allow":
            return f"expected this to be allowed, found it refused: {found}"
        fits = not reason or reason in (refusal.code, refusal.rule)
        return "" if fits else f"expected a refusal because of {reason}, found {found}"

    def offered(self, wanted: bool, text: str) -> str:
        seat, do = text.split()
        offers = sorted({offer.do for offer in KINGS.offers(self.state, seat_of(seat))})
        if (do in offers) == wanted:
            return ""
        return f"expected {do} to be {'' if wanted else 'not '}on offer to {seat}, found {words_of(offers)}"

    def expectation(self, text: str) -> str:
        for pattern, check in EXPECTATIONS:
            if found := pattern.fullmatch(text.strip()):
                expected, seen = check(self, *found.groups())
                return "" if expected == seen else f"expected {text}, found {seen}"
        raise Wrong(f"this expectation is not understood: {text}")

    def told_to(self, who: str, ever: bool) -> str:
        seat = None if who == "watcher" else seat_of(who)
        told = [each for part in (self.heard if ever else self.heard[-1:]) for each in part]
        return " ".join(sentence(each.event) for each in told if each.heard_by(seat))
