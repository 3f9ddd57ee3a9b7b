"""Whole games out of the store and into it again, and checked: for bug reports, moves between sites, and trust.

An exported game holds its seeds, so whoever has the file knows everything: the command line makes one of any game, the
site only of finished ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from . import models, play, store
from . import verify as checking
from .engine import RULESETS
from .engine.core.codec import state_hash
from .engine.core.dice import commit
from .engine.core.plain import plain
from .engine.core.refusals import IllegalAction
from .engine.core.replay import FIRST_VERSION, Run, first_link, link
from .engine.core.shapes import Unreadable
from .engine.core.state import changes

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
        "lesson": game.is_lesson,
        "seats": [seat.label for seat in game.seats.select_related("player", "game").order_by("number")],
        "dice_seed": bytes(position.dice_seed).hex(),
        "cup_seed": bytes(position.cup_seed).hex(),
        "dice_commit": game.dice_commit,
        "cup_commit": game.cup_commit,
        "entropy": position.entropy,
        "seated": _draws_before_set_up(game),
        "bots": position.extras.get("bots", []),
        "set_up_rules": models.Action.objects.get(game=game, number=0).rules_version,
        "actions": [
            {"seat": row.seat, "action": row.action, "rules": row.rules_version, "hash": row.hash} for row in taken
        ],
        "hash": position.hash,
        "state": _state_hash(game),
    }


def _state_hash(game: models.Game) -> str:
    """Empty for a game that needs an upgrade: it can still be taken along, for a bug report or an older release."""
    try:
        return state_hash(store.load(game))
    except Unreadable:
        return ""


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
    game.is_lesson = is_lesson(data)
    dice_seed, cup_seed = bytes.fromhex(data["dice_seed"]), bytes.fromhex(data["cup_seed"])
    position = models.Position(dice_seed=dice_seed, cup_seed=cup_seed, entropy=data["entropy"])
    game.dice_commit, game.cup_commit = data["dice_commit"], data["cup_commit"]
    for stream, seed, committed in (
        ("dice", dice_seed, game.dice_commit),
        ("cup", cup_seed, game.cup_commit),
    ):
        if commit(stream, game.public_id, game.rules_version, seed) != committed:
            raise BadArchive(f"the {stream} seed is not the one that was committed to")
    position.dice_number = data["seated"]
    bots = tuple(data.get("bots", ()))
    run = Run.fresh(rules, len(data["seats"]), data["options"], store.dice_of(game, position), data["id"], bots)
    chain = first_link(run.state, data.get("set_up_rules", FIRST_VERSION))
    for number, step in enumerate(data["actions"], start=1):
        version = step.get("rules", FIRST_VERSION)
        older = "" if version == rules.version else f" today; it was taken under older rules (version {version})"
        try:
            progress = run.act(step["seat"], rules.parse_logged(step["action"]))
        except IllegalAction as refusal:
            raise BadArchive(f"action {number} is refused{older}: {refusal.sentence}") from refusal
        except Unreadable as fault:
            raise BadArchive(f"action {number} cannot be read: {fault}") from fault
        changed = changes(run.states[-2], run.state)
        chain = link(chain, step["seat"], step["action"], progress.draws, changed, version)
        if step.get("hash") and chain != step["hash"]:
            raise BadArchive(f"action {number} does not lead where it is said to lead{older}")
    return run


def is_lesson(data: Mapping[str, Any]) -> bool:
    """Whether an archive is of a lesson, whose seeds are not mixed with the table's id; older archives do not say."""
    return data.get("lesson") is True


def verify(game: models.Game) -> str:
    """What is wrong with a stored game, in words; empty when all that can be checked agrees. Never repairs."""
    return "; ".join(map(str, checking.verify(game.pk).found))


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
    _check_versions(data)
    return data


def _check_versions(data: Mapping[str, Any]) -> None:
    """Refuse a game of newer rules than this site has."""
    rules = RULESETS[data["ruleset"]]
    steps = [step.get("rules", FIRST_VERSION) for step in data["actions"] if isinstance(step, dict)]
    for version in (data["rules_version"], data.get("set_up_rules", FIRST_VERSION), *steps):
        try:
            rules.check_version(str(version))
        except Unreadable as fault:
            raise BadArchive(str(fault)) from fault


@transaction.atomic
def imported(data: object, host: Any) -> models.Game:
    """An exported game as a table of this site, all seats on the host's device; it can be looked at and played on."""
    data = parsed(data)
    try:
        run = replayed(data)
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise BadArchive("its fields do not fit together") from fault
    except IllegalAction as refusal:
        raise BadArchive(f"its options are refused: {refusal.sentence}") from refusal
    if models.Game.objects.filter(public_id=data["id"]).exists():
        raise BadArchive("a game with this id is here already")
    game = models.Game(
        public_id=data["id"],
        ruleset=data["ruleset"],
        rules_version=data["rules_version"],
        options=run.state.options,
        host=host,
        is_public=False,
        is_lesson=is_lesson(data),
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
    play.begin(game, data.get("bots", ()))
    revision = game.revision
    for number, step in enumerate(run.steps):
        if step.seat is None:
            play.house_acts(game, step.action)
            revision = game.revision
        else:
            token = f"imported-{number}"
            revision = play.act(game, step.seat, plain(step.action), revision=revision, token=token).revision
    _seat_host(game, data["seats"])
    game.refresh_from_db()
    return game


def _seat_host(game: models.Game, names: list[Any]) -> None:
    """Whoever resigned in the game has left a steward behind; here all seats are the host's."""
    for seat in game.seats.exclude(bot=""):
        seat.player, seat.bot, seat.stands_in_for, seat.wants_bot = game.host, "", None, False
        seat.name = str(names[seat.number])[:30]
        seat.save(update_fields=["player", "bot", "stands_in_for", "wants_bot", "name"])
