"""A table as one visitor's page shows it: gathered from the gate, the seats and the talk, drawn by painting.

Pages, polling and sockets all ask `news`: given what a page shows now, the message that brings it up to date.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from players.hours import ZERO

from . import access, aside, doorbell, play
from .access import Visitor
from .clocks import clock_of, local, minutes, pace_facts
from .engine import RULESETS
from .engine.core.grown import Grown, beyond
from .engine.core.memo import Memo
from .engine.core.plans import REST
from .engine.core.refusals import IllegalAction
from .engine.core.view import View
from .kept import VIEWERS, Cache
from .models import Game, Message, Seat
from .painting import fragments as painting
from .painting.markup import element, join
from .painting.scene import ClockLine, Line, Person, Planned, Scene
from .prepared import Prepared
from .silence import may_go_on

HERE = timedelta(seconds=75)  # looked this recently: is at the table
A_WHILE = timedelta(minutes=10)  # without a clock, nobody is told sooner that they wait
AWAY = timedelta(minutes=30)  # looked no later than this: comes back for another visit
LOOK_AGAIN = timedelta(seconds=20)  # how often a look is worth a row
MOST_PEOPLE = 4096  # how many tables' people, as different viewers see them, are kept

LinesFor = Callable[[Visitor], list[Message]]
Drawn = painting.Fragments
Panels = dict[str, dict[str, Any]]  # contexts by slot
Sitting = tuple[tuple[int, str, str, str], ...]  # (seat, name, kind, called) of everybody at a table

# By (game, seat, names): a log, and its sentences. By (game, revision, silent, seat, mark): what a page was drawn from.
_SAID: Cache[tuple[Grown[play.LogLine], Grown[Line]]] = Cache(2 * VIEWERS)
_FRAGMENTS: Cache[painting.Fragments] = Cache(2 * VIEWERS)


@dataclass(frozen=True)
class Shown:
    """What a page says it shows; None is what it did not say."""

    revision: int | None = None
    silent: int = 0  # the seat's own silent actions since that revision, which change its page and no other (R4)
    seat: int | None = None
    mark: str | None = None
    talk: str | None = None


NOTHING = Shown()


def shown_by(get: Callable[[str], str | None]) -> Shown:
    def number(name: str) -> int | None:
        text = get(name) or ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

    def word(name: str) -> str | None:
        text = get(name)
        return None if text is None else text[:80]

    return Shown(number("revision"), number("silent") or 0, number("seat"), word("mark"), word("talk"))


# ---- gathering


def visitor_at(public_id: str, player: Any, session: access.Session) -> Visitor | None:
    """Who comes to a table; nobody, if there is none or it is not for their eyes."""
    game, seats = table_at(public_id)
    return visitor_to(game, seats, player, session) if game else None


GAMES = Prepared(lambda: Game.objects.filter(public_id=""))


def table_at(public_id: str) -> tuple[Game | None, tuple[Seat, ...]]:
    """A table and its seats, as they are now."""
    if not public_id.isascii() or not public_id.isprintable():
        return None, ()
    game = next(iter(GAMES(public_id)), None)
    return game, access.seats_of(game) if game else ()


def visitor_to(game: Game, seats: tuple[Seat, ...], player: Any, session: access.Session) -> Visitor | None:
    """The same for a table just read."""
    if not access.may_see(game, player, session, seats):
        return None
    return access.visit(game, player, session, seats)


def scene_for(visitor: Visitor) -> Scene:
    """What this visitor's page shows now."""
    known = visitor.game.revision
    view = play.view_of(visitor.game, visitor.number)
    if visitor.shares_device and view.revision != known:
        # What has happened since the rows were read may be for other eyes at this device.
        return scene_at(visitor, known)
    return _scene(visitor, view)


def scene_at(visitor: Visitor, revision: int, people: tuple[Person, ...] | None = None) -> Scene:
    """What it showed at this revision; the people, if known, need not be asked for again."""
    return _scene(visitor, play.view_at(visitor.game, visitor.number, revision), people)


