"""Rows to State and back: lay a game down, take it up, save what changed, step back through its history."""

from __future__ import annotations

import dataclasses
import secrets
from typing import Any

from django.utils import timezone

from . import models
from .engine import RULESETS
from .engine.core.codec import decode_result, encode_flow
from .engine.core.dice import Dice, commit, mix
from .engine.core.plain import plain
from .engine.core.replay import link
from .engine.core.rules import Progress, Rules
from .engine.core.state import Counter, Hex, Result, Seat, State, changed_records, changes
from .prepared import Prepared

SEED_BYTES = 32


def rules_of(game: models.Game) -> Rules:
    return RULESETS[game.ruleset]


# ---- the dice


def new_seeds(game: models.Game) -> models.Position:
    """Two seeds and their published commitments (reliability.md, verifiable dice, 1)."""
    position = models.Position(
        game=game, dice_seed=secrets.token_bytes(SEED_BYTES), cup_seed=secrets.token_bytes(SEED_BYTES)
    )
    game.dice_commit, game.cup_commit = (
        commit(stream, game.public_id, game.rules_version, seed)
        for stream, seed in (("dice", position.dice_seed), ("cup", position.cup_seed))
    )
    return position


def dice_of(game: models.Game, position: models.Position) -> Dice:
    """The game's two streams, mixed with what the seats added."""
    keys = (
        mix(stream, game.public_id, committed, bytes(seed), position.entropy)
        for stream, committed, seed in (
            ("dice", game.dice_commit, position.dice_seed),
            ("cup", game.cup_commit, position.cup_seed),
        )
    )
    return Dice(*keys, numbers=(position.dice_number, position.cup_number))


# ---- laying down


def create(game: models.Game, position: models.Position, start: Progress) -> None:
    """Rows for everything in the box, and the set-up as action number 0."""
    state = start.state
    position.game = game
    write_position(position, state)
    position.hash = link("", None, None, (), {"options": plain(dict(state.options))})
    position.save()
    write_seats(game, state, list(state.seats))
    models.Hex.objects.bulk_create(models.Hex(game=game, **plain(each)) for each in state.hexes.values())
    models.Counter.objects.bulk_create(models.Counter(game=game, **plain(each)) for each in state.counters.values())
    models.Action.objects.create(
        game=game,
        number=0,
        token="set-up",
        action={"do": "set_up"},
        draws=plain(start.draws),
        told=plain(start.told),
        hash=position.hash,
    )


# ---- taking up


def load(game: models.Game) -> State:
    position = models.Position.objects.get(game=game)
    rules = rules_of(game)
    return rules.state_kind(
        game=game.public_id,
        options=game.options,
        dice=dice_of(game, position),
        seats={row["number"]: Seat(**row) for row in _rows(models.Seat, game, Seat)},
        hexes={row["place"]: Hex(**row) for row in _rows(models.Hex, game, Hex)},
        counters={row["number"]: Counter(**row) for row in _rows(models.Counter, game, Counter)},
        extras=position.extras,
        flow=[rules.frames.decode(frame) for frame in position.flow],
        result=Result(tuple(game.winners), game.ended_how) if game.ended_how else None,
        actions=game.revision,
        serial=position.serial,
        era=position.era,
    )


def _rows(model: type[Any], game: models.Game, record: type[Any]) -> Any:
    fields = [field.name for field in dataclasses.fields(record)]
    return model.objects.filter(game=game).order_by().values(*fields)


# ---- saving what changed


def save(
    game: models.Game, before: State, after: State, seat: int, action: Any, progress: Progress, token: str
) -> models.Action:
    """Write the records that are not the old ones, the flow, the draw numbers, and the action itself."""
    (position,) = POSITIONS(game.pk)
    changed = changes(before, after)
    position.hash = link(position.hash, seat, plain(action), progress.draws, changed)
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
        seat=seat,
        token=token,
        action=plain(action),
        draws=plain(progress.draws),
        told=plain(progress.told),
        changes=changed,
        flow_before=encode_flow(before),
        rewind=progress.rewind,
        hash=position.hash,
    )


POSITION_FIELDS = ("dice_number", "cup_number", "flow", "extras", "serial", "era", "hash")


def write_position(position: models.Position, state: State) -> None:
    position.dice_number, position.cup_number = state.dice.numbers
    position.flow, position.extras = encode_flow(state), state.extras
    position.serial, position.era = state.serial, state.era


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
    if game.has_secrets != rules.has_secrets(state):
        game.has_secrets = not game.has_secrets
        game.save(update_fields=["has_secrets"])
    return seats


SEATS = Prepared(lambda: models.Seat.objects.filter(game_id=0).order_by())
POSITIONS = Prepared(lambda: models.Position.objects.only("id", "game_id", "hash").filter(game_id=0).order_by())


# ---- going back


def state_at(game: models.Game, now: State, revision: int) -> State:
    """The game as it was after the action of this number; runs changes backwards and executes no rules."""
    state = now.copy()
    rules = rules_of(game)
    flow = None
    later = models.Action.objects.filter(game=game, number__gt=revision, number__lte=now.actions)
    for row in later.order_by("-number"):
        undo_changes(state, row.changes)
        flow = row.flow_before
    if flow is not None:
        state.flow = [rules.frames.decode(frame) for frame in flow]
    state.actions = revision
    return state


def undo_changes(state: State, changed: dict[str, Any]) -> None:
    for number, fields in changed.get("seats", {}).items():
        state.change_seat(int(number), **{name: old for name, (old, _) in fields.items()})
    for place, fields in changed.get("hexes", {}).items():
        state.change_hex(place, **{name: old for name, (old, _) in fields.items()})
    for number, fields in changed.get("counters", {}).items():
        state.change_counter(int(number), **{name: old for name, (old, _) in fields.items()})
    for name, (old, _) in changed.get("extras", {}).items():
        state.extras[name] = old
    if "result" in changed:
        state.result = decode_result(changed["result"][0])
