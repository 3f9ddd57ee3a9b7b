"""The gate: the one way to look at a game and the one way to act in it.

Everybody comes through here: pages, sockets, bots, the API, admin and tests. What leaves is a View.
"""

from __future__ import annotations

import functools
import hmac
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import IntegrityError, transaction
from django.utils import timezone

from . import doorbell, models, notices, store
from .engine import RULESETS
from .engine.core.actions import Action
from .engine.core.events import EVERYONE, Event
from .engine.core.offers import Offer
from .engine.core.plain import plain
from .engine.core.refusals import IllegalAction, Reason, reasons
from .engine.core.state import State
from .engine.core.view import View
from .prepared import Prepared

LONGEST_TOKEN = 64
SEAT_FACTS = ("seat", "by", "to_seat")  # an event's fields that are shown as names
STEWARD = "steward"  # the bot that keeps a seat for somebody who has gone (W3)

reasons(
    not_started=Reason("This game has not begun."),
    not_your_seat=Reason("You do not sit there."),
    stale=Reason("The game has moved on since; here is how it stands now."),
    bad_token=Reason("Each action needs a fresh token of 8 to 64 letters and digits."),
    token_used=Reason("This token was used for another action."),
    bad_revision=Reason("The revision must be a whole number."),
)


class StaleAction(IllegalAction):
    """The action answers a question that is no longer open."""

    def __init__(self) -> None:
        super().__init__("stale")


@dataclass(frozen=True)
class Outcome:
    """What became of an action: the revision it made, and whether it had been made before."""

    revision: int
    repeated: bool = False


@dataclass(frozen=True)
class LogLine:
    """One thing that happened, as a seat may hear of it."""

    revision: int
    event: str  # its name
    says: str
    rule: str
    facts: dict[str, Any]
    taken_back: bool = False

    def text(self, names: Mapping[int, str]) -> str:
        """The sentence, with the seats it speaks of called by name."""
        named = {k: names.get(v, v) if k in SEAT_FACTS else _said(v) for k, v in self.facts.items()}
        return self.says.format(**named)


def told_apart(game: models.Game, labels: Mapping[int, str]) -> dict[int, str]:
    """The names of those at a table; of namesakes (three stewards) with their side, or a log would tell nothing."""
    sides, names = store.rules_of(game).seat_names, list(labels.values())
    return {seat: f"{name} ({sides[seat]})" if names.count(name) > 1 else name for seat, name in labels.items()}