def views_at(visitor: Visitor, turns: Sequence[tuple[int, int]], end: View) -> list[tuple[int, View]]:
    """What this visitor could know at the beginning of each turn, and at the end."""
    game, seat = visitor.game, visitor.number
    views = [(turn, play.view_at(game, seat, revision)) for turn, revision in turns]
    return [*views, ((turns[-1][0] if turns else 0) + 1, end)]


def _scene(visitor: Visitor, view: View, people: tuple[Person, ...] | None = None) -> Scene:
    game = visitor.game
    people = people or people_at(visitor)
    names = {person.number: person.called for person in people}
    is_newest = view.result is None and view.revision == game.revision
    is_running = game.status == Game.Status.RUNNING and view.revision == game.revision
    is_now = bool(game.clock) and is_running
    return Scene(
        view=view,
        lines=_lines(game, view, names),
        people=people,
        game_name=RULESETS[game.ruleset].name,
        table=game.public_id,
        url=game.get_absolute_url(),
        rules_url=rules_url_of(game),
        facts=facts_of(game, people),
        mark=_mark(game, people, seats_at(visitor), visitor.seat, aside.unread_by(visitor)),
        is_player=visitor.is_player,
        is_lesson=game.is_lesson and visitor.is_player,
        is_timed=_is_timed(visitor) if is_now else False,
        clocks=_clocks(visitor, names) if is_now else _waits(visitor, names) if is_running else (),
        acted=0 if visitor.number is None else play.acted_last(game, visitor.number, view.revision),
        planned=_planned(visitor, view, people) if is_newest else NOT_PLANNED,
        beside=replies_beside(visitor) if is_newest else (),
    )


NOT_PLANNED = Planned()


def _planned(visitor: Visitor, view: View, people: Sequence[Person]) -> Planned:
    """What this visitor has planned in the seat they look from."""
    game, seat, planning = visitor.game, visitor.seat, RULESETS[visitor.game.ruleset].plans
    if planning is None or seat is None or game.is_lesson or game.status != Game.Status.RUNNING:
        return NOT_PLANNED
    plans, moment = play.plans_of(game, seat), planning.moment(view)
    rest = plans.get(REST)
    return Planned(
        can=True,
        apart=any(person.kind != "bot" and not person.is_you for person in people),
        ghosts=tuple(step for plan in plans.values() if not plan.why for step in plan.steps[plan.at :]),
        rests="" if rest is None or not rest.holds(moment) else "phase" if rest.phase else "turn",
        stopped=tuple((question, plan.why) for question, plan in plans.items() if plan.why),
        skipped=tuple(
            (question, step.why)
            for question, plan in plans.items()
            if plan.turn == moment.turn and not plan.why
            for step in plan.steps
            if step.why
        ),
    )


def _is_timed(visitor: Visitor) -> bool:
    """Whether this visitor's answers run against a live clock; in a window for all players alike, asked or not (R4).

    Over days there is time to watch what happened."""
    clock = clock_of(visitor.game.clock)
    if clock is None or not clock.is_live or visitor.game.is_paused:
        return False
    if visitor.game.window_since is not None:
        return visitor.is_player
    return visitor.seat is not None and visitor.seat.due_at is not None


def _clocks(visitor: Visitor, names: Mapping[int, str]) -> tuple[ClockLine, ...]:
    """The clocks of a table in the visitor's time zone: a window's, or those of its people."""
    game, clock = visitor.game, clock_of(visitor.game.clock)
    if clock is None:
        return ()
    zone = getattr(visitor.player, "hours", "")
    if game.paused_until is not None and game.is_paused:
        return (_running("Pause", game.paused_until, zone, is_live=False),)
    if game.window_since is not None:
        line = _running("", game.deadline, zone, clock.is_live) if game.deadline else None
        return (replace(line, since=_since(game.window_since, zone, clock.is_live)),) if line else ()
    shown = [seat for seat in seats_at(visitor) if seat.due_at or (clock.is_live and seat.player_id and not seat.out)]
    return tuple(
        replace(
            _running(names[seat.number], seat.due_at, zone, clock.is_live, seat.number == visitor.number),
            since=_since(seat.asked_at, zone, clock.is_live),
        )
        if seat.due_at
        else ClockLine(names[seat.number], minutes(seat.bank or ZERO), is_you=seat.number == visitor.number)
        for seat in sorted(shown, key=lambda seat: seat.due_at is None)  # those that run come first
    )


