"""Rows to State and back: lay a game down, take it up, save what changed, step back through its history."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import secrets
import zlib
from collections import Counter as Counts
from collections.abc import Callable, Iterable
from typing import Any

from django.utils import timezone

from . import models
from .clocks import clock_of
from .engine import RULESETS
from .engine.core.codec import decode, decode_result, encode, encode_flow
from .engine.core.dice import STREAMS, Dice, commit, lp, mix
from .engine.core.plain import plain
from .engine.core.plans import Plan, due, read_plans
from .engine.core.replay import first_link, link
from .engine.core.rules import Progress, Rules
from .engine.core.shapes import GIVEN_UP, Shape, Unreadable, short
from .engine.core.state import Counter, Hex, Seat, State, changed_records, changes
from .hands import CLOCK_FIELDS, next_deadline, wind
from .prepared import Prepared, Writing

SEED_BYTES = 32
SNAPSHOT_EVERY = 50  # actions; a snapshot takes about 6 kB


def rules_of(game: models.Game) -> Rules:
    return RULESETS[game.ruleset]


def check_version(game: models.Game) -> None:
    """Refuse a game that was opened, or has been played on, under newer rules than this code has."""
    if game.ruleset not in RULESETS:
        raise Unreadable(f"there is no game called {short(game.ruleset)}")
    rules = rules_of(game)
    rules.check_version(game.rules_version)
    last = models.Action.objects.filter(game=game).order_by("-number").values_list("rules_version", flat=True)
    for version in last[:1]:
        rules.check_version(version)


# ---- the dice


def new_seeds(game: models.Game, lesson: str = "") -> models.Position:
    """Two seeds and their published commitments (reliability.md, verifiable dice, 1).

    A lesson has the seeds of its script: the same every time."""
    if game.is_lesson:
        dice_seed, cup_seed = lesson_seeds(lesson)
    else:
        dice_seed, cup_seed = secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SEED_BYTES)
    position = models.Position(game=game, dice_seed=dice_seed, cup_seed=cup_seed)
    game.dice_commit, game.cup_commit = (
        commit(stream, game.public_id, game.rules_version, seed)
        for stream, seed in (("dice", dice_seed), ("cup", cup_seed))
    )
    return position


def lesson_seeds(lesson: str) -> tuple[bytes, bytes]:
    dice, cup = (hashlib.sha256(lp("kadab/lesson", stream, lesson)).digest() for stream in STREAMS)
    return dice, cup


def dice_of(game: models.Game, position: models.Position) -> Dice:
    """The game's two streams, mixed with what the seats added.

    In a lesson the seeds are the keys: mixed with the table's id, each lesson would have other dice."""
    if game.is_lesson:
        numbers = (position.dice_number, position.cup_number)
        return Dice(bytes(position.dice_seed), bytes(position.cup_seed), numbers=numbers)
    dice_key, cup_key = (
        mix(stream, game.public_id, committed, bytes(seed), position.entropy)
        for stream, committed, seed in (
            ("dice", game.dice_commit, position.dice_seed),
            ("cup", game.cup_commit, position.cup_seed),
        )
    )
    return Dice(dice_key, cup_key, numbers=(position.dice_number, position.cup_number))


# ---- laying down


def create(game: models.Game, position: models.Position, start: Progress) -> None:
    """Rows for everything in the box, and the set-up as action number 0."""
    state = start.state
    position.game = game
    for name, value in zip(POSITION_FIELDS, position_values(state), strict=True):
        setattr(position, name, value)
    position.hash = first_link(state, rules_of(game).version)
    position.save()
    models.Hex.objects.bulk_create(models.Hex(game=game, **plain(each)) for each in state.hexes.values())
    models.Counter.objects.bulk_create(models.Counter(game=game, **plain(each)) for each in state.counters.values())
    models.Action.objects.create(
        game=game,
        number=0,
        token="set-up",
        rules_version=rules_of(game).version,
        action={"do": "set_up"},
        draws=plain(start.draws),
        told=plain(start.told),
        hash=position.hash,
    )


# ---- taking up


