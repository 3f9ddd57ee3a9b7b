"""The gate: the one way to look at a game and the one way to act in it.

Everybody comes through here: pages, sockets, bots, the API, admin and tests. What leaves is a View.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from kadab import timing

from . import doorbell, hands, kept, models, notices, store
from .clocks import clock_of
from .engine import RULESETS
from .engine.bots import STAND_INS
from .engine.core.actions import Action
from .engine.core.events import EVERYONE
from .engine.core.grown import Grown
from .engine.core.house import GoOn, KeepSeat, SeatPassedOn, TakeOver
from .engine.core.offers import Offer
from .engine.core.plain import plain
from .engine.core.plans import Plan
from .engine.core.refusals import IllegalAction, Reason, reasons
from .engine.core.rules import Rules
from .engine.core.shapes import NewerRules, Unreadable
from .engine.core.state import State
from .engine.core.view import View
from .kept import VIEWERS, Cache
from .prepared import Prepared

log = logging.getLogger(__name__)

LONGEST_TOKEN = 64
TOKEN_BYTES = 16
MOST_TRIES = 8  # against others who act at the same moment
SEAT_FACTS = ("seat", "by", "to_seat")  # an event's fields that are shown as names

reasons(
    not_started=Reason("This game hasn’t started yet."),
    not_your_seat=Reason("This isn’t your seat."),
    stale=Reason("The game has moved on since you looked. This is the position now."),
    bad_token=Reason("Each action needs a new token of 8 to 64 plain characters."),
    token_used=Reason("This token was already used for another action. Send a new one."),
    bad_revision=Reason("The revision must be a whole number."),
    needs_upgrade=Reason(
        "This game needs an upgrade: another version of Kadab stored it, and this one can’t read it."
        " Nothing is lost. Please try again later."
    ),
    newer_rules=Reason(
        "This game was played with newer rules than this site has at the moment."
        " Nothing is lost. Please try again later."
    ),
)


class NeedsUpgrade(Exception):
    """A stored game that this code cannot open, and so does not change. `why` is for the operator."""

    status, retry_after = 503, "3600"  # what HTTP says to it: nothing is wrong with the request; try again in an hour

    def __init__(self, game: models.Game, fault: Unreadable) -> None:
        super().__init__(f"game {game.public_id} needs an upgrade: {fault}")
        self.why = str(fault)
        self.refusal = IllegalAction("newer_rules" if isinstance(fault, NewerRules) else "needs_upgrade")


_told_operator: set[tuple[int, str]] = set()


@contextlib.contextmanager
def _reading(game: models.Game) -> Iterator[None]:
    """Whatever is read of a stored game is read in here. The operator gets one line for each process and game."""
    try:
        yield
    except Unreadable as fault:
        if (game.pk, str(fault)) not in _told_operator:
            _told_operator.add((game.pk, str(fault)))
            log.error("game %s needs an upgrade: %s", game.public_id, fault)
        raise NeedsUpgrade(game, fault) from fault


class StaleAction(IllegalAction):
    """The action answers a question that is no longer open."""

    def __init__(self) -> None:
        super().__init__("stale")


Sitter = int | str | None  # who plays a seat: a player's key, or a bot's level; None for whoever does


@dataclass(frozen=True)
class Outcome:
    """What became of an action: the revision it made, and whether it had been made before."""

    revision: int
    repeated: bool = False
    wakes_bots: bool = False  # a bot has something to answer now
    # The game and its seats as they were written; not those of an action made before.
    rows: tuple[models.Game, tuple[models.Seat, ...]] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that happened, as a seat may hear of it."""

    revision: int
    event: str  # its name
    says: str
    rule: str
    facts: dict[str, Any]
    taken_back: bool = False
    personal: bool = False  # a new person in the seat does not hear of it

    def text(self, names: Mapping[int, str], words: Mapping[str, str] | None = None) -> str:
        """The sentence, with the seats it speaks of called by name, and some of its facts in other words."""
        named = {k: names.get(v, v) if k in SEAT_FACTS else _said(v) for k, v in self.facts.items()}
        return self.says.format(**{**named, **(words or {})})


