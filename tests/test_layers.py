"""Who may import whom, and who may name what is hidden (tests/layers.py); a failure names file, line and rule."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.apps import apps

from games.models import Game
from tests import layers
from tests.layers import BYPASS, CHANCE, HIDDEN, LAYER, NO_ROW, PRIVATE, ROOT, STATE, faults_in, faults_in_template


def test_every_module_keeps_to_its_layer_and_off_what_is_hidden():
    wrong = [fault for file, source in layers.modules().items() for fault in faults_in(file, source)]
    assert not wrong, "\n" + "\n".join(map(str, wrong))


def test_no_template_looks_at_what_is_hidden():
    assert len(layers.templates()) > 50
    wrong = [fault for file, source in layers.templates().items() for fault in faults_in_template(file, source)]
    assert not wrong, "\n" + "\n".join(map(str, wrong))


def test_every_row_has_a_module():
    gone = [entry for entry in layers.MAY_IMPORT if not (ROOT / entry).exists()]
    gone += [entry for entry in (*layers.BELOW_THE_GATE, *layers.OWN_GAMES) if not (ROOT / entry).exists()]
    assert not gone, f"rows of modules that are not there any more: {gone}"


def test_every_model_is_open_or_hidden_and_hidden_relations_are_known():
    """A new model needs a decision: in OPEN_MODELS anybody may read it, in HIDDEN_MODELS only the gate."""
    ours = {model.__name__: model for model in apps.get_app_config("games").get_models()}
    assert set(ours) == layers.OPEN_MODELS | layers.HIDDEN_MODELS, "tests/layers.py does not know every model"
    relations = {each.get_accessor_name() for each in Game._meta.related_objects}
    hidden = {
        each.get_accessor_name()
        for each in Game._meta.related_objects
        if each.related_model.__name__ in layers.HIDDEN_MODELS
    }
    assert hidden == layers.HIDDEN_RELATIONS
    assert relations >= hidden


# ---- lines that must not pass, each with the place where it would stand

FORBIDDEN = [
    # what is hidden, by a relation of a row that anybody may read
    ("games/views/table.py", "seed = game.position.dice_seed", HIDDEN),
    ("games/views/table.py", "rows = game.counters.all()", HIDDEN),
    ("games/views/table.py", "rows = visitor.game.hexes.filter(face_up=False)", HIDDEN),
    ("games/views/lobby.py", "told = [row.told for row in seat.game.actions.all()]", HIDDEN),
    ("games/api.py", "state = Game.objects.get(pk=1).position", HIDDEN),
    ("games/listing.py", "x = found[0].counters", HIDDEN),
    ("games/admin.py", "flow = game.position.flow", HIDDEN),
    ("games/consumers.py", "count = visitor.game.actions.count()", HIDDEN),
    ("games/context.py", "seed = anything.cup_seed", HIDDEN),
    ("players/views.py", "racks = [seat.game.counters for seat in seats]", HIDDEN),
    ("games/painting/kings/page.py", "taken = scene.game.counters.all()", HIDDEN),
    # by a look-up
    ("games/views/table.py", 'games = Game.objects.select_related("position")', HIDDEN),
    ("games/listing.py", 'games = Game.objects.prefetch_related("seats", "counters")', HIDDEN),
    ("games/listing.py", 'seats = Seat.objects.prefetch_related("game__actions")', HIDDEN),
    ("games/api.py", 'seeds = Game.objects.values("position__dice_seed")', HIDDEN),
    ("games/api.py", 'seeds = Game.objects.values_list("counters__kind", flat=True)', HIDDEN),
    ("games/tables.py", 'found = game.objects.filter(counters__place="rack:1")', HIDDEN),
    ("games/access.py", "found = Game.objects.filter(Q(position=None))", HIDDEN),
    ("games/listing.py", 'found = Seat.objects.filter(game__counters__place="rack:1")', HIDDEN),
    ("games/api.py", 'found = Seat.objects.exclude(game__position__dice_seed=b"")', HIDDEN),
    ("games/api.py", "found = Q(seat__game__hexes__face_up=False)", HIDDEN),
    ("games/tables.py", "match game:\n    case Game(position=found): ...", HIDDEN),
    ("games/access.py", 'found = Game.objects.order_by("-actions__number")', HIDDEN),
    ("games/lobby.py", 'found = Game.objects.annotate(n=Count("counters"))', HIDDEN),
    ("games/lobby.py", 'found = Game.objects.annotate(seed=F("position__dice_seed"))', HIDDEN),
    ("games/lobby.py", 'seats = Prefetch("game__hexes")', HIDDEN),
    ("games/admin.py", 'search_fields = ("public_id", "counters__kind")', HIDDEN),
    ("games/admin.py", 'list_filter = ["position__serial"]', HIDDEN),
    # by a hidden model
    ("games/views/table.py", "from games.models import Position", HIDDEN),
    ("games/views/table.py", "from ..models import Game, Action", HIDDEN),
    ("games/tables.py", "from .models import Counter as Piece", HIDDEN),
    ("games/api.py", "from . import models\nrows = models.Counter.objects.all()", HIDDEN),
    ("games/api.py", "import games.models as m\nrows = m.Hex.objects.all()", HIDDEN),
    ("games/api.py", "import games.models\nrows = games.models.Action.objects.all()", HIDDEN),
    ("games/tables.py", "from . import play\nrow = play.models.Position.objects.first()", HIDDEN),
    ("games/admin.py", "from .models import Position\nadmin.site.register(Position)", HIDDEN),
    ("games/views/table.py", "from .. import store", HIDDEN),
    ("games/views/table.py", "from ..store import load", HIDDEN),
    ("games/tables.py", "from . import play\nstate = play.store.load(game)", HIDDEN),
    ("games/robots.py", "def answer():\n    from .store import load", HIDDEN),
    ("games/listing.py", "if TYPE_CHECKING:\n    from .models import Action", HIDDEN),
    ("players/guests.py", "from games.models import Position", HIDDEN),
    ("kadab/asgi.py", "from games.store import load", HIDDEN),
    # by a State or the flow
    ("games/views/table.py", "from games.engine.kings.state import KingsState", STATE),
    ("games/views/orders.py", "from ..engine.kings.flow.turn import Turn", STATE),
    ("games/painting/kings/page.py", "from games.engine.kings.state import KingsState", STATE),
    ("games/painting/kings/prompt.py", "from games.engine.kings.flow.recruit import Attempt", STATE),
    ("games/painting/gambit.py", "from games.engine.gambit.state import GambitState", STATE),
    ("games/painting/fragments.py", "if TYPE_CHECKING:\n    from games.engine.core.state import State", STATE),
    ("games/engine/bots/kings.py", "from ..kings.state import KingsState", STATE),
    ("games/engine/bots/kings_battle.py", "from ..kings.flow.battle import Battle", STATE),
    ("games/engine/bots/gambit.py", "from ..gambit import flow", STATE),
    ("games/robots.py", "from .engine.core.state import State", STATE),
    ("games/api.py", "from .engine.core import state", STATE),
    ("games/api.py", "from .engine.core.replay import Run", STATE),
    ("games/tables.py", "from . import play\ndef draw(state: play.State): ...", STATE),
    ("games/tables.py", "from .play import State", STATE),
    ("games/tables.py", "import games.engine.kings as kings\nx = kings.state.KingsState", STATE),
    ("games/consumers.py", "import games.engine.kings.flow", STATE),
    ("games/lobby.py", "from .engine.core.codec import state_hash", STATE),
    # round the table
    ("games/views/table.py", 'from django.apps import apps\nx = apps.get_model("games", "Position")', BYPASS),
    ("games/api.py", "import importlib", BYPASS),
    ("games/api.py", 'load = __import__("games.store").store.load', BYPASS),
    ("games/api.py", "from django.utils.module_loading import import_string", BYPASS),
    ("games/listing.py", "for each in Game._meta.related_objects: ...", BYPASS),
    ("games/listing.py", "from django.contrib.contenttypes.models import ContentType", BYPASS),
    ("games/listing.py", 'rows = Game.objects.raw("select * from games_position")', BYPASS),
    ("games/lobby.py", 'with connection.cursor() as cursor:\n    cursor.execute("select 1")', BYPASS),
    ("games/tables.py", 'x = Game.objects.extra(tables=["games_position"])', BYPASS),
    ("games/tables.py", "rows = game._prefetched_objects_cache", BYPASS),
    ("games/tables.py", "rows = [getattr(game, name) for name in names]", BYPASS),
    ("games/tables.py", "found = game.__dict__", BYPASS),
    ("games/tables.py", 'found = game.serializable_value("position")', BYPASS),
    ("games/tables.py", 'import sys\nfound = sys.modules["games.store"]', BYPASS),
    ("games/tables.py", "import gc\nfound = gc.get_objects()", BYPASS),
    ("games/tables.py", "from . import play\nfound = play.view_of.__globals__", BYPASS),
    ("games/caretaker.py", 'from django.core.management import call_command\ncall_command("dumpdata")', BYPASS),
    ("games/painting/kings/page.py", 'x = getattr(scene.game, "position")', HIDDEN),
    ("games/context.py", 'find = operator.attrgetter("game.position")', HIDDEN),
    ("games/context.py", "x = eval('game.posi' + 'tion')", BYPASS),
    ("games/tables.py", "from . import play\nx = play._state(game)", PRIVATE),
    ("games/views/table.py", "from games.play import _state", PRIVATE),
    # layers
    ("games/new_thing.py", "x = 1", NO_ROW),
    ("players/new_thing.py", "", NO_ROW),
    ("kadab/new_thing.py", "", NO_ROW),
    ("games/management/commands/new_thing.py", "", NO_ROW),
    ("games/engine/new_thing.py", "", NO_ROW),
    ("games/painting/kings/page.py", "from games.models import Game", LAYER),
    ("games/painting/kings/page.py", "from ... import play", LAYER),
    ("games/models.py", "from .play import act", LAYER),
    ("games/models.py", "from . import lobby", LAYER),
    ("games/play.py", "from .views import table", LAYER),
    ("games/store.py", "from . import play", LAYER),
    ("games/engine/core/rules.py", "from ..kings import KINGS", LAYER),
    ("games/engine/kings/view.py", "from games.models import Game", LAYER),
    ("games/engine/bots/kings.py", "from games import play", LAYER),
    ("games/lobby.py", "from .views.table import act", LAYER),
    ("games/views/table.py", "from games.play import *", LAYER),
    ("players/models.py", "from games.models import Game", LAYER),
    ("kadab/settings.py", "import games.play", LAYER),
    # chance and clock
    ("games/engine/kings/flow/battle.py", "import random", CHANCE),
    ("games/engine/kings/flow/battle.py", "from time import time", CHANCE),
    ("games/engine/bots/kings.py", "def choose():\n    import secrets", CHANCE),
    ("games/engine/core/state.py", "from django.db import models", CHANCE),
]


@pytest.mark.parametrize("file, source, rule", FORBIDDEN)
def test_a_forbidden_line_is_found(file, source, rule):
    found = faults_in(file, source)
    assert rule in {fault.rule for fault in found}, found
    assert all(str(fault).startswith(f"{file}:") and rule for fault in found)


def test_a_fault_names_file_line_and_rule():
    (fault,) = faults_in("games/views/table.py", "x = 1\n\ny = game.position\n")
    assert str(fault) == f"games/views/table.py:3: {HIDDEN}: game.position"


# ---- lines of the same words that are right

ALLOWED = [
    ("games/painting/kings/page.py", "hexes = [each for each in view.hexes if each.fort]"),
    ("games/painting/kings/page.py", "from collections import Counter\nx = Counter()"),
    ("games/painting/gambit.py", 'context = {"position": view.position}'),
    ("games/painting/gambit_rules.py", "from games.engine.gambit.board import Position"),
    ("games/views/orders.py", "x = view.counters"),
    ("games/listing.py", 'seats = game.seats.select_related("game", "player")'),
    ("games/tables.py", 'sound = getattr(visitor.player, "sound", False)'),
    ("games/api.py", 'found = data.get("position")'),
    ("games/api.py", "from .engine.core.actions import Action"),
    ("games/engine/bots/kings.py", "from ..core.view import View\nx = view.counters"),
    ("games/store.py", "from . import models\nx = models.Position.objects.get(game=game)"),
    ("games/play.py", "x = game.actions.all()"),
    ("games/prepared.py", "cursor.execute(sql)"),
    ("games/apps.py", "from django.apps import AppConfig"),
    ("games/management/commands/fuzz.py", "from games.engine.kings.state import KingsState"),
]


@pytest.mark.parametrize("file, source", ALLOWED)
def test_a_line_that_is_right_passes(file, source):
    assert faults_in(file, source) == []


@pytest.mark.parametrize(
    "line",
    [
        "{{ game.position }}",
        "{{ visitor.game.position.dice_seed }}",
        "{% for each in game.counters.all %}",
        "{% if seat.game.actions.count > 3 %}",
        "{% with rows=game.hexes.all %}",
        '{% include "x.html" with rows=game.hexes.all only %}',
        "{{ anything.cup_seed|default:'' }}",
    ],
)
def test_a_forbidden_line_in_a_template_is_found(line):
    (fault, *_) = faults_in_template("templates/table/page.html", f"<p>\n{line}")
    assert str(fault).startswith(f"templates/table/page.html:2: {HIDDEN}: ")


def test_a_template_may_speak_of_positions_and_look_at_a_view():
    assert not faults_in_template("templates/x.html", '<p class="form-actions">{{ position }} {{ view.counters }}</p>')


# ---- the engine alone


def test_the_engine_plays_where_there_is_no_django():
    code = """
import sys
sys.modules["django"] = None
from games.engine import RULESETS
from games.engine.fuzz import random_game
for rules in RULESETS.values():
    run, _ = random_game(rules, rules.players[0], "no django", 60)
    print(rules.slug, len(run.steps))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "gambit" in done.stdout
