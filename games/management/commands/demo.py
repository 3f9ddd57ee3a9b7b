"""Something to look at on a fresh site: a demo account and a few tables. Only where nobody else can reach it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from games import lobby, play
from games.engine.bots import consider
from games.models import Game
from players.models import Player

NAME = PASSWORD = "demo"
BUTTON = "Play against bots"  # of the front page
PLIES_OF_A_GAME_IN_PROGRESS = 12
ACTIONS_OF_A_KINGDOM = 150  # into the third turn or so


class Command(BaseCommand):
    help = "Make the demo account and its tables, once; on a site that others can reach, switch the account off."

    def handle(self, **options: Any) -> None:
        if not settings.IS_LOOPBACK:
            Player.objects.filter(username=NAME, is_active=True).update(is_active=False)
            return
        player, is_new = Player.objects.get_or_create(username=NAME)
        if is_new:
            self.stdout.write("Playing a few games for you to look at …")
            self.stdout.flush()
            with transaction.atomic():
                self.furnish(player)
        Player.objects.filter(pk=player.pk).update(is_active=True)
        self.stdout.write(f"Log in as {NAME} with the password {PASSWORD}, or just press “{BUTTON}” as a guest.")

    def furnish(self, player: Player) -> None:
        # An administrator, so that hosts find the admin as well; the account exists on this machine's loopback only.
        player.is_staff = player.is_superuser = True
        player.set_password(PASSWORD)
        player.save()
        lobby.create(player, "gambit", {}, [{"kind": "me"}, {"kind": "open"}], is_public=True)
        watched = lobby.create(player, "gambit", {}, [{"kind": "bot", "level": "random"}] * 2, is_public=True)
        self.play_on(watched, until=400)
        begun = lobby.create(
            player, "gambit", {"light": "host"}, [{"kind": "me"}, {"kind": "bot", "level": "1"}], is_public=True
        )
        self.play_on(begun, until=PLIES_OF_A_GAME_IN_PROGRESS)
        kingdom = lobby.quick_game(player, "kings")
        self.play_on(kingdom, until=ACTIONS_OF_A_KINGDOM, level="steward")

    def play_on(self, game: Game, until: int, level: str = "random") -> None:
        """Let bots play all sides for a while, through the gate."""
        game.refresh_from_db()
        while game.status == Game.Status.RUNNING and (game.revision < until or self.is_bots_turn(game)):
            seat = game.seats.filter(is_asked=True).order_by("number")[0]
            view = play.view_for(game, seat.number)
            action = consider(game.ruleset, level, view, view.offers, f"demo {game.revision}").action
            play.act(game, seat.number, action.plain(), revision=game.revision, token=play.fresh_token())
            game.refresh_from_db()

    def is_bots_turn(self, game: Game) -> bool:
        return game.seats.filter(is_asked=True).exclude(bot="").exists() and game.seats.filter(bot="").exists()
