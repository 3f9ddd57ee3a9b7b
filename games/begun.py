"""Verbs for a table that has begun: a bot stands in, a player comes back, a window is closed, everybody plays again,
others are shown how it went.

They lock, check and refuse as the lobby's verbs do (games/lobby.py).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from . import doorbell, lobby, models, notices, play, timekeeper
from .clocks import PAUSES
from .engine import RULESETS
from .engine.core.house import GiveSeatBack, GoOn, Pause
from .engine.core.refusals import IllegalAction
from .hands import CLOCK_FIELDS
from .models import Game, Seat
from .silence import is_silent, may_go_on

# ---- silence, and coming back


def stand_in(game: Game, player: Any, number: int) -> Seat:
    """Let a bot play on for somebody who has not answered for days. Any other player may do this, and the host."""
    with transaction.atomic():
        lobby.lock(game)
        if game.status != Game.Status.RUNNING:
            raise IllegalAction("not_running")
        if not has_say(game, player, still_playing=True):
            raise IllegalAction("not_seated")
        seat = lobby.seat_at(game, number)
        if not is_silent(seat) or seat.player_id == player.pk:
            raise IllegalAction("not_silent", days=settings.SILENT_DAYS)
        play.keep_seat(seat)
        doorbell.ring_people(game)
    return seat


def go_on(game: Game, player: Any) -> None:
    """End a window that has stood open for days: the house answers for all who still owe an answer (R4).

    Anybody who sits at the table may do this, and the host."""
    with transaction.atomic():
        lobby.lock(game)
        if game.status != Game.Status.RUNNING:
            raise IllegalAction("not_running")
        if not has_say(game, player):
            raise IllegalAction("not_seated")
        if not may_go_on(game):
            raise IllegalAction("too_early", days=settings.SILENT_DAYS)
        play.house_acts(game, GoOn())


def has_say(game: Game, player: Any, still_playing: bool = False) -> bool:
    """Whether this is somebody with a seat here, or the host even if only bots and others play.

    With `still_playing`, those who are out of the game have no say.
    """
    if not player.is_authenticated:
        return False
    own = [seat for seat in game.seats.all() if seat.player_id == player.pk]
    return game.host_id == player.pk or any(not (still_playing and seat.out) for seat in own)


def silent_seats(game: Game, player: Any) -> list[Seat]:
    """Seats of silent players that this player may give to a bot now."""
    if game.status != Game.Status.RUNNING or not has_say(game, player, still_playing=True):
        return []
    seats = game.seats.select_related("game", "player")
    return [seat for seat in seats if is_silent(seat) and seat.player_id != player.pk]


def kept_seats(game: Game, player: Any) -> list[Seat]:
    """Seats in which a bot plays for somebody who resigned or fell silent, and who may come back (W3)."""
    if game.status != Game.Status.RUNNING or not player.is_authenticated:
        return []
    return list(game.seats.filter(stands_in_for=player, out=False).exclude(bot="").select_related("game"))


def take_back_seat(game: Game, player: Any, number: int | None = None) -> Seat:
    """Whoever left a seat to a bot comes back to it, as it is now, however many games they play."""
    with transaction.atomic():
        lobby.lock(game)
        if game.status != Game.Status.RUNNING:
            raise IllegalAction("not_running")
        kept = [seat for seat in kept_seats(game, player) if number in (None, seat.number)]
        if not kept:
            raise IllegalAction("nothing_kept")
        seat = kept[0]
        seat.player, seat.bot, seat.stands_in_for, seat.wants_bot, seat.votes = player, "", None, False, []
        if seat.held_for != Seat.HeldFor.HOST:
            seat.name = ""
        seat.asked_at = timezone.now() if seat.is_asked else None  # silent again only after as many days again
        play.wind_back(seat)
        seat.save(
            update_fields=["player", "bot", "stands_in_for", "wants_bot", "name", "votes", "asked_at", *CLOCK_FIELDS]
        )
        play.house_acts(game, GiveSeatBack(seat.number))
        others = game.seats.select_related("player").exclude(player=player)
        notices.tell(game, others, notices.SEATS, f"back {seat.number} {game.revision}", f"{player} is back.")
        seat.refresh_from_db()
        doorbell.ring_people(game)
    return seat


# ---- pauses


def ask_pause(game: Game, player: Any, hours: object) -> None:
    """Ask for a pause of so many hours, or for the end of one (0), or agree; it begins when everybody agrees."""
    with transaction.atomic():
        _lock_to_pause(game, player)
        if hours not in ((0,) if game.is_paused else PAUSES) or isinstance(hours, bool):
            raise IllegalAction("bad_pause")
        asked = (
            game.pause_asked if game.pause_asked.get("hours") == hours else {"hours": hours, "by": player.pk, "yes": []}
        )
        game.pause = {**asked, "yes": sorted({*asked["yes"], player.pk})}
        game.note_retimed()
        if people_at(game) <= set(game.pause["yes"]):
            _pause(game, int(str(hours)))
        elif asked["yes"] == []:
            _tell_of_pause(game, player, int(str(hours)))
        game.save(update_fields=["pause", "retimed"])
        doorbell.ring_people(game)


def _tell_of_pause(game: Game, player: Any, hours: int) -> None:
    what = f"a pause of {PAUSES[hours]}" if hours else "the end of the pause"
    others = game.seats.select_related("player").exclude(player=player).filter(out=False)
    notices.tell(game, others, notices.VOTE, f"{notices.PAUSE} {game.retimed}", f"{player} asks for {what}.")


def refuse_pause(game: Game, player: Any) -> None:
    """Anybody may say no, and whoever asked may think better of it."""
    with transaction.atomic():
        _lock_to_pause(game, player)
        if not game.pause_asked:
            raise IllegalAction("no_pause")
        game.pause = {}
        game.note_retimed()
        game.save(update_fields=["pause", "retimed"])
        doorbell.ring_people(game)


def people_at(game: Game) -> set[int]:
    """Keys of the players who are still in the game."""
    return {seat.player_id for seat in game.seats.all() if seat.player_id is not None and not seat.out}


def _pause(game: Game, hours: int) -> None:
    game.pause = {}
    game.save(update_fields=["pause"])
    timekeeper.rest(game, timezone.now() + timedelta(hours=hours))
    play.house_acts(game, Pause(ends=not hours))


def _lock_to_pause(game: Game, player: Any) -> None:
    lobby.lock(game)
    if game.status != Game.Status.RUNNING:
        raise IllegalAction("not_running")
    if player.pk not in people_at(game):
        raise IllegalAction("not_seated")
    if not game.clock:
        raise IllegalAction("no_clock")


# ---- playing again


def rematch(game: Game, player: Any) -> Game:
    """The first press opens a table for the same people; the others' presses take their seats, and it starts.

    Where nobody else has to agree (bots, one shared device) it starts at the first press.
    """
    with transaction.atomic():
        lobby.lock(game)
        if game.status != Game.Status.FINISHED:
            raise IllegalAction("not_finished")
        _check_played(game, player)
        again = game.rematch
        if again is None or again.status == Game.Status.CANCELLED:
            again = _offer_rematch(game, player)
        elif again.status == Game.Status.OPEN:
            _accept_rematch(game, again, player)
        doorbell.ring_people(game)
    return again


def decline_rematch(game: Game, player: Any) -> None:
    """Whoever was asked may say no, and whoever asked may think better of it: the new table is cancelled."""
    with transaction.atomic():
        lobby.lock(game)
        _check_played(game, player)
        if game.rematch is None:
            raise IllegalAction("no_rematch")
        lobby.lock(game.rematch)
        if game.rematch.status != Game.Status.OPEN:
            raise IllegalAction("no_rematch")
        lobby.close(game.rematch)
        doorbell.ring_people(game)


# ---- showing others how it went


def share(game: Game, player: Any) -> None:
    """Make a link by which anybody may read the story of this game; there is one for all its players."""
    with transaction.atomic():
        _lock_to_share(game, player)
        if game.share_key is None:
            game.share_key = models.key()
            game.save(update_fields=["share_key"])


def stop_sharing(game: Game, player: Any) -> None:
    """The link leads nowhere from now on, and a later one is another."""
    with transaction.atomic():
        _lock_to_share(game, player)
        game.share_key = None
        game.save(update_fields=["share_key"])


def _lock_to_share(game: Game, player: Any) -> None:
    lobby.lock(game)
    if not has_say(game, player):
        raise IllegalAction("not_seated")
    if game.status != Game.Status.FINISHED:
        raise IllegalAction("not_over")


def _check_played(game: Game, player: Any) -> None:
    if not has_say(game, player):
        raise IllegalAction("only_players")


def _offer_rematch(game: Game, player: Any) -> Game:
    lobby.lock_player(player)
    lobby.check_running_limit(player)
    rules, seats = RULESETS[game.ruleset], _rematch_order(game, player)
    again = Game(
        ruleset=game.ruleset,
        rules_version=rules.version,
        options=rules.complete(rules.rematch_options(game.options, seats[0].number)),
        host=player,
        is_public=game.is_public,
        hand_over=game.hand_over,
        pace=game.pace,
        clock=game.clock,
        least_reliability=game.least_reliability,
        private_talk=game.private_talk,
    )
    play.prepare(again)
    Seat.objects.bulk_create(_rematch_seat(again, number, old) for number, old in enumerate(seats))
    game.rematch = again
    game.save(update_fields=["rematch"])
    others = game.seats.select_related("player").exclude(player=player)
    notices.tell(game, others, notices.REMATCH, f"rematch {again.pk}", f"{player} asks.")
    lobby.start_if_nobody_is_missing(again)
    return again


def _rematch_order(game: Game, asker: Any) -> list[Seat]:
    """The old seats as the new lobby has them: whoever asked first, as a host is."""
    seats = list(game.seats.select_related("game", "player").order_by("number"))
    return sorted(seats, key=lambda seat: (seat.player_id != asker.pk, seat.number))


def _rematch_seat(again: Game, number: int, old: Seat) -> Seat:
    if old.bot:
        return Seat(game=again, number=number, bot=old.bot, held_for=Seat.HeldFor.LINK)
    if old.player_id == again.host_id:
        return Seat(game=again, number=number, player=old.player, held_for=old.held_for, name=old.name)
    # The name says for whom the seat is kept until they answer.
    return Seat(game=again, number=number, held_for=Seat.HeldFor.LINK, name=old.label)


def _accept_rematch(game: Game, again: Game, player: Any) -> None:
    lobby.lock(again)
    if again.status != Game.Status.OPEN or again.seats.filter(player=player).exists():
        return
    lobby.check_running_limit(player)
    pairs = zip(_rematch_order(game, again.host), again.seats.order_by("number"))
    own = [(old, new) for old, new in pairs if old.player_id == player.pk and not new.is_taken]
    if not own:
        raise IllegalAction("table_full")
    for old, new in own:
        lobby.take(new, player, name=old.name)
    lobby.start_if_nobody_is_missing(again)
    doorbell.ring_people(again)
