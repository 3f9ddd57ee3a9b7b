"""An exported game, or a Gambit game in notation, as a table of this site."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import archive, lobby, play
from games.engine.gambit.board import name
from games.engine.gambit.notation import NotationError, parse_game, position_text
from games.models import Game
from players.models import Player


class Command(BaseCommand):
    help = "Read a file made by export_game, or the text of a Gambit game, and make it a table of --host."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="a path, or - for standard input")
        parser.add_argument("--host", required=True, help="the user name of whoever gets the table")

    def handle(self, *, file: str, host: str, **options: Any) -> None:
        player = Player.objects.filter(username=host).first()
        if player is None:
            raise CommandError(f"there is no player called {host}")
        try:
            text = sys.stdin.read() if file == "-" else Path(file).read_text()
        except (OSError, UnicodeDecodeError) as fault:
            raise CommandError(f"cannot read {file}") from fault
        game = self.from_notation(text, player) if text.startswith("[") else self.from_archive(text, player)
        self.stdout.write(game.public_id)

    def from_archive(self, text: str, player: Player) -> Game:
        try:
            return archive.imported(json.loads(text), player)
        except json.JSONDecodeError as fault:
            raise CommandError("this is neither JSON nor the text of a game") from fault
        except archive.BadArchive as fault:
            raise CommandError(f"this game cannot be imported: {fault}") from fault

    def from_notation(self, text: str, player: Player) -> Game:
        """The moves are played again at a table with both sides on the host's device."""
        try:
            record = parse_game(text)
        except NotationError as fault:
            raise CommandError(fault.sentence) from fault
        seats = [{"kind": "same_device", "name": record.tags.get(side, side)[:30]} for side in ("Light", "Dark")]
        options = {"light": "host", "position": position_text(record.start)}
        game = lobby.create(player, "gambit", options, seats, is_public=False, hand_over=False)
        turn = record.start.turn
        for number, (source, target) in enumerate(record.moves):
            move = {"do": "move", "source": name(source), "target": name(target)}
            play.act(game, turn, move, revision=number, token=f"imported-{number}")
            turn = 1 - turn
        game.refresh_from_db()
        return game