def _waits(visitor: Visitor, names: Mapping[int, str]) -> tuple[ClockLine, ...]:
    """Where no clock runs: whom this visitor has waited for, if it is a while; in a window "an answer" alone (R4)."""
    game, zone, long_ago = visitor.game, getattr(visitor.player, "hours", ""), timezone.now() - A_WHILE
    seats = seats_at(visitor)
    if game.window_since is not None:
        others = [seat for seat in seats if seat.player_id and not seat.out and seat not in visitor.own]
        is_late = game.window_since <= long_ago and bool(others)
        return (ClockLine("", f"since {local(game.window_since, zone)}"),) if is_late else ()
    return tuple(
        ClockLine(names[seat.number], f"since {local(seat.asked_at, zone)}")
        for seat in seats
        if seat.asked_openly and seat.player_id and seat not in visitor.own
        if seat.asked_at is not None and seat.asked_at <= long_ago
    )


def _since(moment: datetime | None, hours: str, is_live: bool) -> str:
    return "" if moment is None or is_live else local(moment, hours)


def _running(name: str, until: datetime, hours: str, is_live: bool, is_you: bool = False) -> ClockLine:
    return ClockLine(name, f"until {local(until, hours, is_live)}", until.isoformat(), is_you)


def is_first_game(visitor: Visitor) -> bool:
    """Whether this visitor, as far as this browser may know, has not played this game before."""
    if not visitor.player.is_authenticated or visitor.by_link:
        return True
    played = Seat.objects.filter(player=visitor.player, game__ruleset=visitor.game.ruleset)
    return not played.filter(game__started_at__isnull=False).exclude(game=visitor.game).exists()


def rules_url_of(game: Game) -> str:
    """Where this game's rules can be read."""
    return _rules_url(game.ruleset)


@functools.cache
def _rules_url(ruleset: str) -> str:
    return reverse("rules_of", args=[ruleset])


def replies_beside(visitor: Visitor) -> tuple[tuple[int, str], ...]:
    """On a shared device: what the seats that nobody sits in now may reply, as their people are at hand."""
    return tuple(
        (seat.number, offer.do)
        for seat in visitor.own
        if visitor.seat and seat.number != visitor.number
        for offer in play.view_of(visitor.game, seat.number).offers
        if offer.reply
    )


def acting_seat(visitor: Visitor, data: object) -> int:
    """The seat an action comes from: the visitor's own, or the one beside it that was asked for just this."""
    if visitor.seat is None:
        raise IllegalAction("not_your_seat")
    do = data.get("do") if isinstance(data, dict) else None
    if visitor.shares_device and visitor.game.status == Game.Status.RUNNING:
        for number, reply in replies_beside(visitor):
            if do == reply:
                return number
    return visitor.seat.number


def people_at(visitor: Visitor) -> tuple[Person, ...]:
    """Who sits at the table; the same tuple for as long as it says the same."""
    sitting = _kept_sitting((seats_at(visitor), visitor.game))
    return _kept_people((sitting,), tuple([seat.number for seat in visitor.own]))


def _people(objects: Sequence[Any], own: tuple[int, ...]) -> tuple[Person, ...]:
    sitting: Sitting = objects[0]
    return tuple(Person(number, name, kind, number in own, called) for number, name, kind, called in sitting)


_kept_people = Memo(_people, MOST_PEOPLE)