def told_apart(game: models.Game, labels: Mapping[int, str]) -> dict[int, str]:
    """The names of those at a table; of namesakes (three stewards) with their side, or a log would tell nothing."""
    sides, names = store.rules_of(game).seat_names, list(labels.values())
    return {seat: f"{name} ({sides[seat]})" if names.count(name) > 1 else name for seat, name in labels.items()}


def _said(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, list) else value


# ---- acting


def fresh_token() -> str:
    """A token nobody can guess, for a form to carry: whoever could guess it could find out whether it was used."""
    return secrets.token_hex(TOKEN_BYTES)


def token_of_form(carried: str, content: str) -> str:
    """The token of one action out of a plain form that carries a fresh one; sent twice, it counts once."""
    if not 8 <= len(carried) <= LONGEST_TOKEN or not carried.isascii():
        carried = fresh_token()
    return hashlib.sha256(f"{carried} {content}".encode()).hexdigest()


def act(
    game: models.Game,
    seat: int,
    data: object,
    *,
    revision: object,
    token: object,
    decision: object = "",
    sitter: Sitter = None,
) -> Outcome:
    """Check and apply one action, once. A refusal (IllegalAction) changes nothing.

    `sitter` is whoever sends it: if somebody else plays the seat by the time it is written, it is stale."""
    if type(revision) is not int:
        raise IllegalAction("bad_revision")
    if not isinstance(token, str) or not 8 <= len(token) <= LONGEST_TOKEN or not token.isascii():
        raise IllegalAction("bad_token")
    action = store.rules_of(game).parse(data)
    return _act(game.pk, seat, action, revision, token, decision, sitter)


def _act(pk: int, seat: int, action: Action, revision: int, token: str, decision: object, sitter: Sitter) -> Outcome:
    """Act on what this process knows of the game; before refusing, look whether it still is so."""
    known = _STANDING.peek((pk,))
    if known is not None:
        try:
            return _act_on(known, seat, action, revision, token, decision, sitter)
        except (IllegalAction, IntegrityError, store.Outdated):
            _STANDING.drop(pk)
    for _ in range(MOST_TRIES):
        standing = _standing(pk)
        if done := _done_before(standing.game, seat, action, token):
            return done
        # Of two submissions at once one has the number or the token, and the other finds it taken: it looks again.
        with contextlib.suppress(IntegrityError, store.Outdated):
            return _act_on(standing, seat, action, revision, token, decision, sitter)
    raise StaleAction


def _act_on(
    standing: Standing, seat: int, action: Action, revision: int, token: str, decision: object, sitter: Sitter
) -> Outcome:
    game = standing.game
    if game.status == models.Game.Status.OPEN:
        raise IllegalAction("not_started")
    before = _state(game)
    rules = store.rules_of(game)
    if before.result:
        raise IllegalAction("over")
    if revision != game.revision and not _still_answers(game, before, seat, action, decision):
        raise StaleAction
    with timing.layer("rules"):
        offer = rules.check(before, seat, action)
    return _apply(standing, before, seat, action, token, offer.aside, sitter)


def _apply(
    standing: Standing,
    before: State,
    seat: int | None,
    action: Action,
    token: str,
    is_aside: bool = False,
    sitter: Sitter = None,
) -> Outcome:
    """Work out what an action leads to, and then write it: the transaction does nothing but write."""
    game = _twin(standing.game)
    rules = store.rules_of(game)
    with timing.layer("rules"):
        progress = rules.apply(before, seat, action)
        after = progress.state
        if progress.rewind is not None:
            after = rules.go_back(_gone_back(game, store.state_after, before, progress.rewind), after)
        _bring_up(game, after, progress.silent, rules.window(before))
    with timing.layer("saving"), transaction.atomic():
        left = None
        if seat is not None and hands_over(after, seat, action):
            GAMES_TO_WRITE(game.pk)  # the game's row first, as everybody locks it before a seat's
            left = game.seats.select_related("game", "player").get(number=seat)
            _check_sitter(left, sitter)
            put_stand_in(left)
            game.seats.filter(number=seat).update(plans={})  # they were for whoever has left
            sitter = None
        seats = store.seats_of(game)
        for each in seats:
            if each.number == seat:
                _check_sitter(each, sitter)
        row = store.save(game, seats, standing.hash, before, after, seat, action, progress, token)
        transaction.on_commit(lambda: _remember(game, after, row), robust=True)
        if progress.silent and seat is not None:
            doorbell.ring_seat(game, seat, seats)
        else:
            notices.write(game, seats)
            if after.result:
                notices.tell(game, seats, notices.OVER, key=notices.OVER)
            elif left is not None:
                says = f"A bot plays for {left.name}."
                notices.tell(game, seats, notices.SEATS, f"left {left.number} {game.revision}", says)
            elif is_aside and seat is not None:
                _tell_of_proposal(game, seats, before, after, seat)
            doorbell.ring(game, seats)
    return Outcome(game.revision, wakes_bots=any(each.wants_bot for each in seats), rows=(game, tuple(seats)))


