"""Rows to State and back: lay a game down, take it up, save what changed, step back through its history."""

from __future__ import annotations

import dataclasses
import secrets
from collections import Counter as Counts
from collections.abc import Callable, Iterable
from typing import Any

from django.utils import timezone

from . import models
from .engine import RULESETS
from .engine.core.codec import decode_result, encode_flow
from .engine.core.dice import Dice, commit, mix
from .engine.core.plain import plain
from .engine.core.replay import first_link, link
from .engine.core.rules import Progress, Rules
from .engine.core.shapes import GIVEN_UP, Shape, Unreadable, short
from .engine.core.state import Counter, Hex, Seat, State, changed_records, changes
from .prepared import Prepared

SEED_BYTES = 32


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


def new_seeds(game: models.Game) -> models.Position:
    """Two seeds and their published commitments (reliability.md, verifiable dice, 1)."""
    dice_seed, cup_seed = secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SEED_BYTES)
    position = models.Position(game=game, dice_seed=dice_seed, cup_seed=cup_seed)
    game.dice_commit, game.cup_commit = (
        commit(stream, game.public_id, game.rules_version, seed)
        for stream, seed in (("dice", dice_seed), ("cup", cup_seed))
    )
    return position


def dice_of(game: models.Game, position: models.Position) -> Dice:
    """The game's two streams, mixed with what the seats added."""
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
    write_position(position, state)
    position.hash = first_link(state, rules_of(game).version)
    position.save()
    write_seats(game, state, list(state.seats))
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


def save(
    game: models.Game, before: State, after: State, seat: int | None, action: Any, progress: Progress, token: str
) -> models.Action:
    """Write the records that are not the old ones, the flow, the draw numbers, and the action itself."""
    (position,) = POSITIONS(game.pk)
    changed = changes(before, after)
    position.hash = link(position.hash, seat, plain(action), progress.draws, changed, rules_of(game).version)
    write_position(position, after)
    position.save(update_fields=POSITION_FIELDS)
    write_seats(game, after, changed_records(before.seats, after.seats))
    for number in changed_records(before.counters, after.counters):
        models.Counter.objects.filter(game=game, number=number).update(**plain(after.counters[number]))
    for place in changed_records(before.hexes, after.hexes):
        models.Hex.objects.filter(game=game, place=place).update(**plain(after.hexes[place]))
    return models.Action.objects.create(
        game=game,
        number=after.actions,
        revision=after.revision,
        seat=seat,
        token=token,
        rules_version=rules_of(game).version,
        action=plain(action),
        draws=plain(progress.draws),
        told=plain(progress.told),
        changes=changed,
        flow_before=encode_flow(before),
        rewind=progress.rewind,
        hash=position.hash,
    )


POSITION_FIELDS = ("dice_number", "cup_number", "flow", "extras", "serial", "era", "silent", "hash")


def write_position(position: models.Position, state: State) -> None:
    position.dice_number, position.cup_number = state.dice.numbers
    position.flow, position.extras = encode_flow(state), state.extras
    position.serial, position.era = state.serial, state.era
    position.silent = {str(seat): count for seat, count in state.silent.items()}


def write_seats(game: models.Game, state: State, numbers: list[int]) -> None:
    for number in numbers:
        models.Seat.objects.filter(game=game, number=number).update(**plain(state.seats[number]))


def write_asked(game: models.Game, state: State) -> list[models.Seat]:
    """Who is waited for, and whether there is anything to hide, in columns; returns the seats as they are then."""
    rules = rules_of(game)
    asked, openly = rules.asked(state), rules.asked_openly(state)
    seats = SEATS(game.pk)
    for seat in seats:
        decision = rules.decision(state, seat.number)
        replies = seat.bot and any(offer.reply for offer in rules.offers(state, seat.number))
        values = (
            seat.number in asked,
            seat.number in openly,
            decision,
            bool(seat.bot and (seat.number in asked or replies)),
        )
        if values != (seat.is_asked, seat.asked_openly, seat.decision, seat.wants_bot):
            if decision != seat.decision:
                seat.asked_at = timezone.now() if decision else None
            seat.is_asked, seat.asked_openly, seat.decision, seat.wants_bot = values
            seat.save(update_fields=["is_asked", "asked_openly", "decision", "wants_bot", "asked_at"])
    if game.has_secrets != rules.has_secrets(state, _shared(seats)):
        game.has_secrets = not game.has_secrets
        game.save(update_fields=["has_secrets"])
    return seats


def _shared(seats: list[models.Seat]) -> list[int]:
    """Seats whose players sit in more than one."""
    players = Counts(seat.player_id for seat in seats)
    return [seat.number for seat in seats if seat.player_id is not None and players[seat.player_id] > 1]


SEATS = Prepared(lambda: models.Seat.objects.filter(game_id=0).order_by())
POSITIONS = Prepared(lambda: models.Position.objects.only("id", "game_id", "hash").filter(game_id=0).order_by())


# ---- going back


def state_at(game: models.Game, now: State, revision: int) -> State:
    """The game as it was when the next revision was about to come; runs changes backwards and executes no rules."""
    rows = models.Action.objects.filter(game=game, revision__gte=revision, number__lte=now.actions).order_by("-number")
    later = [row for row in rows if row.revision > revision]
    *silent, _ = (row for row in rows if row.revision == revision)  # the first of them made the revision
    state = _undone(game, now, later)
    state.revision, state.silent = revision, Counts(row.seat for row in silent if row.seat is not None)
    return state


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