def _sitting(objects: Sequence[Any]) -> Sitting:
    """What everybody at the table is called, which is the same for all who look."""
    seats: tuple[Seat, ...] = objects[0]
    game: Game = objects[1]
    labels = {seat.number: seat.label or "Nobody" for seat in seats}
    called = play.told_apart(game, labels)
    return _same(tuple((seat.number, labels[seat.number], _kind(seat), called[seat.number]) for seat in seats))


_kept_sitting = Memo(_sitting, 16)  # rows are read once for all sockets of a table


@functools.lru_cache(maxsize=MOST_PEOPLE)
def _same(sitting: Sitting) -> Sitting:
    """The same tuple for what is equal, so that what is made of it can be found again."""
    return sitting


def seats_at(visitor: Visitor) -> tuple[Seat, ...]:
    return visitor.seats or access.seats_of(visitor.game)


def _kind(seat: Seat) -> str:
    if seat.bot:
        return "bot"
    return "guest" if seat.player and seat.player.is_guest else "account"


def _lines(game: Game, view: View, names: dict[int, str]) -> Grown[Line]:
    """What happened, with names in it; a sentence once written is kept for as long as the names are the same."""
    log, key = play.log_for(game, view.seat, view.revision), (game.pk, view.seat, tuple(names.items()))
    known, said = _SAID.peek(key) or (Grown(), Grown())
    new = beyond(log, known)
    if new is None:  # something was taken back, or somebody looks at the past
        new, said = log, Grown()
    if new:
        words = painting.called([(line.event, line.facts) for line in new], view, game.public_id)
        said = said.plus([_kept_line((line,), key[2], tuple(each.items())) for line, each in zip(new, words)])
        _SAID.put(key, (log, said))
    return said


def _line(lines: Sequence[Any], names: tuple[tuple[int, str], ...], words: tuple[tuple[str, str], ...]) -> Line:
    line: play.LogLine = lines[0]
    text = line.text(dict(names), dict(words))
    return Line(line.revision, line.event, text, line.rule, line.facts, line.taken_back, dict(words))


_kept_line = Memo(_line, 256)  # one for all seats that hear it


def facts_of(game: Game, people: tuple[Person, ...]) -> tuple[tuple[str, str], ...]:
    """Who plays what, and the options in force."""
    options = RULESETS[game.ruleset].options
    chosen = tuple(game.options.get(option.name, option.default) for option in options)
    return _kept_facts((people,), game.ruleset, chosen, game.is_public, game.pace, game.clock)


def _facts(
    objects: Sequence[Any], ruleset: str, chosen: tuple[str, ...], is_public: bool, pace: str, clock: str
) -> tuple[tuple[str, str], ...]:
    people: tuple[Person, ...] = objects[0]
    rules = RULESETS[ruleset]
    facts = [("Game", rules.name)]
    for person in people:
        mark = {"guest": " (guest)", "bot": " (bot)"}.get(person.kind, "")
        facts.append((rules.seat_names[person.number], person.name + mark))
    facts += pace_facts(pace, clock)
    options = zip(rules.options, chosen)
    facts += [(option.label, option.choices.get(value, value)) for option, value in options if value]
    facts.append(("Table", "Public: anyone may watch" if is_public else "Private: only by invitation"))
    return tuple(facts)


_kept_facts = Memo(_facts, MOST_PEOPLE)


def _mark(game: Game, people: tuple[Person, ...], seats: tuple[Seat, ...], own: Seat | None, unread: int) -> str:
    """A short name for everything on the page that is no part of the game; of plans, for what its own seat has."""
    rematch = game.rematch.status if game.rematch else ""
    facts = (game.status, rematch, *[seat.wanted for seat in seats], may_go_on(game), game.retimed)
    planned = json.dumps(own.plans, sort_keys=True) if own is not None and own.plans else ""
    return _kept_mark((people,), *facts, planned, unread)


def _marked(objects: Sequence[Any], *more: object) -> str:
    people: tuple[Person, ...] = objects[0]
    told = repr([(p.number, p.name, p.kind, p.is_you) for p in people] + [*more])
    return hashlib.sha256(told.encode()).hexdigest()[:12]


