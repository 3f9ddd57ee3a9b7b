"""Who may import whom, and who may name what players hide: the tables, and the reading of source that applies them.

tests/test_layers.py runs this over every module and template, and over lines that must not pass.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ("games", "players", "kadab")

# ---- the table of layers

# What pages, bots and doors may know of the engine: names, numbers, Views and Offers, never a State.
OPEN_CORE = [
    f"games.engine.core.{each}"
    for each in (
        "actions",
        "dice",
        "events",
        "grown",
        "hexgrid",
        "house",
        "memo",
        "offers",
        "plain",
        "plans",
        "refusals",
        "rules",
        "view",
    )
]
OPEN_GAMBIT = [f"games.engine.gambit.{each}" for each in ("actions", "board", "catalogue", "moves", "notation", "view")]
OPEN_KINGS = [
    f"games.engine.kings.{each}"
    for each in (
        *("KINGS", "actions", "battle", "catalogue", "forts", "income", "map", "marches", "movement", "odds", "offers"),
        *("orders", "terms", "view"),
    )
]
OPEN_ENGINE = ["games.engine.RULESETS", "games.engine.bots", *OPEN_CORE, *OPEN_GAMBIT, *OPEN_KINGS]
REGISTRY = "games.registry"

# What a door (page, socket, API, admin) stands on.
UNDER_DOORS = [
    *(
        "access",
        "addresses",
        "aside",
        "begun",
        "chat",
        "clocks",
        "deadlines",
        "doorbell",
        "forms",
        "listing",
        "lobby",
        "lost_links",
        "models",
        "newcomers",
        "notes",
        "painting",
        "play",
    ),
    *(
        "live",
        "plans",
        "prepared",
        "robots",
        "rooms",
        "shares",
        "silence",
        "since",
        "submissions",
        "tables",
        "usual_orders",
        "webhooks",
        "worker",
    ),
]
WATCHED = ["kadab.metrics", "kadab.timing", "kadab.unavailable"]  # what is counted and timed, by whoever does it
DOOR = [*(f"games.{each}" for each in UNDER_DOORS), "players", "kadab.limits", REGISTRY, *WATCHED, *OPEN_ENGINE]
COMMANDS = "games/management/commands"

# Module or folder -> prefixes of our own modules and names it may import. The longest matching row counts.
MAY_IMPORT: dict[str, list[str]] = {
    "games/__init__.py": [REGISTRY],
    "games/registry.py": ["games.engine.gambit.GAMBIT", "games.painting", *OPEN_ENGINE],
    "games/engine/__init__.py": ["games.engine.core"],
    "games/engine/core": ["games.engine.core"],
    "games/engine/gambit": ["games.engine.core", "games.engine.gambit"],
    "games/engine/kings": ["games.engine.core", "games.engine.kings"],
    "games/engine/bots": ["games.engine.bots", *OPEN_CORE, *OPEN_GAMBIT, *OPEN_KINGS],
    "games/engine/fuzz.py": ["games.engine.core"],
    "games/engine/match.py": ["games.engine"],
    "games/painting": ["games.painting", *OPEN_CORE, *OPEN_GAMBIT, *OPEN_KINGS],
    "games/painting/kings/advice.py": ["games.engine.bots", "games.painting.kings.odds", *OPEN_CORE, *OPEN_KINGS],
    "games/painting/fragments.py": ["games.painting", REGISTRY, *OPEN_CORE],
    "games/migrations": ["games.models"],
    # below the gate
    "games/models.py": ["games.engine.bots", "games.prepared", "players.models"],  # the latter for types only
    "games/prepared.py": [],
    "games/kept.py": [],
    "games/clocks.py": ["players.hours"],
    "games/hands.py": ["games.clocks", "games.models", "players.hours"],
    "games/timekeeper.py": [
        *(f"games.{each}" for each in ("claims", "clocks", "doorbell", "hands", "models", "play", "robots")),
        "kadab.unavailable",
    ],
    "games/store.py": ["games.clocks", "games.hands", "games.engine", "games.models", "games.prepared", *WATCHED],
    "games/doorbell.py": ["games.models", "kadab.bus", *WATCHED],  # the first for types only
    # players.models for types only
    "games/notices.py": ["games.clocks", "games.models", "games.prepared", "players.models", "players.telling"],
    # the gate
    "games/play.py": [
        "games.engine",
        *(
            f"games.{each}"
            for each in ("clocks", "hands", "models", "store", "doorbell", "kept", "notices", "prepared")
        ),
        *WATCHED,
    ],
    "games/verify.py": [
        *(f"games.{each}" for each in ("clocks", "engine", "models", "reliability", "store")),
        *("players.hours", REGISTRY),
    ],
    "games/archive.py": ["games.engine", "games.models", "games.play", "games.store", "games.verify"],
    # above the gate
    "games/silence.py": ["games.models"],
    "games/access.py": ["games.models", "players.by_link"],
    "games/chat.py": [
        *(f"games.{each}" for each in ("access", "doorbell", "models", "prepared")),
        *("games.engine.core.refusals", "players"),
    ],
    "games/plans.py": ["games.models", "games.play", "games.engine.RULESETS", *OPEN_CORE],
    "games/usual_orders.py": ["games.models", "games.play", "games.engine.core.refusals"],
    "games/lobby.py": [
        *(f"games.{each}" for each in ("clocks", "doorbell", "models", "notices", "play")),
        *(f"games.{each}" for each in ("reliability", "usual_orders")),
        *("players", "kadab.limits", REGISTRY),
        *OPEN_ENGINE,
    ],
    "games/begun.py": [
        *(
            f"games.{each}"
            for each in ("clocks", "doorbell", "hands", "lobby", "models", "notices", "play", "silence", "timekeeper")
        ),
        *OPEN_ENGINE,
    ],
    "games/lost_links.py": [
        *(f"games.{each}" for each in ("doorbell", "models", "play")),
        *("players", *OPEN_ENGINE),
    ],
    "games/listing.py": [
        *(f"games.{each}" for each in ("clocks", "lobby", "models", "newcomers", "reliability")),
        *(REGISTRY, *OPEN_ENGINE),
    ],
    "games/rooms.py": [
        *(
            f"games.{each}"
            for each in (
                *("access", "begun", "clocks", "listing", "lobby", "lost_links", "models"),
                *("aside", "newcomers", "reliability", "silence"),
            )
        ),
        *OPEN_ENGINE,
    ],
    "games/forms.py": [
        "games.clocks",
        "games.listing",
        "games.lobby",
        "games.notes",
        "games.reliability",
        "players",
        REGISTRY,
        *OPEN_ENGINE,
    ],
    "games/tables.py": [
        *(f"games.{each}" for each in ("access", "chat", "doorbell", "kept", "models", "painting", "play", "prepared")),
        *("games.aside", "games.clocks", "games.silence", "players.hours", *WATCHED, *OPEN_ENGINE),
    ],
    "games/notes.py": ["games.access", "games.models", "games.engine.core.refusals"],
    "games/reliability.py": ["games.models", "games.engine.core.refusals"],
    "games/newcomers.py": [
        *(f"games.{each}" for each in ("clocks", "doorbell", "hands", "lobby", "models", "notices", "play")),
        *("games.reliability", *OPEN_ENGINE),
    ],
    "games/aside.py": [
        *(f"games.{each}" for each in ("access", "chat", "clocks", "doorbell", "models", "notices")),
        *("games.engine.core.refusals", "players.models"),
    ],
    "games/since.py": [*(f"games.{each}" for each in ("access", "clocks", "kept", "models", "tables")), REGISTRY],
    "games/submissions.py": [
        *(f"games.{each}" for each in ("access", "lost_links", "models", "painting", "play", "tables")),
        *WATCHED,
        *OPEN_ENGINE,
    ],
    "games/worker.py": [*WATCHED],
    "games/live.py": [
        *(
            f"games.{each}"
            for each in (
                "access",
                "aside",
                "chat",
                "doorbell",
                "kept",
                "models",
                "play",
                "prepared",
                "silence",
                "tables",
            )
        ),
        *("games.worker", "games.consumers", "kadab.bus", *WATCHED),  # consumers for types only
    ],
    "games/telling.py": [
        *(
            f"games.{each}"
            for each in (
                "access",
                "aside",
                "bounces",
                "clocks",
                "models",
                "newcomers",
                "notices",
                "painting",
                "play",
                "tables",
            )
        ),
        *("games.engine.RULESETS", "players.models", "players.telling", "kadab.mail", REGISTRY),
    ],
    "games/webhooks.py": [
        *(f"games.{each}" for each in ("clocks", "lobby", "models", "notices", "painting", "play", "telling")),
        *("games.engine.core.refusals", "kadab.outgoing"),
    ],
    "games/pushes.py": ["games.models", "games.telling", "players", "kadab.outgoing"],
    "games/addresses.py": ["games.models", "players", REGISTRY, *OPEN_ENGINE],
    "games/deadlines.py": ["games.models", "games.telling", "players.models"],
    "games/bounces.py": ["games.models", "players.models"],
    "games/waiting.py": ["games.models", "kadab.metrics"],
    "games/shares.py": ["games.engine.core.refusals", "kadab.limits"],
    "games/thinker.py": [],
    "games/claims.py": ["games.models"],
    "games/robots.py": [
        *(f"games.{each}" for each in ("claims", "doorbell", "models", "plans", "play", "thinker", "worker")),
        *WATCHED,
        *OPEN_ENGINE,
    ],
    "games/caretaker.py": [
        *(
            f"games.{each}"
            for each in (
                "addresses",
                "claims",
                "doorbell",
                "lobby",
                "lost_links",
                "play",
                "pushes",
                "robots",
                "telling",
                "webhooks",
            )
        ),
        *("games.timekeeper", "games.worker", "kadab.unavailable", "players.letters"),
    ],
    "games/context.py": ["games.listing", "players.by_link"],
    "games/middleware.py": ["games.play", "games.shares"],
    "games/templatetags": ["kadab.static_files"],
    "games/apps.py": ["kadab.metrics"],
    # the doors
    "games/views": [*DOOR, "games.views", "games.archive"],
    "games/consumers.py": DOOR,
    "games/routing.py": ["games.consumers"],
    "games/api_shapes.py": ["games.clocks", REGISTRY],
    "games/api.py": [*DOOR, "games.api_shapes"],
    "games/admin.py": [*DOOR],
    "games/urls.py": ["games.views"],
    # commands
    "games/management/__init__.py": [],
    "games/management/days.py": [
        *(f"games.{each}" for each in ("access", "begun", "caretaker", "clocks", "lobby", "models", "plans", "play")),
        *(f"games.{each}" for each in ("robots", "tables", "telling", "timekeeper", "usual_orders")),
        *("players", *OPEN_ENGINE),
    ],
    f"{COMMANDS}/__init__.py": [],
    f"{COMMANDS}/backup.py": ["games.verify", "kadab.backups"],
    f"{COMMANDS}/days.py": ["games.management.days"],
    f"{COMMANDS}/demo.py": ["games.engine.bots", "games.lobby", "games.models", "games.play", "players.models"],
    f"{COMMANDS}/export_game.py": ["games.archive", "games.models"],
    f"{COMMANDS}/import_game.py": [
        *("games.archive", "games.lobby", "games.models", "games.play", "players.models"),
        *OPEN_GAMBIT,
    ],
    f"{COMMANDS}/fuzz.py": ["games.engine"],
    f"{COMMANDS}/match.py": ["games.engine"],
    f"{COMMANDS}/perft.py": ["games.engine"],
    f"{COMMANDS}/restore.py": ["games.models", "games.verify", "kadab.backups"],
    f"{COMMANDS}/make_push_keys.py": ["players.push"],
    f"{COMMANDS}/read_bounce.py": ["games.bounces"],
    f"{COMMANDS}/run_bots.py": ["games.caretaker"],
    f"{COMMANDS}/scenario.py": ["games.engine"],
    f"{COMMANDS}/send_mail.py": ["games.caretaker"],
    f"{COMMANDS}/verify_games.py": ["games.models", "games.verify"],
    # people and the site
    "players/__init__.py": [],
    "players/migrations": ["players.models", "players.names"],
    "players/names.py": [],
    "players/by_link.py": [],
    "players/hours.py": [],
    "players/models.py": ["games.doorbell", "players.names"],
    "players/push.py": ["players.models", "kadab.outgoing"],
    "players/telling.py": ["players.hours", "players.models"],  # the latter for types only
    "players/tokens.py": ["players.models", "players.names"],
    "players/guests.py": ["games.doorbell", "games.models", "players.models", "players.names", "players.push"],
    "players/adapter.py": ["players"],
    "players/admin.py": ["players.models"],
    "players/apps.py": [],
    "players/forms.py": ["players.hours", "players.models", "players.names", "players.telling"],
    "players/urls.py": ["players.views"],
    "players/sessions.py": ["games.doorbell", "games.prepared"],
    "players/letters.py": ["players.models", "kadab.mail"],
    "players/views.py": ["players", "games.notices", "games.reliability", "games.timekeeper", "kadab.limits"],
    "kadab/__init__.py": [],
    "kadab/settings.py": [],
    "kadab/limits.py": [],
    "kadab/urls.py": ["games.api", "kadab.unavailable", "kadab.watch"],
    "kadab/unavailable.py": ["kadab.metrics"],
    "kadab/postgres": [],
    "kadab/sqlite": [],
    "kadab/bus.py": [],
    "kadab/redis_bus.py": ["kadab.bus"],
    "kadab/origin.py": [],
    "kadab/texts.py": [],
    "kadab/mail.py": ["kadab.metrics"],
    "kadab/methods.py": [],
    "kadab/outgoing.py": [],
    "kadab/backups.py": [],
    "kadab/logs.py": ["kadab.metrics"],
    "kadab/metrics.py": [],
    "kadab/timing.py": ["kadab.metrics"],
    "kadab/watch.py": ["games.waiting", "kadab.metrics"],
    "kadab/compression.py": [],
    "kadab/frames.py": [],
    "kadab/static_files.py": [],
    "kadab/asgi.py": [
        "games.caretaker",
        "games.registry",
        "games.routing",
        "games.worker",
        "kadab.origin",
        "kadab.unavailable",
    ],
    "kadab/serve.py": ["games.caretaker", "kadab.asgi", "kadab.frames"],
}

# ---- the table of what is hidden

# The only ones who may name it: the rules, the rows, the gate, and the archive, which holds whole games on purpose.
BELOW_THE_GATE = (
    *("games/engine/core", "games/engine/gambit", "games/engine/kings", "games/engine/__init__.py"),
    *("games/engine/fuzz.py", "games/engine/match.py"),
    *("games/models.py", "games/migrations", "games/store.py", "games/play.py", "games/archive.py"),
    "games/verify.py",
)
# They play games of their own, in memory, and read no stored ones.
OWN_GAMES = tuple(f"{COMMANDS}/{each}.py" for each in ("fuzz", "match", "perft", "scenario"))

OPEN_MODELS = {
    *("Call", "Claim", "Former", "Game", "LostLink", "Message", "Note", "Notice", "PrivateMessage", "Pulse"),
    *("Report", "Seat", "TableAddress", "Webhook"),
}
HIDDEN_MODELS = {"Position", "Hex", "Counter", "Action", "Snapshot"}
HIDDEN_RELATIONS = {"position", "hexes", "counters", "actions", "snapshots"}
HIDDEN_COLUMNS = {"dice_seed", "cup_seed", "dice_number", "cup_number", "extras", "flow_before", "action_count"}
HIDDEN_NAMES = HIDDEN_RELATIONS | HIDDEN_COLUMNS

STATE_MODULES = re.compile(
    r"games\.engine\.(\w+\.(state|flow|codec|box|invariants|scenario|twins)|core\.replay|fuzz|match)(\.|$)"
)
STATE_NAMES = {"State", "KingsState", "GambitState", "Progress", "Run"}

# Things of the same name that are no secrets, by what they are read from: Views, and what is drawn from them.
OPEN_HOLDERS = {
    "games/painting": {"view", "before", "start", "look", "side", "row", "sums"},
    "games/engine/bots": {"view", "reading", "self", "income", "action", "offer"},
    "": {"view"},
}

# Calls of the ORM whose words are columns and relations.
LOOKED_UP_BY_WORD = {
    *("select_related", "prefetch_related", "prefetch_related_objects", "Prefetch", "values", "values_list", "only"),
    *("defer", "order_by", "annotate", "aggregate", "alias", "F", "OuterRef", "Count", "Sum", "Max", "Min", "Avg"),
    *("refresh_from_db", "select_for_update", "dates", "datetimes", "distinct", "in_bulk", "bulk_update"),
}
LOOKED_UP_BY_KEYWORD = {"filter", "exclude", "get", "Q", "get_or_create", "update_or_create", "create", "update"}
BY_NAME = {"getattr", "hasattr", "setattr", "attrgetter", "methodcaller", "__getattribute__"}

# Ways round the table that ask for a model, a module or a row by something a reader of imports cannot see.
BYPASS_MODULES = {
    *("importlib", "runpy", "pkgutil", "gc"),
    *("django.apps", "django.contrib.contenttypes", "django.core.serializers"),
}
BYPASS_NAMES = {
    *("__import__", "import_module", "import_string", "get_model", "get_models", "model_class", "eval", "exec"),
    *("RawSQL", "call_command", "related_objects", "_meta", "_prefetched_objects_cache", "__dict__", "vars", "globals"),
    *("locals", "modules", "serializable_value", "_base_manager", "__globals__"),
}
BYPASS_METHODS = {"raw", "extra", "cursor", "execute", "executemany"}
BYPASS_ALLOWED = {
    ("games/prepared.py", "cursor"),
    ("games/prepared.py", "execute"),
    ("games/prepared.py", "executemany"),
    ("games/prepared.py", "_meta"),
    ("games/prepared.py", "__dict__"),  # of rows it has just made itself
    ("kadab/backups.py", "cursor"),  # copies of the whole database, which are read by nobody here
    ("kadab/backups.py", "execute"),
    ("kadab/redis_bus.py", "execute"),  # Redis's commands
    ("kadab/sqlite/base.py", "cursor"),  # makes them for Django
    ("kadab/serve.py", "gc"),  # how often to look for garbage
    ("games/apps.py", "django.apps"),
    ("players/apps.py", "django.apps"),
}

CHANCE_AND_CLOCK = {"random", "time", "datetime", "uuid", "os", "asyncio", "secrets"}


@dataclass(frozen=True, order=True)
class Fault:
    """A line that breaks a rule."""

    file: str
    line: int
    rule: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.what}"


NO_ROW = "every module has a row in tests/layers.py"
LAYER = "a module imports from its row's layers only"
CHANCE = "the engine has no chance but the dice, no clock, and the standard library only"
HIDDEN = "only the gate and what is below it name what players hide"
STATE = "no State and no flow above the gate"
BYPASS = "no way round the table of layers"
PRIVATE = "private names stay in their module"


# ---- reading source


@dataclass(frozen=True)
class Imported:
    """One name that an import brings: `module.name`, or `module` alone, known here as `alias`."""

    line: int
    module: str
    name: str
    alias: str

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module

    @property
    def means(self) -> str:
        """What the alias stands for: `import games.models` brings `games`, all else the path."""
        return self.alias if not self.name and self.alias == self.module.split(".")[0] else self.path

    @property
    def is_ours(self) -> bool:
        return self.module.split(".")[0] in OURS


def imports_of(file: str, tree: ast.AST) -> Iterator[Imported]:
    """Every import, wherever it stands: at the top, in a function, under TYPE_CHECKING."""
    package = file.removesuffix(".py").split("/")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield Imported(node.lineno, each.name, "", each.asname or each.name.split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            for each in node.names:
                yield Imported(node.lineno, module, each.name, each.asname or each.name)


def is_in(file: str, entries: tuple[str, ...] | dict[str, list[str]]) -> bool:
    return any(file == entry or file.startswith(entry + "/") for entry in entries)


def row_of(file: str) -> list[str] | None:
    fitting = [entry for entry in MAY_IMPORT if is_in(file, (entry,))]
    return MAY_IMPORT[max(fitting, key=len)] if fitting else None


def begins_with(path: str, prefix: str) -> bool:
    return (path + ".").startswith(prefix + ".")


def faults_in(file: str, source: str) -> list[Fault]:
    """What is wrong with a module that stands at `file` and reads `source`."""
    tree = ast.parse(source)
    imports = list(imports_of(file, tree))
    found = list(_wrong_layers(file, imports))
    if file.startswith("games/engine/"):
        found += _chance(file, imports)
    if not is_in(file, BELOW_THE_GATE):
        found += _Above(file, imports).faults(tree)
    return sorted(set(found))


def _wrong_layers(file: str, imports: list[Imported]) -> Iterator[Fault]:
    allowed = row_of(file)
    if allowed is None:
        yield Fault(file, 1, NO_ROW, file)
        return
    for each in imports:
        if each.is_ours and not any(begins_with(each.path, prefix) for prefix in allowed):
            yield Fault(file, each.line, LAYER, f"imports {each.path}")
        if each.is_ours and each.name == "*":
            yield Fault(file, each.line, LAYER, f"imports everything from {each.module}")


def _chance(file: str, imports: list[Imported]) -> Iterator[Fault]:
    for each in imports:
        top = each.module.split(".")[0]
        if top in CHANCE_AND_CLOCK or (top != "games" and top not in sys.stdlib_module_names):
            yield Fault(file, each.line, CHANCE, f"imports {each.module}")


class _Above:
    """What a module above the gate may not say."""

    def __init__(self, file: str, imports: list[Imported]) -> None:
        self.file = file
        self.imports = imports
        self.known = {each.alias: each.means for each in imports if each.is_ours}
        self.has_own_games = is_in(file, OWN_GAMES)
        self.holders = next(names for entry, names in OPEN_HOLDERS.items() if not entry or is_in(file, (entry,)))

    def faults(self, tree: ast.AST) -> Iterator[Fault]:
        for each in self.imports:
            yield from self._imported(each)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                yield from self._attribute(node)
            elif isinstance(node, ast.Name) and node.id in BYPASS_NAMES:
                yield self._fault(node, BYPASS, node.id)
            elif isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.MatchClass) and not self.has_own_games:
                for name in sorted(HIDDEN_NAMES & set(node.kwd_attrs)):
                    yield self._fault(node.cls, HIDDEN, f"case {ast.unparse(node.cls)}({name}=…)")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _spans_hidden(node.value):
                yield self._fault(node, HIDDEN, f'"{node.value}"')

    def _fault(self, node: ast.expr, rule: str, what: str) -> Fault:
        return Fault(self.file, node.lineno, rule, what)

    def _imported(self, each: Imported) -> Iterator[Fault]:
        for module in BYPASS_MODULES:
            if begins_with(each.path, module) and (self.file, module) not in BYPASS_ALLOWED:
                yield Fault(self.file, each.line, BYPASS, f"imports {each.path}")
        if each.name in BYPASS_NAMES:
            yield Fault(self.file, each.line, BYPASS, f"imports {each.path}")
        if each.is_ours:
            for rule, what in self._wrong_with(each.path):
                yield Fault(self.file, each.line, rule, f"imports {what}")

    def _wrong_with(self, path: str) -> Iterator[tuple[str, str]]:
        """What is wrong with naming this dotted path of ours."""
        parts = path.split(".")
        if not self.has_own_games and (STATE_MODULES.match(path) or STATE_NAMES & set(parts)):
            yield STATE, path
        if not path.startswith("games.engine") and ({"store"} | HIDDEN_MODELS) & set(parts):
            yield HIDDEN, path
        for before, part in zip(parts, parts[1:]):
            if part.startswith("_") and not part.startswith("__") and before[:1].islower():
                yield PRIVATE, path

    def _attribute(self, node: ast.Attribute) -> Iterator[Fault]:
        name, text = node.attr, ast.unparse(node)
        if name in BYPASS_NAMES | BYPASS_METHODS and (self.file, name) not in BYPASS_ALLOWED:
            yield self._fault(node, BYPASS, text)
        holder = ast.unparse(node.value).rsplit(".", 1)[-1]
        is_hidden = name in HIDDEN_COLUMNS or (name in HIDDEN_RELATIONS and holder not in self.holders)
        if is_hidden and not self.has_own_games:
            yield self._fault(node, HIDDEN, text)
        root, dot, rest = text.partition(".")
        if dot and root in self.known and re.fullmatch(r"[\w.]+", rest):
            for rule, what in self._wrong_with(f"{self.known[root]}.{rest}"):
                yield self._fault(node, rule, what)

    def _call(self, node: ast.Call) -> Iterator[Fault]:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        words = {
            each.value
            for given in [*node.args, *(keyword.value for keyword in node.keywords)]
            for each in ast.walk(given)
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
        }
        if called in LOOKED_UP_BY_WORD | BY_NAME:
            for word in sorted(words):
                if HIDDEN_NAMES & set(re.split(r"__|\.", word.lstrip("-"))):
                    yield self._fault(node, HIDDEN, f'{called}(… "{word}" …)')
        if called in ("getattr", "setattr") and len(node.args) > 1 and not isinstance(node.args[1], ast.Constant):
            yield self._fault(node, BYPASS, f"{called} of a name that only the running program knows")
        for keyword in node.keywords:
            parts = (keyword.arg or "").split("__")
            if HIDDEN_NAMES & set(parts) and (len(parts) > 1 or called in LOOKED_UP_BY_KEYWORD):
                yield self._fault(node, HIDDEN, f"{called}({keyword.arg}=…)")


def _spans_hidden(text: str) -> bool:
    """A look-up over a hidden relation, wherever such a string stands."""
    parts = text.split("__")
    return len(parts) > 1 and re.fullmatch(r"-?\w+", text) is not None and bool(HIDDEN_NAMES & set(parts))


# ---- templates

TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
LOOKS_AT = re.compile(rf"([\w.]*)\.({'|'.join(sorted(HIDDEN_NAMES))})\b")


def faults_in_template(file: str, source: str) -> list[Fault]:
    found = []
    for tag in TAG.finditer(source):
        line = source.count("\n", 0, tag.start()) + 1
        for look in LOOKS_AT.finditer(tag.group()):
            if look.group(1).rsplit(".", 1)[-1] != "view":
                found.append(Fault(file, line, HIDDEN, look.group()))
    return found


# ---- all of it


def modules() -> dict[str, str]:
    paths = [path for folder in OURS for path in sorted((ROOT / folder).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def templates() -> dict[str, str]:
    folders = [path for path in ROOT.rglob("templates") if ".venv" not in path.parts and path.is_dir()]
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


if __name__ == "__main__":  # python -m tests.layers
    for file, source in modules().items():
        for fault in faults_in(file, source):
            print(fault)
    for file, source in templates().items():
        for fault in faults_in_template(file, source):
            print(fault)