def _tell_of_proposal(game: models.Game, seats: Sequence[models.Seat], before: State, after: State, by: int) -> None:
    """Something was proposed beside the game, such as a draw: tell those who may reply now and could not before."""
    rules, asker = store.rules_of(game), seats[by]
    others = [seat for seat in seats if seat.player_id not in (None, asker.player_id)]
    asked = [seat for seat in others if _may_reply(rules, after, seat) and not _may_reply(rules, before, seat)]
    says = f"{asker.label} proposes something to the table."
    notices.tell(game, asked, notices.VOTE, f"{notices.WISH} {by} {game.revision}", says)


def _may_reply(rules: Rules, state: State, seat: models.Seat) -> bool:
    return any(offer.reply for offer in rules.offers(state, seat.number))


def _check_sitter(seat: models.Seat, sitter: Sitter) -> None:
    """Whoever changes who plays a seat also acts in its game: of two at once, the later looks here once more."""
    if sitter is not None and sitter not in (seat.player_id, seat.bot):
        raise StaleAction


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


# ---- who plays a seat


def house_acts(game: models.Game, action: Action) -> None:
    """Apply an action of the house (core/house.py), in the transaction of a caller who has checked who asks for it."""
    standing = _standing(game.pk, lock=True)
    before = _state(standing.game)
    store.rules_of(game).check(before, None, action)
    _apply(standing, before, None, action, fresh_token())
    game.refresh_from_db()


def keep_seat(seat: models.Seat) -> None:
    """A bot plays on for a person who has fallen silent, and everybody reads it in the log."""
    _take_over(seat, KeepSeat(seat.number))


def _take_over(seat: models.Seat, action: Action) -> None:
    """A bot plays on, and whoever is away is told: the player and the others."""
    player = seat.player
    put_stand_in(seat)
    house_acts(seat.game, action)
    if player is not None:
        notices.write_taken_over(seat.game, seat.number, player, store.seats_of(seat.game))


def plans_of(game: models.Game, seat: models.Seat) -> dict[str, Plan]:
    """What a seat has planned, for its player's eyes only."""
    return store.plans_of(store.rules_of(game), seat)


