"""Addresses that guests leave for one table: news of that table goes there, once somebody who reads it has agreed."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from players import letters
from players.models import Player

from .engine import RULESETS
from .engine.core.refusals import IllegalAction, Reason, reasons
from .models import Game, TableAddress
from .registry import ENTRIES

SALT = "games.addresses"
LASTS = timedelta(days=7)  # a link to confirm an address
KEPT = timedelta(days=30)  # after the game's end

reasons(address_account=Reason("You have an account, so news goes to the address on your account page."))


def ask(game: Game, guest: Player, address: str) -> bool:
    """Send news of this table to an address: at once to the one the guest has confirmed, to another after a letter
    there; whether that is at once. The letter holds nothing that a guest can choose."""
    check(game, guest)
    if address.casefold() == guest.return_address.casefold():
        _keep(game.pk, guest.pk, address)
        return True
    token = signing.dumps([guest.pk, game.pk, address], salt=SALT, compress=True)
    link = settings.SITE_URL + reverse("confirm_news", args=[game.public_id, token])
    name = RULESETS[game.ruleset].name
    body = render_to_string("lobby/mail/confirm_news.txt", {"game": name, "link": link})
    letters.write(address, f"News of {name} by mail?", body, ENTRIES[game.ruleset].mail_picture)
    return False


def check(game: Game, guest: Player) -> None:
    """Only a guest who plays here, or for whom a bot plays, may leave an address."""
    if not guest.is_guest:
        raise IllegalAction("address_account")
    if not (game.seats.filter(player=guest).exists() or game.seats.filter(stands_in_for=guest).exists()):
        raise IllegalAction("not_seated")


def address_in(game: Game, token: str) -> str:
    """The address that a link confirms for a table; empty if it confirms none."""
    return _read(game, token)[1]


def confirm(game: Game, token: str) -> str:
    """Send news of this table to the address this link was mailed to; empty if the link is not good for that."""
    guest, address = _read(game, token)
    if address:
        _keep(game.pk, guest, address)
    return address


def _read(game: Game, token: str) -> tuple[int, str]:
    try:
        guest, at, address = signing.loads(token, salt=SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        return 0, ""
    sits = game.seats.filter(player=guest).exists() or game.seats.filter(stands_in_for=guest).exists()
    return (guest, address) if at == game.pk and sits else (0, "")


def _keep(game: int, guest: int, address: str) -> None:
    TableAddress.objects.update_or_create(game_id=game, player_id=guest, defaults={"address": address})
    Player.objects.filter(pk=guest).update(mail_my_turn=True, mail_trouble="")  # whatever was said of an older address


def address_of(game: Game, guest: Player) -> str:
    found = TableAddress.objects.filter(game=game, player=guest).first()
    return found.address if found else ""


def stop(game: Game, guest: Player) -> None:
    TableAddress.objects.filter(game=game, player=guest).delete()


def clear() -> int:
    """Forget the addresses of games that ended a while ago; how many."""
    return TableAddress.objects.filter(game__ended_at__lt=timezone.now() - KEPT).delete()[0]