def load(game: models.Game) -> State:
    """The newest state of a game, or Unreadable if this code cannot read what is stored."""
    check_version(game)
    rules, position = rules_of(game), models.Position.objects.filter(game=game).first()
    if position is None:
        raise Unreadable("it has no position")
    hexes = {row["place"]: Hex(**row) for row in _rows(models.Hex, game, Hex)}
    counters = {row["number"]: Counter(**row) for row in _rows(models.Counter, game, Counter)}
    rules.check_kinds(counters, hexes)
    if not position.flow and not game.ended_how:  # nobody would be asked anything for ever, and no action could be done
        raise Unreadable("the flow is empty, but the game has not ended")
    try:
        return rules.state_kind(
            game=game.public_id,
            options=rules.stored_options(game.options),
            dice=dice_of(game, position),
            seats={row["number"]: Seat(**row) for row in _rows(models.Seat, game, Seat)},
            hexes=hexes,
            counters=counters,
            extras=rules.stored_extras(position.extras),
            flow=rules.frames.decode_flow(position.flow),
            result=decode_result({"winners": game.winners, "how": game.ended_how} if game.ended_how else None),
            actions=game.action_count,
            revision=game.revision,
            silent={int(seat): count for seat, count in position.silent.items()},
            serial=position.serial,
            era=position.era,
        )
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise Unreadable("its rows do not fit together") from fault


def _rows(model: type[Any], game: models.Game, record: type[Any]) -> Any:
    fields = [field.name for field in dataclasses.fields(record)]
    return model.objects.filter(game=game).order_by().values(*fields)


# ---- saving what changed


class Outdated(Exception):
    """Somebody else has acted in this game since its rows were read."""


def save(
    game: models.Game,
    seats: list[models.Seat],
    links_to: str,
    before: State,
    after: State,
    seat: int | None,
    action: Any,
    progress: Progress,
    token: str,
) -> models.Action:
    """Write the rows that are not the old ones, the flow, the draw numbers and the action: a statement for each table.

    The game's row comes as it is to be, the seats as they were; `links_to` is the hash of the action before. The first
    statement finds out whether anybody has acted since, and keeps others out where the database locks rows.
    """
    keeps = keeps_deadline(game)
    asked = put_questions(game, after, seats, seat)
    fields, written = (IN_WINDOW_FIELDS, IN_WINDOW_WRITTEN) if keeps else (GAME_FIELDS, GAME_WRITTEN)
    if not written((*_values(game, fields), game.pk, before.actions)):
        raise Outdated
    changed, rules = changes(before, after), rules_of(game)
    row = models.Action(
        game=game,
        number=after.actions,
        revision=after.revision,
        seat=seat,
        token=token,
        rules_version=rules.version,
        action=plain(action),
        draws=plain(progress.draws),
        told=plain(progress.told),
        changes=changed,
        flow_before=flow_of(before),
        rewind=progress.rewind,
    )
    row.hash = link(links_to, seat, row.action, progress.draws, changed, rules.version)
    if not POSITION_WRITTEN((*position_values(after), row.hash, game.pk, links_to)):
        raise Outdated
    SEATS_WRITTEN(*((*_values(each, SEAT_FIELDS), each.pk) for each in asked))
    COUNTERS_WRITTEN(
        *(
            (*_values(after.counters[number], COUNTER_FIELDS), game.pk, number)
            for number in changed_records(before.counters, after.counters)
        )
    )
    HEXES_WRITTEN(
        *(
            (*_values(after.hexes[place], HEX_FIELDS), game.pk, place)
            for place in changed_records(before.hexes, after.hexes)
        )
    )
    ACTION_ADDED(_values(row, ACTION_FIELDS))
    if after.actions % SNAPSHOT_EVERY == 0:
        SNAPSHOT_ADDED((game.pk, after.actions, after.revision, packed(after)))
    return row