_kept_mark = Memo(_marked, MOST_PEOPLE)


# ---- news


def news(visitor: Visitor, shown: Shown) -> str:
    """The message that brings a page up to date, or nothing if it is."""
    return news_and_then(visitor, shown)[0]


def news_and_then(
    visitor: Visitor, shown: Shown, lines_for: LinesFor | None = aside.lines_for, with_later: bool = True
) -> tuple[str, Shown, Drawn]:
    """The same, and what the page shows when it has had it; without talk if nobody is to be asked for that.

    What takes long may be left out; the page is then owed it (`later_news`)."""
    now = fragments_for(visitor, shown)
    then = Shown(now.revision, now.silent, visitor.number, now.scene.mark, shown.talk)
    message = _news_of_game(visitor, shown, now, with_later)
    if lines_for is None:
        return message, then, now
    talk = talk_context(visitor, lines_for)
    return join(message, _news_of_talk(shown, talk)), replace(then, talk=talk["mark"]), now


def later_news(drawn: Drawn, known: Panels | None) -> str:
    """What takes long, for a page that shows all the rest of this; `known` is what it has of it, if that is known."""
    return painting.patch_later(drawn, known)


def _news_of_game(visitor: Visitor, shown: Shown, now: painting.Fragments, with_later: bool) -> str:
    same_place = shown.seat == visitor.number and shown.mark in (None, now.scene.mark)
    if same_place and (shown.revision, shown.silent) == (now.revision, now.silent):
        return ""
    if not same_place or shown.revision is None or not 0 <= shown.revision <= now.revision:
        return painting.patch(None, now, with_later)
    return painting.patch(_fragments_before(visitor, shown, now), now, with_later)


def fragments_for(visitor: Visitor, before: Shown = NOTHING) -> painting.Fragments:
    """What this visitor's page is drawn from; kept for others in the same place, and to tell later what has changed."""
    scene = scene_for(visitor)
    place = (visitor.game.pk, scene.view.revision, scene.view.silent, visitor.number, scene.mark)
    kept = _FRAGMENTS.peek(place)
    if kept is None or kept.scene != scene:
        was = (visitor.game.pk, before.revision, before.silent, visitor.number, scene.mark)
        kept = painting.fragments(scene, _FRAGMENTS.peek(was))
        _FRAGMENTS.put(place, kept)
    return kept


def _fragments_before(visitor: Visitor, shown: Shown, now: painting.Fragments) -> painting.Fragments | None:
    """What a page is drawn from that shows this; nothing, if it cannot be told any more."""
    kept = _FRAGMENTS.peek((visitor.game.pk, shown.revision, shown.silent, visitor.number, now.scene.mark))
    if kept is not None or shown.revision is None or shown.revision == now.revision:
        return kept
    before = scene_at(visitor, shown.revision, now.scene.people)
    if before.view.silent != shown.silent:
        return None
    # The mark is the same, so the rest of the page is as well; only the game has gone on.
    return painting.fragments(replace(before, mark=now.scene.mark))


def _news_of_talk(shown: Shown, context: dict[str, Any]) -> str:
    if shown.talk is None or shown.talk == context["mark"]:
        return ""
    return painting.swap_inner("talk", painting.draw_panel("talk", context))


def talk_context(visitor: Visitor, lines_for: LinesFor = aside.lines_for) -> dict[str, Any]:
    lines = lines_for(visitor)
    here = seats_here(visitor)
    mine = visitor.player.pk if visitor.player.is_authenticated else None
    newest = lines[-1].pk if lines else 0
    return {
        "lines": [
            (line.name, line.text, line.at, line.by_spectator, line.player_id == mine, line.pk) for line in lines
        ],
        "apart": visitor.game.status == Game.Status.FINISHED,
        "report": f"{visitor.game.get_absolute_url()}report/table/" if mine else "",
        "here": " ".join(map(str, here)),
        "mark": f"{newest}.{len(lines)}.{'-'.join(map(str, here))}",
        "newest": newest,
    }