def change_plans(seat: models.Seat, change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> None:
    """Change what a seat has planned (games/plans.py), and whether that answers what it is asked now.

    No number is raised, and nobody is rung but the seat's own pages."""
    with transaction.atomic():
        game = _standing(seat.game_id, lock=True).game
        found = models.Seat.objects.get(pk=seat.pk)
        found.plans = change(found.plans)
        found.wants_bot = store.wants_bot(store.rules_of(game), _state(game), found)
        models.Seat.objects.filter(pk=seat.pk).update(plans=found.plans, wants_bot=found.wants_bot)
        doorbell.ring_seat(game, seat.number)
    seat.plans, seat.wants_bot = found.plans, found.wants_bot


def wind_back(seat: models.Seat) -> None:
    """The clock of a player who comes back; it starts anew with the action that says so."""
    if clock := clock_of(seat.game.clock):
        hands.set_hand(seat, hands.hand_of(seat, clock).back(clock))


def time_out(pk: int) -> bool:
    """Time has run out in a game: the only way in for it. Whether there was anything to do.

    At an open question a bot takes over for whoever is late; a window is closed by the house (W3, R4). The deadline is
    looked at once more under the lock, so it counts once, whoever comes, and never early."""
    with transaction.atomic():
        game = _standing(pk, lock=True).game
        if not _is_due(game):
            return False
        if game.window_since is not None:
            house_acts(game, GoOn())
            return True
        seats = game.seats.select_related("game", "player").order_by("number")
        late = [seat for seat in seats if seat.player_id and seat.due_at and seat.due_at <= timezone.now()]
        for seat in late:
            seat.late += 1
            seat.save(update_fields=["late"])
            _take_over(seat, TakeOver(seat.number))
    return bool(late)


def _is_due(game: models.Game) -> bool:
    running = game.status == models.Game.Status.RUNNING
    return running and game.deadline is not None and game.deadline <= timezone.now()


def hands_over(after: State, seat: int, action: Action) -> bool:
    """Whoever resigns where the table wants it so leaves a seat behind that is still played (W3)."""
    return action.do == "resign" and after.result is None and seat in after.extras.get("stewards", ())


def put_stand_in(seat: models.Seat) -> None:
    """A bot plays on for whoever sat here; they may come back."""
    if seat.player is None:
        return
    seat.stands_in_for, seat.name = seat.player, seat.label
    seat.player, seat.bot, seat.wants_bot = None, STAND_INS[seat.game.ruleset], seat.is_asked
    seat.save(update_fields=["stands_in_for", "name", "player", "bot", "wants_bot"])
    doorbell.ring_people(seat.game)


def _done_before(game: models.Game, seat: int, action: Action, token: str) -> Outcome | None:
    """What became of this seat's action with this token. What other seats have sent makes no difference to it."""
    row = next(iter(ACTIONS_BY_TOKEN(game.pk, seat, token)), None)
    if row is None:
        return None
    if row.action != plain(action):
        raise IllegalAction("token_used")
    return Outcome(row.revision, repeated=True)


GAMES = Prepared(lambda: models.Game.objects.filter(pk=0).order_by())
GAMES_TO_WRITE = Prepared(lambda: models.Game.objects.select_for_update().filter(pk=0).order_by())
ACTIONS_BY_TOKEN = Prepared(lambda: models.Action.objects.filter(game_id=0, seat=0, token="").order_by())


def _still_answers(game: models.Game, state: State, seat: int, action: Action, decision: object) -> bool:
    """An older page may still answer if the question put to its seat is the same, and asides answer no question."""
    rules = store.rules_of(game)
    open_now = rules.decision(state, seat)
    if any(offer.aside and action in offer for offer in rules.offers(state, seat)):
        return True
    return bool(open_now) and decision == open_now


def _bring_up(game: models.Game, state: State, silent: bool = False, window: str = "") -> None:
    """Set the columns of the game's row that go with its state; of a silent action only the gate's own number changes.

    `window` names the one the game stood in before."""
    game.action_count = state.actions
    if not silent:
        game.revision, game.moved_at = state.revision, timezone.now()
        if (now := store.rules_of(game).window(state)) != window:
            game.window_since, game.deadline = game.moved_at if now else None, None
    if state.result:
        game.status, game.ended_at = game.Status.FINISHED, game.moved_at
        game.winners, game.ended_how = list(state.result.winners), state.result.how


def prepare(game: models.Game, lesson: str = "") -> None:
    """Commit to the dice of a new table before anybody sits down (reliability.md, verifiable dice).

    Of a lesson's table, `lesson` names the script."""
    position = store.new_seeds(game, lesson)
    game.save()
    position.game = game
    position.save()


def start(game: models.Game) -> None:
    """Seat the players and deal the game. Called by the lobby, in its transaction, for a table that is full."""
    with _reading(game):
        store.check_version(game)
    position = game.position
    seats = list(game.seats.order_by("number"))
    position.entropy = [seat.entropy for seat in seats]
    dice = store.dice_of(game, position)
    _seat(seats, store.rules_of(game).seating(len(seats), game.options, dice))
    position.dice_number, position.cup_number = dice.numbers
    position.save()
    begin(game)


def begin(game: models.Game, bots: Iterable[int] | None = None) -> None:
    """Open the box for a table whose players sit where they shall. An imported game says which of them were bots."""
    rules, position = store.rules_of(game), game.position
    if bots is None:
        bots = game.seats.exclude(bot="").order_by("number").values_list("number", flat=True)
    dice = store.dice_of(game, position)
    begun = rules.setup(game.public_id, game.seats.count(), game.options, dice, tuple(bots))
    game.status, game.started_at = game.Status.RUNNING, timezone.now()
    game.options = dict(begun.state.options)
    game.save(update_fields=["status", "started_at", "options"])
    store.create(game, position, begun)
    _bring_up(game, begun.state)
    game.save(update_fields=store.GAME_FIELDS)
    seats = store.write_asked(game, begun.state)
    transaction.on_commit(lambda: _remember(game, begun.state), robust=True)
    notices.write(game, seats)
    doorbell.ring(game, seats)


def _seat(seats: list[models.Seat], order: tuple[int, ...]) -> None:
    """Everybody moves to the seat the rules give them; by way of the far end of the table, as no two may share one."""
    for step in (100, 0):
        for seat, number in zip(seats, order):
            seat.number = number + step
            seat.save(update_fields=["number"])


def ask_anew() -> None:
    """After an upgrade of the rules: write anew who is asked in running games that nobody has acted in since.

    Lists, bots and mail go by columns that were written under the older rules.
    """
    for slug, rules in RULESETS.items():
        since = models.Action.objects.filter(game=OuterRef("pk"), rules_version=rules.version)
        games = models.Game.objects.running().filter(~Exists(since), ruleset=slug)
        for pk in list(games.values_list("pk", flat=True)):
            with contextlib.suppress(NeedsUpgrade), transaction.atomic():
                _ask_anew(pk)


def _ask_anew(pk: int) -> None:
    game = _standing(pk, lock=True).game
    state = _state(game)
    if not store.rules_of(game).asked(state):
        log.error("game %s: nobody can act in it under the rules of today", game.public_id)
    notices.write(game, store.write_asked(game, state))


# ---- looking


def view_for(game: models.Game, seat: int | None) -> View:
    """What this seat, or a spectator, may know now. The game's row is read anew; what it says is never too old."""
    game.refresh_from_db(fields=OF_THE_STATE)
    return view_of(game, seat)


def view_of(game: models.Game, seat: int | None) -> View:
    """The same for a row just read."""
    state = _state(game)
    return _VIEWS.get((game.pk, state.actions, seat), lambda: store.rules_of(game).view(state, seat))


def view_at(game: models.Game, seat: int | None, revision: int) -> View:
    """What this seat knew last before the next revision."""
    now, rules = _state(game), store.rules_of(game)
    if revision >= now.revision:
        return view_of(game, seat)
    revision = max(0, revision)
    # What was known at an earlier revision stays so; the newest may still bring silent actions.
    return _PAST.get(
        (game.pk, revision, seat),
        lambda: rules.view(_as_newcomer(game, seat, _gone_back(game, store.state_at, now, revision)), seat),
    )


def _as_newcomer(game: models.Game, seat: int | None, past: State) -> State:
    """A past state without what only the former player of this seat is to know, if a new person has it now."""
    if seat is None or past.revision >= _heard_by(game, seat, None).passed_on:
        return past
    known = past.copy()
    store.rules_of(game).forget_person(known, seat)
    return known


def log_for(game: models.Game, seat: int | None, at: int | None = None) -> Grown[LogLine]:
    """Everything that happened, as this seat may hear of it, oldest first; up to a revision, if one is named."""
    return _heard_by(game, seat, at).lines


def acted_last(game: models.Game, seat: int, at: int | None = None) -> int:
    """The revision at which this seat acted last, up to the named one; the set-up, if it never did."""
    return _heard_by(game, seat, at).acted


def _heard_by(game: models.Game, seat: int | None, at: int | None = None) -> Heard:
    """Logs only grow, so what a seat has heard is kept and what is new is added to it."""
    side = "" if seat is None else store.rules_of(game).seat_names[seat]
    if at is not None and at < game.revision:  # somebody looks at the past
        rows = _ROWS.get((game.pk, "at", at), lambda: _log_rows(game, revision__lte=at))
        return _heard(Heard(), rows, seat, side)
    heard = _LOGS.peek((game.pk, seat)) or Heard()
    if heard.number == game.action_count:
        return heard
    if heard.number > game.action_count:  # the game's row was read before somebody acted
        return _heard(Heard(), _rows_after(game, NOTHING_YET), seat, side)
    heard = _heard(heard, _rows_after(game, heard.number), seat, side)
    _LOGS.put((game.pk, seat), heard)
    return heard


def _rows_after(game: models.Game, known: int) -> list[ToldRow]:
    """What was told after this action: as it was written here a moment ago, or read."""
    now = game.action_count
    written = [_TOLD.peek((game.pk, number)) for number in range(max(known, now - FEW) + 1, now + 1)]
    told = [row for row in written if row is not None]
    if len(told) == now - known:
        return told
    return _ROWS.get((game.pk, known, now), lambda: _log_rows(game, number__gt=known, number__lte=now))


def _log_rows(game: models.Game, **which: int) -> list[ToldRow]:
    """What was told with some of the actions, whoever it was told to: for the gate's eyes only."""
    rows = models.Action.objects.filter(game=game, **which).order_by("number")
    fields = rows.values_list("number", "revision", "told", "rewind", "seat")
    with _reading(game):
        store.check_version(game)
        return [_log_row(game, *row) for row in fields]


def _log_row(
    game: models.Game, number: int, revision: int, told: object, rewind: int | None, by: int | None
) -> ToldRow:
    if not isinstance(told, list):
        raise Unreadable("what was told is not a list of events")
    return ToldRow(number, revision, [_log_line(game, revision, each) for each in told], rewind, by)


def _log_line(game: models.Game, revision: int, told: dict[str, Any]) -> tuple[Any, LogLine]:
    """Who may hear of an event, and what they hear."""
    kind, facts = store.rules_of(game).stored_event(told)
    to = told.get("to")
    if to != EVERYONE and not isinstance(to, list):
        raise Unreadable(f"the event {kind.name()} was told to nobody")
    return to, LogLine(revision, kind.name(), kind.sentence(facts), kind.rule, facts, personal=kind.personal)


PASSED_ON = SeatPassedOn.name()


def _heard(heard: Heard, rows: list[ToldRow], seat: int | None, side: str = "") -> Heard:
    """A seat's log with what is new added: what it may hear, and what was taken back marked."""
    number, revision, lines, numbers, acted, passed_on = heard
    for row in rows:
        if row.rewind is not None:
            back = row.rewind
            lines = Grown(replace(line, taken_back=True) if n > back else line for line, n in zip(lines, numbers))
        new = [line for to, line in row.told if to == EVERYONE or (seat is not None and seat in to)]
        if new:
            lines = lines.plus(new)
            # What is silent is said beside the game; no step of the game takes it back.
            numbers = numbers.plus([NOTHING_YET if row.revision == revision else row.number] * len(new))
        if seat is not None and row.by == seat:
            acted = row.revision
        if seat is not None and any(line.event == PASSED_ON and line.facts["side"] == side for line in new):
            # A new person sits here: what concerned the former one alone is theirs.
            kept = [at for at, line in enumerate(lines) if not line.personal]
            passed_on = row.revision
            lines, numbers = Grown(lines[at] for at in kept), Grown(numbers[at] for at in kept)
        number, revision = row.number, row.revision
    return Heard(number, revision, lines, numbers, acted, passed_on)


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
    return list(models.waiting_bots().filter(game=game).order_by("number").values_list("number", "bot"))


def bot_question(pk: int, seat: int) -> BotQuestion | None:
    game = models.Game.objects.filter(pk=pk, status=models.Game.Status.RUNNING).first()
    level = dict(bot_questions(game)).get(seat) if game else None
    if game is None or not level:
        return None
    view = view_of(game, seat)
    if not any(offer.reply or not offer.aside for offer in view.offers):  # another process was faster
        return None
    # A seed of the game's own: the same game gives the same choices again, and nobody can work them out beforehand.
    # By the number of all actions, as a seat may act more than once at a revision.
    secret = hmac.digest(bytes(game.position.cup_seed), f"bot {seat} {game.action_count}".encode(), "sha256").hex()
    return BotQuestion(game, game.ruleset, seat, level, view, view.offers, secret)


def bot_acts(question: BotQuestion, action: Action) -> Outcome:
    """The bot's answer, through the gate. Its seed is the token: however often it is given, it counts once.

    It is stale if whoever the bot stood in for is back."""
    timed, outcome = timing.Timed("bot"), "refused"
    try:
        with timed:
            done = act(
                question.game,
                question.seat,
                plain(action),
                revision=question.view.revision,
                token=question.seed,
                decision=question.view.decision,
                sitter=question.level,
            )
            outcome = "repeated" if done.repeated else "done"
            return done
    finally:
        timed.end(outcome)


# ---- the newest states and views, kept by (game, number of actions): wrong only if that is, and transactions check it

NOTHING_YET = -1  # the set-up is action 0
OF_THE_STATE = [
    "revision",
    "action_count",
    "status",
    "winners",
    "ended_how",
    "window_since",
    "deadline",
]  # columns of a game that go with its state


class ToldRow(NamedTuple):
    """What was told with one action, to whom, and who took it: for the gate's eyes only."""

    number: int
    revision: int
    told: list[tuple[Any, LogLine]]
    rewind: int | None
    by: int | None


class Heard(NamedTuple):
    """What a seat has heard up to an action, with the number of the action that each line came from."""

    number: int = NOTHING_YET
    revision: int = NOTHING_YET
    lines: Grown[LogLine] = Grown()
    numbers: Grown[int] = Grown()
    acted: int = 0
    passed_on: int = NOTHING_YET  # the revision at which a new person came to the seat


_STATES: Cache[State] = Cache(2)
_STANDING: Cache[Standing] = Cache(1)  # only what this process has written itself
_VIEWS: Cache[View] = Cache(2 * VIEWERS)
_PAST: Cache[View] = Cache(4 * VIEWERS)
_LOGS: Cache[Heard] = Cache(VIEWERS)
FEW = 8  # actions, of which some may be silent: other seats hear of them with the next one
_TOLD: Cache[ToldRow] = Cache(FEW)  # by action: what this process has written itself
_ROWS: Cache[list[ToldRow]] = Cache(2)  # what several seats are about to be told


def _state(game: models.Game) -> State:
    """The newest state; `game` is brought up to it if somebody acted while its rows were being read."""
    found = _STATES.peek((game.pk, game.action_count))
    while found is None:
        with _reading(game):
            loaded = store.load(game)
        if models.Game.objects.filter(pk=game.pk, action_count=game.action_count).exists():
            found = loaded
            _STATES.put((game.pk, game.action_count), loaded)
        else:
            game.refresh_from_db(fields=OF_THE_STATE)
    return found


def _gone_back(game: models.Game, back: Callable[[models.Game, State, int], State], now: State, number: int) -> State:
    with _reading(game):
        return back(game, now, number)


def _remember(game: models.Game, state: State, row: models.Action | None = None) -> None:
    # Only what is committed may be kept: a state of a transaction that failed never happened.
    _STATES.put((game.pk, state.actions), state)
    if row is not None:
        _STANDING.put((game.pk,), Standing(game, row.hash))
        told = _log_row(game, row.number, row.revision, row.told, row.rewind, row.seat)
        _TOLD.put((game.pk, row.number), told)


class Standing(NamedTuple):
    """A game's row, and the hash its next action links to. Whether others have acted since is found out by writing."""

    game: models.Game
    hash: str


def _standing(pk: int, lock: bool = False) -> Standing:
    """How a game stands, read anew; in a transaction it may be locked for it."""
    game = next(iter((GAMES_TO_WRITE if lock else GAMES)(pk)), None)
    if game is None:
        raise models.Game.DoesNotExist
    if game.status == models.Game.Status.OPEN:
        return Standing(game, "")
    _state(game)  # may bring the row up to what happened while it was read
    return Standing(game, store.links_to(game))


def _twin(game: models.Game) -> models.Game:
    """A copy of a row that can be written to without touching this one, which others may hold."""
    twin = models.Game.__new__(models.Game)
    twin.__dict__.update(game.__dict__)
    twin._state = copy.copy(game._state)
    twin._state.fields_cache = dict(game._state.fields_cache)
    return twin


def forget() -> None:
    """For tests, which use the same revision of the same game for different things."""
    kept.forget()
    _told_operator.clear()