def _values(row: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple([getattr(row, name) for name in names])


GAME_FIELDS = (
    *("action_count", "revision", "moved_at", "window_since", "has_secrets"),
    *("status", "ended_at", "winners", "ended_how", "deadline"),
)
IN_WINDOW_FIELDS = tuple(name for name in GAME_FIELDS if name != "deadline")
POSITION_FIELDS = ("dice_number", "cup_number", "flow", "extras", "serial", "era", "silent")
ASKED_FIELDS = ("is_asked", "asked_openly", "decision", "wants_bot")
OWNED_FIELDS = ("gold", "out", *ASKED_FIELDS, "asked_at")
SEAT_FIELDS = (*OWNED_FIELDS, *CLOCK_FIELDS, "in_time")
COUNTER_FIELDS = ("kind", "place", "owner", "face_up", "tag", "spent")
HEX_FIELDS = ("terrain", "face_up", "owner", "fort", "damage")
ACTION_FIELDS = (
    *("game_id", "number", "revision", "seat", "token", "at", "rules_version", "action"),
    *("draws", "told", "changes", "flow_before", "rewind", "hash"),
)
GAME_WRITTEN = Writing(models.Game, GAME_FIELDS, ("id", "action_count"))
IN_WINDOW_WRITTEN = Writing(models.Game, IN_WINDOW_FIELDS, ("id", "action_count"))
POSITION_WRITTEN = Writing(models.Position, (*POSITION_FIELDS, "hash"), ("game", "hash"))
SEATS_WRITTEN = Writing(models.Seat, SEAT_FIELDS, ("id",))
COUNTERS_WRITTEN = Writing(models.Counter, COUNTER_FIELDS, ("game", "number"))
HEXES_WRITTEN = Writing(models.Hex, HEX_FIELDS, ("game", "place"))
ACTION_ADDED = Writing(models.Action, (name.removesuffix("_id") for name in ACTION_FIELDS))
SNAPSHOT_ADDED = Writing(models.Snapshot, ("game", "number", "revision", "state"))


def position_values(state: State) -> tuple[Any, ...]:
    """What Position holds of a state, in the order of POSITION_FIELDS."""
    silent = {str(seat): count for seat, count in state.silent.items()}
    return (*state.dice.numbers, flow_of(state), state.extras, state.serial, state.era, silent)


def flow_of(state: State) -> list[dict[str, Any]]:
    """The flow in plain values; written with an action, and once more as what stood before the next one."""
    if "flow" not in state.cache:
        state.cache["flow"] = encode_flow(state)
    flow: list[dict[str, Any]] = state.cache["flow"]
    return flow


def links_to(game: models.Game) -> str:
    """The hash of a game's last action, which the next one links to."""
    return POSITIONS(game.pk)[0].hash


def seats_of(game: models.Game) -> list[models.Seat]:
    """A game's seats by number, with their players."""
    return models.seats_of(game)


def put_questions(
    game: models.Game, state: State, seats: list[models.Seat], by: int | None = None
) -> list[models.Seat]:
    """Bring the rows up to a state: what each seat owns, who is waited for and until when, whether anything is hidden.

    Nothing is written yet; returns the seats that have changed. `by` is the seat that acted."""
    rules, changed, clock, now = rules_of(game), [], clock_of(game.clock), timezone.now()
    asked, openly = rules.asked(state), rules.asked_openly(state)
    for seat in seats:
        owned, decision = state.seats[seat.number], rules.decision(state, seat.number)
        values = (
            *(owned.gold, owned.out, seat.number in asked, seat.number in openly, decision),
            *(wants_bot(rules, state, seat), seat.asked_at),
        )
        stays = decision == seat.decision or seat.number == by
        is_new = values != _values(seat, OWNED_FIELDS)
        if is_new:
            if decision != seat.decision:
                seat.asked_at = now if decision else None
            seat.gold, seat.out, seat.is_asked, seat.asked_openly, seat.decision, seat.wants_bot, _ = values
        if (clock is not None and wind(clock, game, seat, stays, now)) or is_new:
            changed.append(seat)
    game.has_secrets = rules.has_secrets(state, _shared(seats))
    if clock is not None and not keeps_deadline(game):
        game.deadline = next_deadline(clock, game, seats)
    return changed


def wants_bot(rules: Rules, state: State, seat: models.Seat) -> bool:
    """Whether a bot should answer for this seat, or a plan its player has made for what it is asked now."""
    is_asked = seat.number in rules.asked(state)
    if is_asked and has_plan_due(rules, state, seat):
        return True
    return bool(seat.bot) and (is_asked or any(offer.reply for offer in rules.offers(state, seat.number)))


def has_plan_due(rules: Rules, state: State, seat: models.Seat) -> bool:
    if not seat.plans or rules.plans is None:
        return False
    return bool(due(plans_of(rules, seat), rules.plan_moment(state, seat.number), rules.plans.passes))


def plans_of(rules: Rules, seat: models.Seat) -> dict[str, Plan]:
    """What a seat has planned. Plans that this code cannot read are no more: their player is asked instead."""
    try:
        return read_plans(seat.plans, rules.plans)
    except Unreadable:
        return {}


def keeps_deadline(game: models.Game) -> bool:
    """Whether the game stands in the same window as before: then its end is not written again, as it may have been
    moved since this row was read, and nothing that anybody does in a window moves it (R4)."""
    running = game.status == game.Status.RUNNING
    return running and game.window_since is not None and game.deadline is not None


def write_asked(game: models.Game, state: State) -> list[models.Seat]:
    """Write who is asked, without an action: at the start, and when rules have changed. Returns all seats."""
    seats = seats_of(game)
    for seat in put_questions(game, state, seats):
        seat.save(update_fields=SEAT_FIELDS)
    game.save(update_fields=["has_secrets", "deadline"])
    return seats


def _shared(seats: list[models.Seat]) -> list[int]:
    """Seats whose players sit in more than one."""
    players = Counts(seat.player_id for seat in seats)
    return [seat.number for seat in seats if seat.player_id is not None and players[seat.player_id] > 1]


POSITIONS = Prepared(lambda: models.Position.objects.only("id", "game_id", "hash").filter(game_id=0).order_by())


# ---- going back


def state_at(game: models.Game, now: State, revision: int) -> State:
    """The game as it was when the next revision was about to come.

    Runs changes backwards from the next snapshot, or from now, and executes no rules."""
    taken = list(models.Snapshot.objects.filter(game=game).order_by("number").values_list("number", "revision"))
    start = _snapshot(game, now, next((number for number, at in taken if at > revision), now.actions))
    # Nothing up to a snapshot of an earlier revision belongs to this one.
    after = max((number for number, at in taken if at < revision), default=-1)
    rows = models.Action.objects.filter(
        game=game, number__gt=after, number__lte=start.actions, revision__gte=revision
    ).order_by("-number")
    later = [row for row in rows if row.revision > revision]
    *silent, _ = (row for row in rows if row.revision == revision)  # the first of them made the revision
    state = _undone(game, start, later)
    state.revision, state.silent = revision, Counts(row.seat for row in silent if row.seat is not None)
    return state


def _snapshot(game: models.Game, now: State, number: int) -> State:
    """The state kept after this action; `now` where there is none, or none that this code can read."""
    row = models.Snapshot.objects.filter(game=game, number=number).first() if number < now.actions else None
    if row is None:
        return now
    try:
        state = unpacked(rules_of(game), bytes(row.state), now.dice)
    except Unreadable:  # snapshots are only a short cut, so none is ever upgraded
        return now
    state.options, state.serial, state.era = now.options, now.serial, now.era
    return state


def packed(state: State) -> bytes:
    return zlib.compress(json.dumps(encode(state), separators=(",", ":")).encode())


def unpacked(rules: Rules, data: bytes, dice: Dice) -> State:
    try:
        found = json.loads(zlib.decompress(data))
        return decode(found, rules.frames, dice, rules.state_kind, rules.extras_shape)
    except (zlib.error, ValueError, TypeError, KeyError, IndexError, AttributeError) as fault:
        raise Unreadable("a snapshot cannot be read") from fault


def state_after(game: models.Game, now: State, number: int) -> State:
    """The same after the action of this number, to go on from it; `now` is where revisions go on."""
    later = models.Action.objects.filter(game=game, number__gt=number, number__lte=now.actions).order_by("-number")
    return _undone(game, now, later)


def _undone(game: models.Game, now: State, later: Iterable[models.Action]) -> State:
    """`now` without its last actions, which come newest first."""
    state, rules, first = now.copy(), rules_of(game), None
    for first in later:
        undo_changes(rules, state, first.changes)
    if first is not None:
        state.flow = rules.frames.decode_flow(first.flow_before)
        state.actions = first.number - 1
    return state


def undo_changes(rules: Rules, state: State, changed: object) -> None:
    """Put back the old values of one action's changes, by the names fields have today."""
    if not isinstance(changed, dict) or (unknown := sorted(set(changed) - {*CHANGED, "extras", "result"})):
        raise Unreadable(f"an action changed {short(unknown[0])}" if isinstance(changed, dict) else NOT_CHANGES)
    try:
        for what, (change, record, key) in CHANGED.items():
            shape = rules.record_shapes[record]
            for name, fields in changed.get(what, {}).items():
                getattr(state, change)(key(name), **old_values(shape, fields))
        for name, old in old_values(rules.extras_shape, changed.get("extras", {})).items():
            if old is None and name in rules.extras_shape.may_be_absent:
                state.extras.pop(name, None)
            else:
                state.extras[name] = old
        if "result" in changed:
            state.result = decode_result(changed["result"][0])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as fault:
        raise Unreadable(NOT_CHANGES) from fault


NOT_CHANGES = "the changes of an action cannot be read"
CHANGED: dict[str, tuple[str, type[Any], Callable[[str], Any]]] = {
    "seats": ("change_seat", Seat, int),
    "hexes": ("change_hex", Hex, str),
    "counters": ("change_counter", Counter, int),
}


def old_values(shape: Shape, fields: dict[str, Any]) -> dict[str, Any]:
    """The first of each pair of values: what the field held before."""
    named = {shape.name_today(name): pair for name, pair in fields.items()}
    return {name: old for name, (old, _) in named.items() if name != GIVEN_UP}
