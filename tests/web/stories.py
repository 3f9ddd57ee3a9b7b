"""Games played at random in memory and laid down in rows at any moment, with twins of that moment (C1).

A twin is another truth that fits everything one visitor knows. There are two kinds, as no single one does for all:

- of now: everything they cannot see at this moment lies elsewhere. What they saw earlier may lie elsewhere too, so
  such a twin says nothing about pages of the past.
- of the whole history: only what they have never seen, at any moment of the game, lies elsewhere. Old pages, frames for
  a page some revisions behind, and the export must not change either.

In both, whatever else is kept from them in the rows is another: seeds, draws and hashes, what others did and were
told, their standing orders, what they have answered under seal, who else is asked in a window, the names of counters
on other racks, tiles that lie face down.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.db import connection

from games import archive, models, notices, play, store
from games.engine.core.codec import encode_flow
from games.engine.core.dice import Dice
from games.engine.core.events import EVERYONE
from games.engine.core.offers import Offer
from games.engine.core.plain import plain
from games.engine.core.replay import link
from games.engine.core.state import changed_records, changes
from games.engine.fuzz import random_choice
from games.engine.kings import KINGS
from games.engine.kings.catalogue import KINDS
from games.engine.kings.orders import ORDERS, THIS_BATTLE, battle_now
from games.engine.kings.state import CUP, KingsState
from games.engine.kings.twins import hidden_from
from tests import tables
from tests.web import kings as k

GARBLED = "another"
# Answers kept until all have answered (S5), by frame.
SEALED = {"place_together": ("plans",), "exchange_together": ("returned",), "draw_together": ("paid", "traded")}
HISTORY = ("action", "draws", "told", "changes", "flow_before", "token", "hash")  # columns of an action


class Story:
    """One random game from set-up to end; `lay` makes the table's rows those of one of its moments."""

    def __init__(self, seed: str, *who: str, most: int = 900, **options: str) -> None:
        self.game = tables.running(*(who or k.NAMES), ruleset="kings", options={"last_turn": "10", **options})
        self.run = archive.replayed(archive.exported(self.game))
        self.game.seats.update(seen_at=self.game.started_at - timedelta(days=1))  # a newsreel tells them of all of it
        self.chance = Dice.seeded(seed)
        while self.run.state.result is None and len(self.run.steps) < most:
            seat, offer = self.choice()
            self.run.act(seat, offer.sample(self.chance))
        self.written = self.run.states[0]
        self.rows = [models.Action.objects.get(game=self.game, number=0), *map(self.row, range(1, self.length + 1))]
        for before, row in zip(self.rows, self.rows[1:]):
            row.hash = link(before.hash, row.seat, row.action, row.draws, row.changes, row.rules_version)
        self.rows_written = 1
        self.seen: dict[int | None, dict[int, int]] = {}

    def choice(self) -> tuple[int, Offer]:
        """Anything but to resign: a bot would take the seat, and a test would lose its player."""
        while True:
            seat, offer = random_choice(KINGS, self.run.state, self.chance)
            if offer.do != "resign":
                return seat, offer

    def state(self, number: int) -> KingsState:
        """After the action of this number; all count, silent ones too."""
        found = self.run.states[number]
        assert isinstance(found, KingsState)
        return found

    @property
    def length(self) -> int:
        return len(self.run.steps)

    # ---- rows

    def lay(self, number: int) -> None:
        """The rows as the gate would have left them after the action of this number."""
        assert number + 1 >= self.rows_written, "a story is laid down from its beginning to its end"
        models.Action.objects.bulk_create(self.rows[self.rows_written : number + 1])
        self.rows_written = number + 1
        self.write(self.state(number))
        self.write_game(number)

    def write_game(self, number: int) -> None:
        state, game = self.state(number), self.game
        game.revision, game.action_count = state.revision, number
        game.moved_at = game.started_at + timedelta(minutes=state.revision)
        game.window_since, game.deadline = game.moved_at if KINGS.window(state) else None, None
        if state.result:
            game.status, game.ended_at = game.Status.FINISHED, game.moved_at
            game.winners, game.ended_how = list(state.result.winners), state.result.how
        game.save()
        notices.write(game, store.write_asked(game, state))

    def row(self, number: int) -> models.Action:
        before, after, step = self.run.states[number - 1], self.run.states[number], self.run.steps[number - 1]
        return models.Action(
            game=self.game,
            number=number,
            revision=after.revision,
            seat=step.seat,
            token=f"story-{number:05}",
            action=plain(step.action),
            draws=plain(step.progress.draws),
            told=plain(step.progress.told),
            changes=changes(before, after),
            flow_before=encode_flow(before),
            rewind=step.progress.rewind,
            rules_version=KINGS.version,
        )

    def write(self, state: KingsState) -> None:
        """The records in which this state differs from the one the rows hold."""
        game, old = self.game, self.written
        for place in changed_records(old.hexes, state.hexes):
            models.Hex.objects.filter(game=game, place=place).update(**plain(state.hexes[place]))
        fields = ("kind", "place", "owner", "face_up", "tag", "spent")
        changed = [state.counters[number] for number in changed_records(old.counters, state.counters)]
        update("games_counter", fields, ((*(getattr(c, f) for f in fields), game.pk, c.number) for c in changed))
        position = models.Position.objects.get(game=game)
        for name, value in zip(store.POSITION_FIELDS, store.position_values(state), strict=True):
            setattr(position, name, value)
        position.hash = self.rows[state.actions].hash
        position.save()
        self.written = state
        play.forget()

    # ---- twins

    def first_seen(self, seat: int | None) -> dict[int, int]:
        """After how many actions a seat first saw each counter; those it never saw are not in it."""
        if seat not in self.seen:
            self.seen[seat] = self.first_time(lambda state: set(state.counters) - set(hidden_now(state, seat)))
        return self.seen[seat]

    @cached_property
    def first_on_map(self) -> dict[int, int]:
        return self.first_time(lambda state: {n for n, c in state.counters.items() if c.place in state.hexes})

    def first_time(self, found_in: Callable[[KingsState], set[int]]) -> dict[int, int]:
        found: dict[int, int] = {}
        for taken in range(self.length + 1):
            for number in found_in(self.state(taken)) - found.keys():
                found[number] = taken
        return found

    def twin(self, number: int, seat: int | None, seed: str, own: Iterable[int] = (), whole: bool = False) -> Twin:
        return Twin(self, number, seat, seed, set(own), whole)