def refusal(error: IllegalAction | None, rules_url: str = "") -> str:
    """The slot that says why not; empty when there is nothing to say."""
    if error is None:
        return painting.swap_inner("refusal", "")
    why = element("a", "Why?", href=f"{rules_url}#{error.rule}") if error.rule and rules_url else ""
    toast = element("div", element("span", error.sentence), why, dismiss(), class_="toast error")
    return painting.swap_inner("refusal", toast)


def worded(error: IllegalAction, visitor: Visitor) -> IllegalAction:
    """A refusal in the words of the visitor's page, which has names for places."""
    if not error.facts or not visitor.game.started_at:
        return error
    view = play.view_of(visitor.game, visitor.number)
    (words,) = painting.called([("", error.facts)], view, visitor.game.public_id)
    return IllegalAction(error.code, **{**error.facts, **words})


def answered(token: str, status: int) -> str:
    """Tell a page's script, by its socket, that the action with this token was answered, and how; nothing is shown."""
    return element("div", id="answer", data_token=token, data_status=status, hx_swap_oob="innerHTML:#answer")


def dismiss() -> str:
    return element("button", "×", type="button", class_="dismiss", data_dismiss="", aria_label="Dismiss")


def go_to(url: str) -> str:
    """A message for a page that must not show what it shows any longer."""
    return element("div", id="page-state", hidden="", data_go=url, hx_swap_oob="true")


# ---- who is looking


def look(visitor: Visitor) -> None:
    """The player of this seat is looking at it: no mail for them, and a green dot for the others."""
    if visitor.seat is None:
        return
    now = timezone.now()
    seen = visitor.seat.seen_at
    if seen is None or now - seen > LOOK_AGAIN:
        seat, revision = visitor.seat, visitor.game.revision
        if seen is None or was_away(seat):  # another visit begins
            seat.left_revision, seat.came_revision = revision if seen is None else seat.seen_revision, revision
        seat.seen_at, seat.seen_revision = now, revision
        seat.save(update_fields=["seen_at", "seen_revision", "came_revision", "left_revision"])
        if seen is None or now - seen > HERE:
            doorbell.ring_people(visitor.game)


def was_away(seat: Seat) -> bool:
    """Whether whoever looks from this seat now begins another visit."""
    return seat.seen_at is not None and timezone.now() - seat.seen_at > AWAY


def note_read(visitor: Visitor, line: int) -> None:
    """Cards about the log up to this line have been read. Nobody else is told: no revision, no ring (R4)."""
    if visitor.seat is not None and visitor.seat.read_up_to < line < MOST_LINES:
        Seat.objects.filter(pk=visitor.seat.pk, read_up_to__lt=line).update(read_up_to=line)


MOST_LINES = 1_000_000  # no log is as long


def seats_here(visitor: Visitor) -> list[int]:
    since = timezone.now() - HERE
    return [
        seat.number for seat in seats_at(visitor) if seat.bot or (seat.seen_at is not None and seat.seen_at > since)
    ]


# ---- the whole game


def steps_made(visitor: Visitor) -> list[int]:
    """The revisions to stop at when stepping through a game, the start first; what was taken back is passed over."""
    steps = painting.steps_of(visitor.game.ruleset)
    lines = play.log_for(visitor.game, visitor.number)
    made = {line.revision for line in lines if not line.taken_back and (not steps or line.event in steps)}
    return sorted({0} | made)


def export_text(visitor: Visitor) -> str:
    game = visitor.game
    scene = scene_for(visitor)
    tags = {RULESETS[game.ruleset].seat_names[person.number]: person.name for person in scene.people}
    if game.started_at:
        tags["Date"] = game.started_at.date().isoformat()
    start = play.view_at(game, visitor.number, 0)
    return painting.painter_of(game.ruleset).export_text(scene, start, tags)
