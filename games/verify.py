"""Stored games, checked: seeds, dice, hash chain, history and rows, and by replay all that the rules can work out.

A check reports and never repairs. It names the game, the action and the column that differs, but no value, which may be
hidden. Columns that nothing determines (times, names, keys) are listed with their reasons in tests/web/test_verify.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from players.hours import ZERO

from . import models, store
from .clocks import PACES, clock_of
from .clocks import fits as clock_fits
from .engine import RULESETS
from .engine.bots import LEVELS
from .engine.core.codec import encode_flow
from .engine.core.dice import STREAMS, commit, draw
from .engine.core.plain import plain
from .engine.core.plans import read_plans
from .engine.core.refusals import IllegalAction
from .engine.core.replay import link
from .engine.core.rules import Progress, Rules
from .engine.core.shapes import Unreadable, fits
from .engine.core.state import State, changes
from .registry import ENTRIES
from .reliability import LEASTS

OLDER_RULES = "older rules, not replayed"
MOST_FINDINGS = 20
SET_UP: dict[str, Any] = {
    "seat": None,
    "token": "set-up",
    "action": {"do": "set_up"},
    "changes": {},
    "flow_before": [],
    "rewind": None,
}


def fingerprint(database: str = "default") -> str:
    """How many games there are, and a digest of where each stands: the same for a database and its copy.

    The games' own hashes are chained over all their actions, so nothing else need be read.
    """
    games = models.Game.objects.using(database)
    rows = sorted(games.values_list("public_id", "status", "action_count", "position__hash"))
    digest = hashlib.sha256(repr(rows).encode()).hexdigest()[:16]
    return f"{len(rows)} games, fingerprint {digest}"


@dataclass(frozen=True)
class Finding:
    """Something that is not as it must be, at an action or in the rows of now."""

    what: str
    action: int | None = None

    def __str__(self) -> str:
        if self.action is None:
            return self.what
        return f"set-up: {self.what}" if self.action == 0 else f"action {self.action}: {self.what}"


@dataclass
class Report:
    """What the check of one game found."""

    game: str
    found: list[Finding] = field(default_factory=list)
    is_older: bool = False  # some of it was played under older rules, so that it was not replayed

    def add(self, what: str, action: int | None = None) -> None:
        finding = Finding(what, action)
        if finding not in self.found:
            self.found.append(finding)

    def lines(self) -> Iterator[str]:
        if self.is_older:
            yield f"{self.game}: {OLDER_RULES}"
        for finding in self.found[:MOST_FINDINGS]:
            yield f"{self.game}: {finding}"
        if len(self.found) > MOST_FINDINGS:
            yield f"{self.game}: and {len(self.found) - MOST_FINDINGS} more findings"


def verify(pk: int) -> Report:
    """Check one game. Whatever its rows hold, this returns."""
    name = models.Game.objects.filter(pk=pk).values_list("public_id", flat=True).first()
    report = Report(str(name))
    try:
        game = models.Game.objects.get(pk=pk)
    except Exception as fault:  # a column that Django cannot turn into a value
        report.add(f"its row cannot be read ({type(fault).__name__})")
        return report
    with_rows = Check(game, report)
    with_rows.run()
    return report


class Check:
    """One game's rows, read column by column so that one that cannot be read does not hide the others."""

    def __init__(self, game: models.Game, report: Report) -> None:
        self.game, self.report = game, report
        self.position: models.Position | None = None
        self.seats: list[models.Seat] = []
        self.actions: list[models.Action] = []

    def run(self) -> None:
        if self.game.ruleset not in RULESETS:
            self.report.add("there is no game of its name")
            return
        self.safely(self.read)
        for check in (self.table, self.seeds, self.entropy):
            self.safely(check)
        if not self.actions:
            self.safely(self.not_begun)
            return
        for check in (self.versions, self.numbers, self.chain, self.draws, self.history):
            self.safely(check)
        if not self.report.is_older:
            self.safely(self.replay)
        state = self.loaded()
        if state is not None:
            self.safely(lambda: self.outcome(state))
            if self.actions[-1].rules_version == self.rules.version:
                self.safely(lambda: self.asked(state))

    def safely(self, check: Callable[[], None]) -> None:
        """A check that stumbles over what it reads has found something."""
        try:
            check()
        except Unreadable as fault:
            self.report.add(f"it needs an upgrade: {fault}")
        except Exception as fault:
            name = check.__name__.replace("_", " ").strip("<>")
            self.report.add(f"its rows do not fit together ({type(fault).__name__} in the check of: {name})")

    @property
    def rules(self) -> Rules:
        return RULESETS[self.game.ruleset]

    # ---- reading

    def read(self) -> None:
        self.position = next(iter(self.rows(models.Position, "position", "pk")), None)
        self.seats = self.rows(models.Seat, "seat", "number")
        self.actions = self.rows(models.Action, "action", "number")
        if self.position is None:
            self.report.add("its position is missing")

    def rows(self, model: type[Any], called: str, order: str) -> list[Any]:
        """All rows of a kind. Each is read alone, as one broken column makes a whole query fail."""
        found = []
        for pk, number in list(model.objects.filter(game=self.game).order_by(order).values_list("pk", order)):
            try:
                found.append(model.objects.get(pk=pk))
            except Exception as fault:
                which = "its position" if called == "position" else f"{called} {number}"
                self.report.add(f"{which} cannot be read ({type(fault).__name__})")
        return found

    # ---- the table

    def table(self) -> None:
        """Status, start and end agree with one another and with whether anything was played."""
        game, status = self.game, models.Game.Status
        has_begun, is_over = bool(self.actions), bool(game.ended_how)
        expected = {status.RUNNING: (True, False), status.FINISHED: (True, True)}
        if (has_begun, is_over) != expected.get(status(game.status), (False, False)):
            self.report.add("its status differs from what was played")
        if (game.started_at is not None) != has_begun:
            self.report.add("the time of its start is missing, or nothing was played")
        if (game.moved_at is not None) != has_begun:
            self.report.add("the time of its last move is missing, or nothing was played")
        if (game.ended_at is not None) != (is_over or game.status == status.CANCELLED):
            self.report.add("the time of its end is missing, or it has not ended")
        if not fits(list[int], game.winners) or (game.winners and not is_over):
            self.report.add("its winners are no seats, or it has not ended")
        if game.created_at is None or any(row.at is None for row in self.actions):
            self.report.add("a time is missing")
        if is_over and game.ended_how not in self.rules.endings:
            self.report.add("it ended in a way the rules do not know")
        self.clocks()
        if game.is_lesson and ENTRIES[game.ruleset].lesson is None:
            self.report.add("it is called a lesson of a game that has none")
        if game.pace not in PACES or (game.clock and not clock_fits(PACES[game.pace], game.clock)):
            self.report.add("its pace or its clock is unknown")
        if game.least_reliability not in LEASTS:
            self.report.add("it asks for a reliability that nobody can choose")
        if game.has_webhook != models.Webhook.objects.filter(game=game, is_off=False).exists():
            self.report.add("it has a webhook and does not know, or the other way round")
        self.rules.stored_options(game.options)
        if [seat.number for seat in self.seats] != list(range(len(self.seats))):
            self.report.add("its seats are not numbered from 0 on")
        if has_begun and len(self.seats) not in self.rules.players:
            self.report.add("it has a number of seats that the game is not for")
        for seat in self.seats:
            if has_begun and not seat.is_taken:
                self.report.add(f"seat {seat.number}: nobody sits there")
            if seat.bot and seat.bot not in LEVELS.get(game.ruleset, {}):
                self.report.add(f"seat {seat.number}: there is no such bot")
            if (seat.asked_at is not None) != bool(seat.decision):
                self.report.add(f"seat {seat.number}: its question and the time of the question do not agree")

    def clocks(self) -> None:
        """Time runs only at tables with a clock, while they are being played, and until the first deadline."""
        game, clock = self.game, clock_of(self.game.clock)
        has_clock = bool(game.clock) and bool(self.actions)
        runs = has_clock and game.status == models.Game.Status.RUNNING
        due = [seat.due_at for seat in self.seats if seat.due_at is not None]
        if (game.deadline is not None or due) and not runs:
            self.report.add("a clock runs where none should")
        if not isinstance(game.pause, dict):
            self.report.add("the pause that was asked for cannot be read")
        if not has_clock and (game.pause or game.paused_until is not None or game.retimed):
            self.report.add("it has a pause, but no clock")
        if due and game.deadline != min(due):
            self.report.add("its deadline is not that of the first seat")
        if runs and game.window_since is not None and (game.deadline is None or due):
            self.report.add("its window has no end, or a seat’s clock runs in it")
        for seat in self.seats:
            is_asked = seat.asked_openly and seat.player_id is not None
            if runs and (seat.due_at is not None) != is_asked:
                self.report.add(f"seat {seat.number}: its clock does not run while it is asked, or it is not asked")
            if (seat.bank is not None) != has_clock:
                self.report.add(f"seat {seat.number}: its bank is missing, or there is no clock")
            if clock is not None and seat.bank is not None and not ZERO <= seat.bank <= clock.bank:
                self.report.add(f"seat {seat.number}: its bank holds more than the clock gives, or less than nothing")
            if clock is not None and clock.is_live and seat.hours:
                self.report.add(f"seat {seat.number}: a live clock knows no waking hours")
            if seat.due_at is None and (seat.clock_from or seat.spent is not None or seat.hours):
                self.report.add(f"seat {seat.number}: its clock stands, but has a beginning")
            if seat.due_at is not None and (seat.spent is None or seat.clock_from is None):
                self.report.add(f"seat {seat.number}: its clock runs, but has no beginning")

    def not_begun(self) -> None:
        """Before the start there is nothing on the table."""
        for model in (models.Hex, models.Counter):
            if model.objects.filter(game=self.game).exists():
                self.report.add("it has counters or hexes, but no actions")
        blank = models.Position()
        for name in ("dice_number", "cup_number", "flow", "extras", "serial", "era", "silent", "hash"):
            if self.position is not None and getattr(self.position, name) != getattr(blank, name):
                self.report.add(f"it has not begun, but its position has something in: {name}")
        if self.game.revision or self.game.action_count or self.game.window_since:
            self.report.add("it has a revision, but no actions")

    # ---- the dice

    def seeds(self) -> None:
        """The seeds are those that were committed to before anybody sat down."""
        game = self.game
        for stream, seed, committed in (
            ("dice", self.the_position.dice_seed, game.dice_commit),
            ("cup", self.the_position.cup_seed, game.cup_commit),
        ):
            if commit(stream, game.public_id, game.rules_version, bytes(seed)) != committed:
                self.report.add(f"the {stream} seed is not the one that was committed to")

    @property
    def the_position(self) -> models.Position:
        if self.position is None:
            raise Unreadable("it has no position")
        return self.position

    def seating(self) -> tuple[tuple[int, ...], tuple[int, int]]:
        """The seat each player got, and how far the dice had been thrown for it."""
        dice = store.dice_of(self.game, self.the_position)
        dice.numbers = (0, 0)
        order = self.rules.seating(len(self.seats), self.game.options, dice)
        return order, dice.numbers

    def entropy(self) -> None:
        """What the seats added to the dice is what the dice were mixed with."""
        added = self.the_position.entropy
        if not self.actions:
            if added:
                self.report.add("its dice were mixed before the start")
            return
        if any(action.token.startswith("imported-") for action in self.actions):
            return  # a game from a file: its seats here are not those that added anything
        order, _ = self.seating()
        by_number = {seat.number: seat.entropy for seat in self.seats}
        if [by_number.get(number) for number in order] != added:
            self.report.add("what its seats added to the dice is not what the dice were mixed with")

    def draws(self) -> None:
        """Every die and every draw follows from seeds, purpose and number; no rule is needed for that."""
        dice = store.dice_of(self.game, self.the_position)
        _, numbers = self.seating()
        drawn = dict(zip(STREAMS, numbers))
        keys = dict(zip(STREAMS, dice.keys))
        for row in self.actions:
            for stream, purpose, result, *below in row.draws:
                limits = below or self.rules.older_ranges(stream, purpose)
                if limits and not any(draw(keys[stream], purpose, drawn[stream], each) == result for each in limits):
                    self.report.add(f"a draw ({purpose}) does not follow from the seeds", row.number)
                drawn[stream] += 1
        if (drawn["dice"], drawn["cup"]) != (self.the_position.dice_number, self.the_position.cup_number):
            self.report.add("its position has another number of draws than its actions")

    # ---- the log

    def versions(self) -> None:
        """Versions of the rules never go back, and none is newer than those of this site."""
        last = 0
        for row in self.actions:
            try:
                self.rules.check_version(row.rules_version)
            except Unreadable:
                self.report.add("its rules are newer than those of this site, or unknown", row.number)
                continue
            if int(row.rules_version) < last:
                self.report.add("its rules are older than those of the action before", row.number)
            last = int(row.rules_version)
            self.report.is_older = self.report.is_older or row.rules_version != self.rules.version
        self.rules.check_version(self.game.rules_version)
        if int(self.game.rules_version) > int(self.actions[0].rules_version):
            self.report.add("it was set up under older rules than its table was opened under", 0)

    def numbers(self) -> None:
        """Actions are numbered from the set-up on, and each went through the gate once."""
        numbers = [row.number for row in self.actions]
        if numbers != list(range(len(numbers))):
            missing = next((n for n, number in enumerate(numbers) if n != number), len(numbers))
            self.report.add("an action is missing", missing)
        if numbers[-1] != self.game.action_count:
            self.report.add("its count of actions is not the number of its last action")
        self.revisions()
        first = self.actions[0]
        for name, value in SET_UP.items():
            if getattr(first, name) != value:
                self.report.add(f"its {said(name)} is not that of a set-up", first.number)
        seats = {seat.number for seat in self.seats}
        for row in self.actions[1:]:
            action = self.rules.parse_logged(row.action)
            if (row.seat is None) != action.house or (row.seat is not None and row.seat not in seats):
                self.report.add("nobody at the table can have taken it", row.number)
            if row.seat is not None and not 8 <= len(row.token) <= 64:
                self.report.add("its token is none that the gate takes", row.number)
        if sum(row.rewind is not None for row in self.actions) != self.the_position.era:
            self.report.add("its position counts another number of take-backs than its actions")

    def revisions(self) -> None:
        """Each action makes the next revision, or is silent and leaves the one before (R4)."""
        silent: dict[str, int] = {}
        revision = -1
        for row in self.actions:
            if row.revision == revision + 1:
                revision, silent = row.revision, {}
            elif row.revision == revision and row.seat is not None:
                silent[str(row.seat)] = silent.get(str(row.seat), 0) + 1
            else:
                self.report.add("its revision is not the next, nor that of the action before", row.number)
        if self.game.revision != self.actions[-1].revision:
            self.report.add("its revision is not that of its last action")
        if self.the_position.silent != silent:
            self.report.add("its position counts other silent actions than its actions")

    def chain(self) -> None:
        """Each link of the hash chain follows from the one before and from what it links."""
        settled = {"options": self.game.options}
        if "bots" in self.the_position.extras:
            settled["bots"] = self.the_position.extras["bots"]
        first, *later = self.actions
        if first.hash != link("", None, None, (), settled, first.rules_version):
            self.report.add("its hash does not follow from the table's options and bots", first.number)
        previous = first.hash
        for row in later:
            if row.hash != link(previous, row.seat, row.action, row.draws, row.changes, row.rules_version):
                what = "its hash does not follow from seat, action, draws, changes, rules and the hash before"
                self.report.add(what, row.number)
            previous = row.hash  # so that one broken link is reported once
        if self.actions[-1].hash != self.the_position.hash:
            self.report.add("its position has another hash than its last action")

    def history(self) -> None:
        """The changes of all actions, run backwards from the rows of now: each finds the values it left behind.

        Snapshots on the way hold the same."""
        kept = {row.number: row for row in self.rows(models.Snapshot, "snapshot", "number")}
        for number in sorted(kept.keys() - {row.number for row in self.actions}):
            self.report.add(f"snapshot {number} is of no action")
        state = self.loaded()
        if state is None:
            return
        for row in reversed(self.actions[1:]):
            if row.number in kept:
                self.snapshot(kept[row.number], row, state)
            for what in unlike(self.rules, state, row.changes):
                self.report.add(f"{what} is not as this action left it", row.number)
            store.undo_changes(self.rules, state, row.changes)
            state.flow = self.rules.frames.decode_flow(row.flow_before)
            for event in row.told:
                self.rules.stored_event(event)

    def snapshot(self, kept: models.Snapshot, row: models.Action, state: State) -> None:
        try:
            found = store.unpacked(self.rules, bytes(kept.state), state.dice)
        except Unreadable:
            self.report.add("its snapshot cannot be read", row.number)
            return
        if kept.revision != row.revision or (found.actions, found.revision) != (row.number, row.revision):
            self.report.add("its snapshot has another number or revision", row.number)
        for name in ("options", "seats", "hexes", "counters", "extras", "flow", "result"):
            if getattr(found, name) != getattr(state, name):
                self.report.add(f"the {name} of its snapshot differ from where the changes lead", row.number)

    # ---- what the rules can work out

    def loaded(self) -> State | None:
        try:
            return store.load(self.game)
        except Unreadable as fault:
            self.report.add(f"it needs an upgrade: {fault}")
            return None

    def replay(self) -> None:
        """The game played again from its seeds; every action and the rows of now must be as stored."""
        _, numbers = self.seating()
        dice = store.dice_of(self.game, self.the_position)
        dice.numbers = numbers
        bots = tuple(self.the_position.extras.get("bots", ()))
        begun = self.rules.setup(self.game.public_id, len(self.seats), self.game.options, dice, bots)
        self.compare(self.actions[0], begun, {}, [])
        states = [begun.state]
        for row in self.actions[1:]:
            try:
                states.append(self.replayed(row, states))
            except IllegalAction as refusal:
                self.report.add(f"the rules refuse it ({refusal.code}); what follows was not replayed", row.number)
                return
        stored = self.loaded()
        if stored is not None:
            self.compare_rows(states[-1], stored)

    def replayed(self, row: models.Action, states: list[State]) -> State:
        before = states[-1]
        action = self.rules.parse_logged(row.action)
        self.rules.check(before, row.seat, action)
        progress = self.rules.apply(before, row.seat, action)
        after = progress.state
        if progress.rewind is not None:
            after = self.rules.go_back(states[progress.rewind], after)
        self.compare(row, progress, changes(before, after), encode_flow(before))
        return after

    def compare(self, row: models.Action, progress: Progress, changed: Any, flow_before: Any) -> None:
        """What is stored of an action and what it leads to."""
        lengths = [len(each) for each in row.draws]  # older draws are stored without their range
        expected = {
            "draws": [each[:length] for each, length in zip(plain(progress.draws), lengths)],
            "told": self.as_told_then(plain(progress.told), row.told),
            "changes": plain(changed),
            "flow_before": flow_before,
            "rewind": progress.rewind,
            "revision": progress.state.revision,
        }
        if len(progress.draws) != len(lengths):
            self.report.add("its draws are not those the rules make", row.number)
        stored = {name: getattr(row, name) for name in expected} | {"told": self.without_reasons(row.told)}
        for name, value in expected.items():
            if stored[name] != value:
                self.report.add(f"its {said(name)} differ from what the rules lead to", row.number)

    def without_reasons(self, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What was told, less the lines that say why somebody was not asked: older games lack them."""
        return [each for each in told if not self.rules.stored_event(each)[0].explains]

    def as_told_then(self, told: list[dict[str, Any]], stored: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What the rules tell, less the facts that an event did not tell yet when its line was stored."""
        told, stored = self.without_reasons(told), self.without_reasons(stored)
        if len(told) != len(stored):
            return told
        return [self.less_later(now, then) for now, then in zip(told, stored)]

    def less_later(self, now: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
        later = self.rules.stored_event(now)[0].later
        return {name: value for name, value in now.items() if name in then or name not in later}

    def compare_rows(self, played: State, stored: State) -> None:
        """The rows of now and where the log leads."""
        for called, then, now in (
            ("seat", played.seats, stored.seats),
            ("hex", played.hexes, stored.hexes),
            ("counter", played.counters, stored.counters),
            ("extra", played.extras, self.the_position.extras),
        ):
            for key in differing(then, now):
                self.report.add(f"{called} {key} differs from what the log leads to")
        if encode_flow(played) != self.the_position.flow:
            self.report.add("the flow differs from what the log leads to")
        for name in ("serial", "era", "result"):
            if getattr(played, name) != getattr(stored, name):
                self.report.add(f"its {name} differs from what the log leads to")

    def outcome(self, state: State) -> None:
        """The end as the last change of the result tells it."""
        told = [row.changes["result"][1] for row in self.actions if "result" in row.changes]
        if plain(state.result) != (told[-1] if told else None):
            self.report.add("its winners, or how it ended, differ from what its actions tell")
        if state.result is None and not self.rules.asked(state):
            self.report.add("nobody can act in it, but it is not over")

    def asked(self, state: State) -> None:
        """Whom the game waits for, in the columns that lists, bots and mail go by."""
        openly = self.rules.asked_openly(state)
        for seat in self.seats:
            expected = {
                "is_asked": seat.number in self.rules.asked(state),
                "asked_openly": seat.number in openly,
                "decision": self.rules.decision(state, seat.number),
                "wants_bot": store.wants_bot(self.rules, state, seat),
            }
            for name, value in expected.items():
                if getattr(seat, name) != value:
                    self.report.add(f"seat {seat.number}: {name} differs from what the rules ask")
            try:
                read_plans(seat.plans, self.rules.plans)
            except Unreadable as fault:
                self.report.add(f"seat {seat.number}: {fault}")
        # Orders count for those who share a device only, and who does may have changed since the last action.
        if self.game.has_secrets not in {self.rules.has_secrets(state, seats) for seats in ((), tuple(state.seats))}:
            self.report.add("has_secrets differs from what lies on the table")
        if (self.game.window_since is not None) != bool(self.rules.window(state)):
            self.report.add("the time of its window is missing, or it stands in none")


def said(column: str) -> str:
    return {"told": "events", "flow_before": "flow before it", "rewind": "take-back"}.get(column, column)


def differing(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> list[Any]:
    return [key for key in {**one, **other} if key not in one or key not in other or one[key] != other[key]]


def unlike(rules: Rules, state: State, changed: Mapping[str, Any]) -> Iterator[str]:
    """What a state does not hold of the new values of an action's changes."""
    for rows, (_, record, key) in store.CHANGED.items():
        shape = rules.record_shapes[record]
        for name, fields in changed.get(rows, {}).items():
            found = getattr(state, rows).get(key(name))
            for each, (_, new) in fields.items():
                if (today := shape.name_today(each)) and getattr(found, today, None) != new:
                    yield f"{record.__name__.lower()} {name}: {today}"
    for each, (_, new) in changed.get("extras", {}).items():
        if (today := rules.extras_shape.name_today(each)) and plain(state.extras.get(today)) != new:
            yield f"the extra {today}"
    if "result" in changed and plain(state.result) != changed["result"][1]:
        yield "the result"