def update(table: str, fields: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Many rows of a game at once; each ends with the game's key and the row's number."""
    columns = ", ".join(f"{field} = %s" for field in fields)
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {table} SET {columns} WHERE game_id = %s AND number = %s", list(rows))


def looked_back_to(revision: int) -> tuple[int, ...]:
    """The start, somewhere in the middle, and a few steps ago."""
    return (revision // 2, max(0, revision - 3), max(0, revision - 1), 0)


def asked_with(orders: dict[str, dict[str, str]], state: KingsState) -> tuple[int, ...]:
    """Who would be asked if these seats had such standing orders."""
    other = state.copy()
    other.extras["orders"] = {**state.extras["orders"], **orders}
    other.offered = None
    return KINGS.asked(other)


def hidden_now(state: KingsState, seat: int | None) -> list[int]:
    """Counters this seat cannot know; when the game is over every rack and stack is shown, and only the cup is not."""
    hidden = hidden_from(state, seat)
    return [n for n in hidden if state.counters[n].place == CUP] if state.result else hidden


class Twin:
    """Another truth behind the same View."""

    def __init__(self, story: Story, number: int, seat: int | None, seed: str, own: set[int], whole: bool) -> None:
        self.story, self.number, self.seat, self.own, self.whole = story, number, seat, own, whole
        self.chance, self.dice = random.Random(seed), Dice.seeded(seed)
        self.true = story.state(number)
        self.state = self.dealt()
        self.garble_orders()
        self.garble_window()
        if not whole:
            self.rename_racks()
            self.mix_tiles()

    @property
    def moved(self) -> int:
        """How many counters are of another kind than in truth."""
        return sum(c.kind != self.true.counters[n].kind for n, c in self.state.counters.items())

    # ---- counters

    def dealt(self) -> KingsState:
        if self.true.result or self.whole:
            return self.deal_unseen()
        found = KINGS.scramble(self.true, self.seat, self.dice)
        assert isinstance(found, KingsState)
        return found

    def deal_unseen(self) -> KingsState:
        """What this seat has never seen, dealt anew; where only creatures can lie or have lain there are creatures."""
        twin, seen = self.true.copy(), self.story.first_seen(self.seat)
        numbers = [n for n in hidden_now(twin, self.seat) if seen.get(n, self.number + 1) > self.number]
        if twin.options["reactions"] == "holders":
            numbers = [n for n in numbers if twin.kind(n).sort != "magic"]
        on_map = self.story.first_on_map
        first = [n for n in numbers if on_map.get(n, self.number + 1) <= self.number]
        kinds = [twin.counters[n].kind for n in numbers]
        self.chance.shuffle(kinds)
        kinds.sort(key=lambda kind: KINDS[kind].sort == "creature")  # creatures are taken from the end
        for number in first:
            twin.change_counter(number, kind=kinds.pop())
        self.chance.shuffle(kinds)
        for number in set(numbers) - set(first):
            twin.change_counter(number, kind=kinds.pop())
        twin.index()
        twin.offered = None
        return twin

    def rename_racks(self) -> None:
        """A counter's name on another's rack is known to its owner alone."""
        if self.true.result:
            return
        for seat in set(self.state.seats) - {self.seat}:
            for number in self.state.rack(seat):
                self.state.change_counter(number, tag=f"t{number:03}{self.chance.randrange(10**4):04}")

    # ---- what fits no counter

    def mix_tiles(self) -> None:
        """Tiles that lie face down are known to nobody."""
        down = [place for place, each in self.state.hexes.items() if not each.face_up]
        terrains = [self.state.hexes[place].terrain for place in down]
        self.chance.shuffle(terrains)
        for place, terrain in zip(down, terrains):
            self.state.change_hex(place, terrain=terrain)

    def garble_orders(self) -> None:
        """Others may have ordered anything but what would have answered a question they were openly asked."""
        self.other_orders: dict[str, dict[str, str]] = {}
        for seat in set(self.state.seats) - {self.seat}:
            made = {about: self.chance.choice(list(order.choices)) for about, order in ORDERS.items()}
            made[THIS_BATTLE] = self.chance.choice(["", battle_now(self.state)])
            others = {**self.other_orders, str(seat): made}
            if asked_with(others, self.state) == KINGS.asked(self.true) and all(
                asked_with(others, state) == KINGS.asked(state) for state in self.looked_back_at()
            ):
                self.other_orders = others
        self.state.extras["orders"] = {**self.state.extras["orders"], **self.other_orders}
        self.state.offered = None

    def looked_back_at(self) -> list[KingsState]:
        """The earlier moments at which a visitor compares a twin of the whole history with the truth."""
        back = looked_back_to(self.true.revision) if self.whole else ()
        last = {state.revision: state for state in self.story.run.states[: self.number] if state.revision in back}
        return [state for state in last.values() if isinstance(state, KingsState)]

    def garble_window(self) -> None:
        """Nobody is shown who else is asked in a window, or what they have answered."""
        self.state.flow = [KINGS.frames.decode(self.another(frame)) for frame in encode_flow(self.state)]
        self.state.offered = None
        self.state.cache.clear()

    def another(self, frame: dict[str, Any]) -> dict[str, Any]:
        if sealed := SEALED.get(frame["frame"]):
            own = {field: {k: v for k, v in frame[field].items() if k == str(self.seat)} for field in sealed}
            return {**frame, **own}
        if frame["frame"] != "window" or not frame["pending"]:
            return frame
        others = [seat for seat in self.state.order if seat not in self.own]
        mine = [seat for seat in frame["pending"] if seat in self.own]
        asked = [seat for seat in others if self.chance.random() < 0.5] or ([] if mine else others[:1])
        plays = {seat: play for seat, play in frame["plays"].items() if int(seat) in self.own}
        return {**frame, "pending": sorted([*mine, *asked]), "plays": plays}

    # ---- rows

    def lay(self) -> None:
        story = self.story
        story.write(self.state)
        position = models.Position.objects.get(game=story.game)
        position.dice_seed, position.cup_seed = self.chance.randbytes(32), self.chance.randbytes(32)
        position.hash, position.cup_number = GARBLED, position.cup_number + 7
        position.save()
        update("games_action", HISTORY, [self.told_otherwise(row) for row in story.rows[: self.number + 1]])
        self.add_silent()
        store.write_asked(story.game, self.state)
        play.forget()

    def add_silent(self) -> None:
        """Somebody else has given one order more: nothing of it may show, no number and no time (R4)."""
        game, others = self.story.game, sorted(set(self.state.seats) - self.own)
        if self.true.result or not others:
            return
        by = self.chance.choice(others)
        told = {"to": [by], "event": "order_given", "about": GARBLED, "how": GARBLED}
        models.Action.objects.create(
            game=game,
            number=self.number + 1,
            revision=self.state.revision,
            seat=by,
            token=GARBLED * 2,
            at=game.moved_at + timedelta(seconds=30),
            action={"do": GARBLED},
            told=[told],
            flow_before=encode_flow(self.state),
            hash=GARBLED,
        )
        game.action_count = self.number + 1
        models.Game.objects.filter(pk=game.pk).update(action_count=game.action_count)
        models.Position.objects.filter(game=game).update(silent={**self.state.silent, by: 1})

    def lift(self) -> None:
        """The truth again."""
        story, game = self.story, self.story.game
        position = models.Position.objects.get(game=game)
        position.dice_seed, position.cup_seed = self.seeds
        position.save()
        story.write(self.true)
        models.Action.objects.filter(game=game, number__gt=self.number).delete()
        game.action_count = self.number
        models.Game.objects.filter(pk=game.pk).update(action_count=game.action_count)
        update("games_action", HISTORY, [as_columns(row, {}) for row in story.rows[: self.number + 1]])
        store.write_asked(game, self.true)
        play.forget()

    def __enter__(self) -> Twin:
        position = models.Position.objects.get(game=self.story.game)
        self.seeds = bytes(position.dice_seed), bytes(position.cup_seed)
        self.lay()
        return self

    def __exit__(self, *error: object) -> None:
        self.lift()

    def told_otherwise(self, row: models.Action) -> tuple[Any, ...]:
        """One action as it could have been for all this seat knows."""
        other: dict[str, Any] = {
            "draws": [["cup", GARBLED, 1]],
            "hash": GARBLED,
            "told": [self.heard(told) for told in row.told for _ in range(1 if self.hears(told) else 2)],
            "changes": self.changed_otherwise(row.changes),
            "flow_before": [self.another(frame) for frame in row.flow_before],
        }
        if row.seat != self.seat:
            other |= {"action": {"do": GARBLED, "how": row.number}, "token": f"{GARBLED}-{row.number}"}
        return as_columns(row, other)

    def hears(self, told: dict[str, Any]) -> bool:
        return told["to"] == EVERYONE or self.seat in told["to"]

    def heard(self, told: dict[str, Any]) -> dict[str, Any]:
        if self.hears(told):
            return told
        kept = ("to", "event", "seat", "by", "to_seat")
        return {name: value if name in kept else garbled(value) for name, value in told.items()}

    def changed_otherwise(self, changed: dict[str, Any]) -> dict[str, Any]:
        if "orders" not in changed.get("extras", {}):
            return changed
        orders = [{**(each or {}), **self.other_orders} for each in changed["extras"]["orders"]]
        return {**changed, "extras": {**changed["extras"], "orders": orders}}


def garbled(value: Any) -> Any:
    if isinstance(value, str):
        return GARBLED
    if isinstance(value, int):
        return value + 1
    return [GARBLED, *(garbled(each) for each in value)] if isinstance(value, list) else value


def as_columns(row: models.Action, other: dict[str, Any]) -> tuple[Any, ...]:
    values = {name: other.get(name, getattr(row, name)) for name in HISTORY}
    told = (v if name in ("token", "hash") else json.dumps(v) for name, v in values.items())
    return (*told, row.game_id, row.number)