def _said(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


# ---- acting


def act(
    game: models.Game, seat: int, data: object, *, revision: object, token: object, decision: object = ""
) -> Outcome:
    """Check and apply one action, once. A refusal (IllegalAction) changes nothing."""
    if type(revision) is not int:
        raise IllegalAction("bad_revision")
    if not isinstance(token, str) or not 8 <= len(token) <= LONGEST_TOKEN or not token.isascii():
        raise IllegalAction("bad_token")
    action = store.rules_of(game).parse(data)
    try:
        with transaction.atomic():
            return _act(game.pk, seat, action, revision, token, decision)
    except IntegrityError:
        # Two submissions at once: one has the revision or the token, the other finds it taken.
        if done := _done_before(game, seat, action, token):
            return done
        raise StaleAction from None


def _act(pk: int, seat: int, action: Action, revision: int, token: str, decision: object) -> Outcome:
    game = next(iter(GAMES_TO_WRITE(pk)), None)
    if game is None:
        raise models.Game.DoesNotExist
    if done := _done_before(game, seat, action, token):
        return done
    if game.status == models.Game.Status.OPEN:
        raise IllegalAction("not_started")
    before = _state(game)
    rules = store.rules_of(game)
    if before.result:
        raise IllegalAction("over")
    if revision != game.revision and not _still_answers(game, before, seat, action, decision):
        raise StaleAction
    rules.check(before, seat, action)
    progress = rules.apply(before, seat, action)
    after = progress.state
    if progress.rewind is not None:
        after = rules.go_back(store.state_at(game, before, progress.rewind), after)
    row = store.save(game, before, after, seat, action, progress, token)
    if hands_over(after, seat, action):
        put_steward(game.seats.select_related("game", "player").get(number=seat), STEWARD)
    _write_game(game, after, row)
    return Outcome(game.revision)


def why_not(game: models.Game, seat: int, data: object) -> IllegalAction | None:
    """What `act` would say to this action now; nothing if it would be done. Tells no more than trying it would."""
    if game.status == models.Game.Status.OPEN:
        return IllegalAction("not_started")
    rules = store.rules_of(game)
    action = rules.parse(data)
    try:
        rules.check(_state(game), seat, action)
    except IllegalAction as refusal:
        return refusal
    return None


def hands_over(after: State, seat: int, action: Action) -> bool:
    """Whoever resigns where the table wants it so leaves a seat behind that is still played (W3)."""
    return action.do == "resign" and after.result is None and seat in after.extras.get("stewards", ())


def put_steward(seat: models.Seat, level: str) -> None:
    """A bot plays on for whoever sat here; they may come back."""
    if seat.player is None:
        return
    seat.stands_in_for, seat.name = seat.player, seat.label
    seat.player, seat.bot, seat.wants_bot = None, level, seat.is_asked
    seat.save(update_fields=["stands_in_for", "name", "player", "bot", "wants_bot"])
    doorbell.ring_people(seat.game)


def _done_before(game: models.Game, seat: int, action: Action, token: str) -> Outcome | None:
    row = next(iter(ACTIONS_BY_TOKEN(game.pk, token)), None)
    if row is None:
        return None
    if row.seat != seat or row.action != plain(action):
        raise IllegalAction("token_used")
    return Outcome(row.number, repeated=True)


GAMES_TO_WRITE = Prepared(lambda: models.Game.objects.select_for_update().filter(pk=0).order_by())
ACTIONS_BY_TOKEN = Prepared(lambda: models.Action.objects.filter(game_id=0, token="").order_by())


def _still_answers(game: models.Game, state: State, seat: int, action: Action, decision: object) -> bool:
    """An older page may still answer if the question put to its seat is the same, and asides answer no question."""
    rules = store.rules_of(game)
    open_now = rules.decision(state, seat)
    if any(offer.aside and action in offer for offer in rules.offers(state, seat)):
        return True
    return bool(open_now) and decision == open_now


def _write_game(game: models.Game, state: State, row: models.Action | None = None) -> None:
    """The game's own row, the seats that are asked, and everybody's doorbell."""
    old = game.revision
    game.revision, game.moved_at = state.actions, timezone.now()
    fields = ["revision", "moved_at"]
    if state.result:
        game.status, game.ended_at = game.Status.FINISHED, game.moved_at
        game.winners, game.ended_how = list(state.result.winners), state.result.how
        fields += ["status", "ended_at", "winners", "ended_how"]
    swapped = models.Game.objects.filter(pk=game.pk, revision=old).update(
        **{name: getattr(game, name) for name in fields}
    )
    if not swapped:
        raise StaleAction
    notices.write(game, store.write_asked(game, state))
    transaction.on_commit(lambda: _remember(game, state, row), robust=True)
    doorbell.ring(game)


def prepare(game: models.Game) -> None:
    """Commit to the dice of a new table before anybody sits down (reliability.md, verifiable dice)."""
    position = store.new_seeds(game)
    game.save()
    position.game = game
    position.save()


def start(game: models.Game) -> None:
    """Seat the players and deal the game. Called by the lobby, in its transaction, for a table that is full."""
    position = game.position
    seats = list(game.seats.order_by("number"))
    position.entropy = [seat.entropy for seat in seats]
    dice = store.dice_of(game, position)
    _seat(seats, store.rules_of(game).seating(len(seats), game.options, dice))
    position.dice_number, position.cup_number = dice.numbers
    position.save()
    begin(game)


def begin(game: models.Game) -> None:
    """Open the box for a table whose players sit where they shall."""
    rules, position = store.rules_of(game), game.position
    begun = rules.setup(game.public_id, game.seats.count(), game.options, store.dice_of(game, position))
    game.status, game.started_at = game.Status.RUNNING, timezone.now()
    game.options = dict(begun.state.options)
    game.save(update_fields=["status", "started_at", "options"])
    store.create(game, position, begun)
    _write_game(game, begun.state)


def _seat(seats: list[models.Seat], order: tuple[int, ...]) -> None:
    """Everybody moves to the seat the rules give them; by way of the far end of the table, as no two may share one."""
    for step in (100, 0):
        for seat, number in zip(seats, order):
            seat.number = number + step
            seat.save(update_fields=["number"])


# ---- looking


def view_for(game: models.Game, seat: int | None) -> View:
    """What this seat, or a spectator, may know now. The game's row is read anew; what it says is never too old."""
    game.refresh_from_db(fields=["revision", "status", "winners", "ended_how"])
    return view_of(game, seat)


def view_of(game: models.Game, seat: int | None) -> View:
    """The same for a row just read."""
    state = _state(game)
    return _VIEWS.get((game.pk, state.actions, seat), lambda: store.rules_of(game).view(state, seat))


def view_at(game: models.Game, seat: int | None, revision: int) -> View:
    """What this seat knew after the action of this number."""
    now, rules = _state(game), store.rules_of(game)
    revision = max(0, min(revision, now.actions))
    return _VIEWS.get((game.pk, revision, seat), lambda: rules.view(store.state_at(game, now, revision), seat))


def log_for(game: models.Game, seat: int | None) -> tuple[LogLine, ...]:
    """Everything that happened, as this seat may hear of it, oldest first."""
    return _heard_by(game, seat).lines


def acted_last(game: models.Game, seat: int) -> int:
    """The revision this seat's own last action led to; the set-up, if there is none."""
    return _heard_by(game, seat).acted


def _heard_by(game: models.Game, seat: int | None) -> Heard:
    """Logs only grow, so what a seat has heard is kept and what is new is added to it."""
    heard = _LOGS.peek((game.pk, seat)) or Heard()
    if heard.revision == game.revision:
        return heard
    if heard.revision > game.revision:  # somebody looks at the past
        return _heard(Heard(), game, seat)
    heard = _heard(heard, game, seat)
    _LOGS.put((game.pk, seat), heard)
    return heard


def _rows_after(game: models.Game, known: int) -> list[ToldRow]:
    return _ROWS.get((game.pk, known, game.revision), lambda: _log_rows(game, known))


def _log_rows(game: models.Game, known: int) -> list[ToldRow]:
    """What was told with each action after the known one, whoever it was told to: for the gate's eyes only."""
    rows = models.Action.objects.filter(game=game, number__gt=known, number__lte=game.revision)
    fields = rows.order_by("number").values_list("number", "told", "rewind", "seat")
    return [_log_row(game.ruleset, *row) for row in fields]


def _log_row(ruleset: str, number: int, told: list[dict[str, Any]], rewind: int | None, by: int | None) -> ToldRow:
    kinds = _event_kinds(ruleset)
    lines = [(each["to"], _log_line(number, kinds[each["event"]], each)) for each in told]
    return ToldRow(number, lines, rewind, by)


@functools.cache
def _event_kinds(ruleset: str) -> dict[str, type[Event]]:
    return RULESETS[ruleset].event_kinds()


def _log_line(number: int, kind: type[Event], told: dict[str, Any]) -> LogLine:
    facts = {name: value for name, value in told.items() if name not in ("to", "event")}
    return LogLine(number, told["event"], kind.says, kind.rule, facts)


def _heard(heard: Heard, game: models.Game, seat: int | None) -> Heard:
    """A seat's log with what is new added: what it may hear, and what was taken back marked."""
    lines, acted = heard.lines, heard.acted
    for row in _rows_after(game, heard.revision):
        if row.rewind is not None:
            lines = tuple(replace(line, taken_back=True) if line.revision > row.rewind else line for line in lines)
        lines += tuple(line for to, line in row.told if to == EVERYONE or (seat is not None and seat in to))
        if seat is not None and row.by == seat:
            acted = row.number
    return Heard(game.revision, lines, acted)


# ---- the staff, who see where in the rule book a game is


@dataclass(frozen=True)
class FlowLine:
    """A frame by name, what it does, its rule and its next step; not what it remembers, which may be hidden."""

    name: str
    does: str
    rule: str
    next: str


def flow_for_admin(game: models.Game) -> list[FlowLine]:
    """The procedures a running game is in, outermost first."""
    return [
        FlowLine(frame.name(), (frame.__doc__ or "").strip().partition("\n")[0], frame.rule, frame.next)
        for frame in _state(game).flow
    ]


# ---- bots, who see what their seat sees and act like anyone


@dataclass(frozen=True)
class BotQuestion:
    """Everything a bot gets for one decision."""

    game: models.Game
    ruleset: str
    seat: int
    level: str
    view: View
    offers: tuple[Offer, ...]
    seed: str


def bot_questions(game: models.Game) -> list[tuple[int, str]]:
    """Seats of bots that have something to answer: (seat, level)."""
    return list(game.seats.filter(wants_bot=True).exclude(bot="").values_list("number", "bot"))


def bot_question(pk: int, seat: int) -> BotQuestion | None:
    game = models.Game.objects.filter(pk=pk, status=models.Game.Status.RUNNING).first()
    level = dict(bot_questions(game)).get(seat) if game else None
    if game is None or level is None:
        return None
    view = view_of(game, seat)
    # A seed of the game's own: the same game gives the same choices again, and nobody can work them out beforehand.
    secret = hmac.digest(bytes(game.position.cup_seed), f"bot {seat} {view.revision}".encode(), "sha256").hex()
    return BotQuestion(game, game.ruleset, seat, level, view, view.offers, secret)


def bot_acts(question: BotQuestion, action: Action) -> Outcome:
    """The bot's answer, through the gate. Its seed is the token: however often it is given, it counts once."""
    if not question.game.seats.filter(number=question.seat).exclude(bot="").exists():
        raise StaleAction  # whoever it stood in for is back
    return act(
        question.game,
        question.seat,
        plain(action),
        revision=question.view.revision,
        token=question.seed,
        decision=question.view.decision,
    )


# ---- the newest states and views, kept by (game, revision): wrong only if the revision is, and transactions check that

NOTHING_YET = -1  # the set-up is action 0


class ToldRow(NamedTuple):
    """What was told with one action, to whom, and who took it: for the gate's eyes only."""

    number: int
    told: list[tuple[Any, LogLine]]
    rewind: int | None
    by: int | None


class Heard(NamedTuple):
    """What a seat has heard up to a revision, and its own last action."""

    revision: int = NOTHING_YET
    lines: tuple[LogLine, ...] = ()
    acted: int = 0


Kept = TypeVar("Kept")
_CACHES: list[Cache[Any]] = []


class Cache(Generic[Kept]):
    """The last so many, whoever asks; shared by the threads of one process."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self.lock = threading.Lock()
        _CACHES.append(self)

    def get(self, name: Hashable, make: Callable[[], Kept]) -> Kept:
        with self.lock:
            if name in self.kept:
                self.kept.move_to_end(name)
                return self.kept[name]
        made = make()
        self.put(name, made)
        return made

    def peek(self, name: Hashable) -> Kept | None:
        with self.lock:
            return self.kept.get(name)

    def put(self, name: Hashable, value: Kept) -> None:
        with self.lock:
            self.kept[name] = value
            self.kept.move_to_end(name)
            while len(self.kept) > self.size:
                self.kept.popitem(last=False)

    def clear(self) -> None:
        with self.lock:
            self.kept.clear()


_STATES: Cache[State] = Cache(200)
_VIEWS: Cache[View] = Cache(1000)
_LOGS: Cache[Heard] = Cache(1000)  # by (game, seat)
_ROWS: Cache[list[ToldRow]] = Cache(200)  # what several seats are about to be told


def _state(game: models.Game) -> State:
    """The newest state; `game` is brought up to its revision if somebody acted while its rows were being read."""
    found = _STATES.peek((game.pk, game.revision))
    while found is None:
        loaded = store.load(game)
        if models.Game.objects.filter(pk=game.pk, revision=game.revision).exists():
            found = loaded
            _STATES.put((game.pk, game.revision), loaded)
        else:
            game.refresh_from_db(fields=["revision", "status", "winners", "ended_how"])
    return found


def _remember(game: models.Game, state: State, row: models.Action | None) -> None:
    # Only what is committed may be kept: a state of a transaction that failed never happened.
    _STATES.put((game.pk, state.actions), state)
    if row is not None:
        told = _log_row(game.ruleset, row.number, row.told, row.rewind, row.seat)
        _ROWS.put((game.pk, row.number - 1, row.number), [told])


def forget() -> None:
    """For tests, which use the same revision of the same game for different things."""
    for cache in _CACHES:
        cache.clear()
