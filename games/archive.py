"""Whole games out of the store and into it again, and checked: for bug reports, moves between sites, and trust.

An exported game holds its seeds, so whoever has the file knows everything: the command line makes one of any game, the
site only of finished ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from . import models, play, store
from .engine import RULESETS
from .engine.core.codec import state_hash
from .engine.core.dice import commit
from .engine.core.plain import plain
from .engine.core.refusals import IllegalAction
from .engine.core.replay import Run

FORMAT = 1
MOST_ACTIONS = 100_000


class BadArchive(Exception):
    """A file that is no game of ours, with what is wrong with it."""


# ---- out


def exported(game: models.Game) -> dict[str, Any]:
    position = models.Position.objects.get(game=game)
    taken = models.Action.objects.filter(game=game, number__gt=0).order_by("number")
    return {
        "kadab": FORMAT,
        "id": game.public_id,
        "ruleset": game.ruleset,
        "rules_version": game.rules_version,
        "options": game.options,
        "seats": [seat.label for seat in game.seats.select_related("player", "game").order_by("number")],
        "dice_seed": bytes(position.dice_seed).hex(),
        "cup_seed": bytes(position.cup_seed).hex(),
        "dice_commit": game.dice_commit,
        "cup_commit": game.cup_commit,
        "entropy": position.entropy,
        "seated": _draws_before_set_up(game),
        "actions": [{"seat": row.seat, "action": row.action, "hash": row.hash} for row in taken],
        "hash": position.hash,
        "state": state_hash(store.load(game)),
    }


def _draws_before_set_up(game: models.Game) -> int:
    """How often the dice had been thrown (for who sits where) before the box was opened."""
    position = models.Position.objects.get(game=game)
    rows = models.Action.objects.filter(game=game).values_list("draws", flat=True)
    return position.dice_number - sum(1 for draws in rows for stream, *_ in draws if stream == "dice")


# ---- checking


def replayed(data: Mapping[str, Any]) -> Run:
    """The game of an archive, played again from its seeds; refuses what could not have happened."""
    rules = RULESETS[data["ruleset"]]
    game = models.Game(public_id=data["id"], ruleset=data["ruleset"], rules_version=data["rules_version"])
    position = models.Position(
        dice_seed=bytes.fromhex(data["dice_seed"]), cup_seed=bytes.fromhex(data["cup_seed"]), entropy=data["entropy"]
    )
    game.dice_commit, game.cup_commit = data["dice_commit"], data["cup_commit"]
    for stream, seed, committed in (
        ("dice", position.dice_seed, game.dice_commit),
        ("cup", position.cup_seed, game.cup_commit),
    ):
        if commit(stream, game.public_id, game.rules_version, seed) != committed:
            raise BadArchive(f"the {stream} seed is not the one that was committed to")
    position.dice_number = data["seated"]
    run = Run.fresh(rules, len(data["seats"]), data["options"], store.dice_of(game, position), game=data["id"])
    for number, step in enumerate(data["actions"], start=1):
        try:
            run.act(step["seat"], rules.parse(step["action"]))
        except IllegalAction as refusal:
            raise BadArchive(f"action {number} is refused: {refusal.sentence}") from refusal
        if step.get("hash") and run.hash != step["hash"]:
            raise BadArchive(f"action {number} does not lead where it is said to lead")
    return run


def verify(game: models.Game) -> str:
    """What is wrong with a stored game; empty when its log, dice, chain and rows all agree. Never repairs."""
    try:
        run = replayed(exported(game))
    except BadArchive as fault:
        return str(fault)
    stored = store.load(game)
    if state_hash(run.state) != state_hash(stored):
        return "the rows differ from what the log leads to"
    if run.hash != models.Position.objects.get(game=game).hash:
        return "the chain's last hash is not the stored one"
    return ""


# ---- in


def parsed(data: object) -> Mapping[str, Any]:
    """An archive of the right shape, or BadArchive."""
    shapes = {
        "kadab": int,
        "id": str,
        "ruleset": str,
        "rules_version": str,
        "options": dict,
        "seats": list,
        "dice_seed": str,
        "cup_seed": str,
        "dice_commit": str,
        "cup_commit": str,
        "entropy": list,
        "seated": int,
        "actions": list,
    }
    if not isinstance(data, Mapping):
        raise BadArchive("this is not an exported game")
    for name, shape in shapes.items():
        if not isinstance(data.get(name), shape):
            raise BadArchive(f"the field {name} is missing or of the wrong kind")
    if data["kadab"] != FORMAT or data["ruleset"] not in RULESETS:
        raise BadArchive("it was made by another version, or for a game this site does not have")
    if len(data["actions"]) > MOST_ACTIONS or len(data["seats"]) not in RULESETS[data["ruleset"]].players:
        raise BadArchive("it has too many actions or the wrong number of seats")
    return data


@transaction.atomic
def imported(data: object, host: Any) -> models.Game:
    """An exported game as a table of this site, all seats on the host's device; it can be looked at and played on."""
    data = parsed(data)
    try:
        run = replayed(data)
    except (ValueError, TypeError, KeyError) as fault:
        raise BadArchive("its fields do not fit together") from fault
    if models.Game.objects.filter(public_id=data["id"]).exists():
        raise BadArchive("a game with this id is here already")
    game = models.Game(
        public_id=data["id"],
        ruleset=data["ruleset"],
        rules_version=data["rules_version"],
        options=run.state.options,
        host=host,
        is_public=False,
        dice_commit=data["dice_commit"],
        cup_commit=data["cup_commit"],
    )
    game.save()
    models.Seat.objects.bulk_create(
        models.Seat(game=game, number=number, player=host, name=str(name)[:30], held_for=models.Seat.HeldFor.HOST)
        for number, name in enumerate(data["seats"])
    )
    models.Position.objects.create(
        game=game,
        dice_seed=bytes.fromhex(data["dice_seed"]),
        cup_seed=bytes.fromhex(data["cup_seed"]),
        entropy=data["entropy"],
        dice_number=data["seated"],
    )
    play.begin(game)
    for number, step in enumerate(run.steps):
        play.act(game, step.seat, plain(step.action), revision=number, token=f"imported-{number}")
    _seat_host(game, data["seats"])
    game.refresh_from_db()
    return game


def _seat_host(game: models.Game, names: list[Any]) -> None:
    """Whoever resigned in the game has left a steward behind; here all seats are the host's."""
    for seat in game.seats.exclude(bot=""):
        seat.player, seat.bot, seat.stands_in_for, seat.wants_bot = game.host, "", None, False
        seat.name = str(names[seat.number])[:30]
        seat.save(update_fields=["player", "bot", "stands_in_for", "wants_bot", "name"])
