"""A game over days as people live it: they look in now and then, and one of them vanishes (`manage.py days`).

Everybody plays through the gate, and the caretaker's own jobs run between two looks, while the wall's clock is moved.
What clocks do is checked against waking hours that are counted here anew, ten minutes at a time.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from unittest.mock import patch

from django.core import mail
from django.test.utils import override_settings

from games import access, begun, caretaker, lobby, plans, play, robots, tables, telling, timekeeper, usual_orders
from games.clocks import CLOCKS, PACES
from games.engine.bots import consider
from games.engine.core.plain import plain
from games.engine.core.refusals import IllegalAction
from games.engine.kings.orders import ORDERS
from games.models import Game, Notice, Seat
from players import letters
from players.hours import Hours, hours_of, zone_of
from players.models import Player

RULESET = "kings"
# Boards are drawn for mails, also where nobody has gathered the pictures.
NOT_COLLECTED = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
MIND = "steward"  # who decides for a person who looks in
BEGINS = datetime(2026, 9, 21, 6, tzinfo=UTC)  # within ninety days clocks are changed in Europe, America and Australia
STEP = timedelta(minutes=10)  # the caretaker's looks; a longer silence is an outage
MAIL_ROUND = timedelta(minutes=30)
HOUSEKEEPING = timedelta(hours=6)
OUTAGE = (timedelta(days=30, hours=5), timedelta(hours=7))  # the site stands still: when, and for how long
MOST_ANSWERS = 400  # at one look: nobody is asked as often by a game that goes on
MOST_OF_BOTS = 4000

# An answer in advance to everything there is an order for.
ALL_ORDERS = {
    "waiting": "never",
    "lucky_charm": "any",
    "dispel_magic_scroll": "any",
    "fan": "mine",
    "elixir": "mine",
    "dust_of_defense": "outnumbered",
    "battle_items": "best",
    "proof": "show",
    "flyers": "all",
    "endangered_income": "keep",
    "fled_heroes": "keep",
    "losses": "weakest",
    "captured": "nothing",
    "battles": "home",
    "hits": "walls",
    "bribes": "five",
    "retreat": "stay",
    "targets": "most",
    "marksman": "usual",
    "warlord": "best",
    "events": "none",
    "building": "afford",
    "powers": "none",
}


@dataclass(frozen=True)
class Person:
    """Somebody with hours of their own, who looks in every so many hours, and forgets to."""

    name: str
    zone: str
    wakes: int
    sleeps: int
    gaps: tuple[int, ...]  # hours between two looks, one of which is drawn each time
    vacations: str = ""
    vanishes: timedelta | None = None  # so long after the start, for good

    @property
    def hours(self) -> Hours:
        return Hours(self.zone, self.wakes * 60, self.sleeps * 60)


PEOPLE = (
    Person("anna", "Europe/Berlin", 7, 23, (1, 1, 2, 3, 5, 9, 26)),
    Person("ben", "America/New_York", 8, 22, (1, 2, 3, 4, 12, 30), vacations="2026-10-20/2026-10-26"),
    Person("cleo", "Australia/Adelaide", 9, 25, (1, 1, 2, 4, 8, 40)),
    Person("dora", "Asia/Tokyo", 6, 20, (1, 2, 5), vanishes=timedelta(days=12)),
)


@dataclass(frozen=True)
class Case:
    """How the people of a game have set things up before it begins."""

    name: str
    orders: Mapping[str, str] = field(default_factory=dict)
    plans: bool = False  # whoever looks in prepares what comes next


CASES = (
    Case("nothing set"),
    Case("all standing orders set", ALL_ORDERS),
    Case("all orders set, and plans made", ALL_ORDERS, plans=True),
)
PLANNED = ("recruit", "event", "march", "build")  # what is placed, people choose when they see what they have drawn
MOST_PLANNED = 10


@dataclass
class Report:
    """What came of a game: figures to print, and faults, of which there should be none."""

    case: str
    days: float = 0
    answers: int = 0
    turns: int = 0
    stops: int = 0
    returns: int = 0
    windows_closed: int = 0
    takeovers: Counter[str] = field(default_factory=Counter)
    notices: Counter[tuple[str, str]] = field(default_factory=Counter)  # by player and kind
    mails: Counter[str] = field(default_factory=Counter)
    games: list[str] = field(default_factory=list)  # how each of them ended or stands
    faults: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        turns = max(self.turns, 1)
        yield f"{self.case}: {self.turns} turns in {self.days:.1f} days, {self.answers} answers"
        yield from (f"  {game}" for game in self.games)
        yield f"  {self.stops / turns:.1f} stops a turn; {self.windows_closed} windows closed by the house"
        for name in sorted({name for name, _ in self.notices}):
            kinds = ", ".join(f"{kind} {n}" for (who, kind), n in sorted(self.notices.items()) if who == name)
            yield f"  {name}: notices: {kinds}; mails: {self.mails[name]}, {self.mails[name] / turns:.1f} a turn"
        takeovers = ", ".join(f"{name} {count}" for name, count in sorted(self.takeovers.items())) or "none"
        yield f"  takeovers: {takeovers}; seats taken back: {self.returns}"
        yield from (f"  FAULT: {fault}" for fault in self.faults)


class Days:
    """One game of four people who play over days."""

    def __init__(
        self,
        case: Case,
        seed: str,
        move_to: Callable[[datetime], object],
        days: int = 90,
        people: Sequence[Person] = PEOPLE,
        outage: tuple[timedelta, timedelta] = OUTAGE,
    ) -> None:
        self.case, self.seed, self.move_wall = case, seed, move_to
        self.cast, self.outage = people, outage
        self.chance = Random(f"{seed} {case.name}")
        self.now = self.started = BEGINS
        self.end = BEGINS + timedelta(days=days)
        self.seen: Counter[str] = Counter()  # in the present game
        self.report = Report(case.name)
        self.people: dict[int, Person] = {}  # by the player's key
        self.next_look: dict[int, datetime] = {}
        self.waited: dict[int, timedelta] = {}  # by seat: waking time since its clock began
        self.began: dict[int, datetime | None] = {}
        self.moved: set[int] = set()  # seats whose question was open in the outage
        self.seats_known: dict[int, Seat] = {}
        self.sitting: dict[int, int] = {}
        self.thought = 0

    def play(self) -> Report:
        """Live through the days, or up to the end of the game."""
        with (
            override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend", STORAGES=NOT_COLLECTED),
            patch("secrets.token_bytes", self.chance.randbytes),  # the same seed, the same game
        ):
            play.forget()  # what is kept of another database's games
            mail.outbox = []
            self.wait_until(BEGINS)
            timekeeper.look()
            players = [self.arrive(person) for person in self.cast]
            while self.now < self.end and not self.report.faults:
                self.begin_game(players)
                self.live()
                self.count()
            self.count_mails()
        return self.report

    def begin_game(self, players: list[Player]) -> None:
        """A table over days; when its game is over, the same people begin another one."""
        seats = [{"kind": "me"}, *[{"kind": "link"}] * (len(players) - 1)]
        self.game = lobby.create(players[0], RULESET, {}, seats, is_public=False, pace="days")
        for player in players[1:]:
            lobby.join(self.game, player, by_link=True)
        self.fresh()
        self.started, self.seen = self.now, Counter()
        self.next_look = {key: self.when_next(person) for key, person in self.people.items()}
        self.note_clocks(anew=True)

    def arrive(self, person: Person) -> Player:
        name = person.name
        player = Player(username=name, email=f"{name}@example.org", hours=str(person.hours), vacations=person.vacations)
        player.set_unusable_password()
        player.save()
        self.set_up(player)
        self.people[player.pk] = person
        return player

    def set_up(self, player: Player) -> None:
        """What somebody prepares before the game, by the case: this is the place for whatever may be prepared."""
        usual_orders.keep(player, RULESET, self.case.orders)

    # ---- how time passes

    def live(self) -> None:
        stands_from = BEGINS + self.outage[0]
        while self.now < self.end and self.game.status == Game.Status.RUNNING:
            if self.now == stands_from:
                self.stand_still(self.outage[1])
            else:
                self.wait_until(self.now + STEP)
            self.caretake()
            for key in [key for key, moment in self.next_look.items() if moment <= self.now]:
                if self.is_running():
                    self.look_in(key)
                    self.check_goes_on()
            if self.report.faults:
                return

    def wait_until(self, moment: datetime) -> None:
        """Move the clock on the wall, and count for each open question the time in which its player was awake."""
        middle = self.now + (moment - self.now) / 2
        self.now = moment
        self.move_wall(moment)
        for number, person in self.waiting().items():
            if self.is_awake(person, middle):
                self.waited[number] = self.waited.get(number, timedelta()) + STEP

    def stand_still(self, time: timedelta) -> None:
        """The site is away: nobody can look in, and no clock may run."""
        before = {seat.number: seat.due_at for seat in self.seats() if seat.due_at}
        window = self.fresh().window_since and self.game.deadline
        self.now += time
        self.move_wall(self.now)
        timekeeper.look()
        self.moved |= set(before)
        for seat in self.seats():
            if seat.number in before and seat.due_at != before[seat.number] + time:
                self.fault(f"the outage of {time} moved the clock of seat {seat.number} to {seat.due_at}")
        if window and self.fresh().deadline != window + time:
            self.fault(f"the outage of {time} moved the window's end to {self.game.deadline}")
        self.note_clocks()

    @staticmethod
    def is_awake(person: Person, moment: datetime) -> bool:
        """By the clock on their own wall; the small hours belong to the day before."""
        there = moment.astimezone(zone_of(person.zone))
        day, minutes = there.date(), there.hour * 60 + there.minute
        if minutes < person.wakes * 60:
            day, minutes = day - timedelta(days=1), minutes + 24 * 60
        away = any(each.first <= day <= each.last for each in hours_of("", person.vacations).vacations)
        return person.wakes * 60 <= minutes < person.sleeps * 60 and not away

    def when_next(self, person: Person) -> datetime:
        """The next look: some hours from now, and then when they are awake and at home."""
        moment = self.now + timedelta(hours=self.chance.choice(person.gaps))
        while not self.is_awake(person, moment):
            moment += STEP
        if person.vanishes is not None and moment >= self.started + person.vanishes:
            return datetime.max.replace(tzinfo=UTC)
        return moment

    # ---- the caretaker

    def caretake(self) -> None:
        """The jobs of games/caretaker.py, in one thread; what is due is looked at twice, as by two processes."""
        known = self.game
        timekeeper.look()
        if self.is_due or self.fresh().revision != known.revision:
            timekeeper.look()
            self.check_clocks(known)
            self.note_clocks()
            self.let_bots_answer()
            self.check_goes_on()
        if (self.now - BEGINS) % MAIL_ROUND < STEP:
            letters.send_due()
            telling.send_due()
        if (self.now - BEGINS) % HOUSEKEEPING < STEP:
            caretaker.clear()

    @property
    def is_due(self) -> bool:
        return self.game.deadline is not None and self.game.deadline <= self.now

    def check_clocks(self, known: Game) -> None:
        """Whatever was due has ended, and nothing else has; `known` is the game's row before that."""
        self.fresh()
        for seat in self.seats():
            was = self.seats_known[seat.number]
            if was.player_id and not seat.player_id:
                self.check_takeover(was)
            elif seat.due_at is not None and seat.due_at <= self.now:
                self.fault(f"the clock of seat {seat.number} did not end at {seat.due_at}")
        if known.window_since is None or self.game.window_since == known.window_since:
            if self.is_due:
                self.fault(f"what was due at {self.game.deadline} did not end")
        else:
            self.report.windows_closed += 1
            if known.deadline != self.now:
                self.fault(f"a window was closed at {self.now} that was due at {known.deadline}")

    def check_takeover(self, seat: Seat) -> None:
        """A bot has taken over: the time that the table gives must be up, and not longer than a moment ago."""
        assert seat.player_id is not None
        person, clock = self.people[seat.player_id], CLOCKS[self.game.clock]
        self.report.takeovers[person.name] += 1
        self.seen["seat_taken_over"] += 1
        given = clock.each + (clock.bank if seat.bank is None else seat.bank)
        if seat.due_at != self.now:
            self.fault(f"a bot took over for {person.name} at {self.now}; the clock ended at {seat.due_at}")
        if seat.number not in self.moved and self.waited.get(seat.number) != given:
            self.fault(f"{person.name} had {given}, and {self.waited.get(seat.number)} of it at the takeover")

    def let_bots_answer(self) -> None:
        """As games/robots.py does, one after another; who plays for a person in between is found anew each time."""
        for _ in range(MOST_OF_BOTS):
            found = robots.waiting()
            if found and self.takes_a_step(found[0].game, found[0].seat):
                continue
            question = play.bot_question(found[0].game, found[0].seat) if found else None
            if question is None:
                return
            thought = consider(question.ruleset, MIND, question.view, question.offers, question.seed)
            if thought.fault:
                self.fault(f"the bot in seat {question.seat} could not answer: {thought.fault}")
            with self.counting(question.seat):
                play.bot_acts(question, thought.action)
        self.fault(f"bots gave {MOST_OF_BOTS} answers in a row")

    def takes_a_step(self, game: int, number: int) -> bool:
        """Whether a plan answered for this seat. If it stopped, or no plan knows on, the game waits for its player."""
        if not Seat.objects.get(game=game, number=number).plans:
            return False
        with self.counting(None):
            return plans.run(game, number)

    # ---- people

    def look_in(self, key: int) -> None:
        """Somebody opens the page, takes their seat back if a bot has it, and answers what they are asked."""
        person, player = self.people[key], Player.objects.get(pk=key)
        self.next_look[key] = self.when_next(person)
        if begun.kept_seats(self.fresh(), player):
            begun.take_back_seat(self.game, player)
            self.report.returns += 1
            self.seen["seat_given_back"] += 1
            self.note_clocks()
        for _ in range(MOST_ANSWERS):
            visitor = access.visit(self.fresh(), player, {})
            tables.look(visitor)
            if visitor.seat is None or not self.is_running():
                return
            if not visitor.seat.is_asked:
                self.plan_ahead(visitor.seat)
                return
            self.answer(visitor.seat)
            self.let_bots_answer()
            if self.chance.random() < 0.02:  # called away
                return
        self.fault(f"{person.name} was asked {MOST_ANSWERS} times in a row")

    def answer(self, seat: Seat) -> None:
        """Through the gate, with what a person's page would send."""
        view = play.view_of(self.game, seat.number)
        self.thought += 1
        thought = consider(RULESET, MIND, view, view.offers, f"{self.seed} {self.case.name} {self.thought}")
        action, token = plain(thought.action), play.fresh_token()
        try:
            with self.counting(seat.number):
                play.act(self.game, seat.number, action, revision=view.revision, token=token, decision=view.decision)
        except IllegalAction as refusal:
            self.fault(f"seat {seat.number} was refused: {refusal.code} for {action}")

    def plan_ahead(self, seat: Seat) -> None:
        """Prepare what comes next and is not prepared, as the player would answer it now."""
        if not self.case.plans or self.turn() == 0:
            return
        if "draw" not in play.plans_of(self.game, seat):
            plans.pass_each_turn(self.game, seat, "draw")
        for question in PLANNED:
            known = play.plans_of(self.game, seat).get(question)
            if (known is None or known.why or known.is_over) and question != plans.moment_of(
                self.game, seat.number
            ).question:
                plans.drop(seat, question)
                self.plan(seat, question)

    def plan(self, seat: Seat, question: str) -> None:
        for _ in range(MOST_PLANNED):
            supposed = plans.supposed(self.game, seat, question)
            if supposed.refusal or not supposed.is_open:
                return
            self.thought += 1
            seed = f"{self.seed} {self.case.name} {self.thought}"
            thought = consider(RULESET, MIND, supposed.view, supposed.view.offers, seed)
            plans.add(self.game, seat, question, plain(thought.action))
            seat.refresh_from_db()

    @contextlib.contextmanager
    def counting(self, actor: int | None) -> Iterator[None]:
        """A stop: play waits for a person who did not just act. Questions to several are one; set-up is none."""
        before = self.questions()
        yield
        new = {seat for seat, asked in self.questions().items() if before.get(seat) != asked and seat != actor}
        self.report.answers += 1
        self.report.stops += bool(new) and self.turn() > 0
        self.note_clocks(anew=True)

    # ---- what there is to see

    def fresh(self) -> Game:
        self.game = Game.objects.get(pk=self.game.pk)
        return self.game

    def seats(self) -> list[Seat]:
        return list(Seat.objects.filter(game=self.game).order_by("number"))

    def is_running(self) -> bool:
        return self.fresh().status == Game.Status.RUNNING

    def questions(self) -> dict[int, str]:
        """What waits for people, and not for a bot or for somebody's plan."""
        waiting = (seat for seat in self.seats() if seat.player_id and seat.is_asked and not seat.wants_bot)
        return {seat.number: seat.decision for seat in waiting}

    def waiting(self) -> dict[int, Person]:
        """People whose clocks run."""
        running = {number: since for number, since in self.began.items() if since is not None}
        return {number: self.people[self.sitting[number]] for number in running}

    def note_clocks(self, anew: bool = False) -> None:
        """Whose clocks run from now on; after an action, a clock that began anew has all its time again."""
        was, seats = self.began, self.seats()
        self.seats_known = {seat.number: seat for seat in seats}
        self.began = {seat.number: seat.clock_from if seat.due_at else None for seat in seats}
        self.sitting = {seat.number: seat.player_id for seat in seats if seat.player_id is not None}
        for number, since in self.began.items():
            if since is None or was.get(number) is None or (anew and since != was.get(number)):
                self.waited[number] = timedelta()
                self.moved.discard(number)

    def turn(self) -> int:
        return int(getattr(play.view_of(self.game, None), "turn", 0))

    def check_goes_on(self) -> None:
        """Something must happen by itself: a clock runs, or a bot has something to answer; or all wait for ever."""
        if self.is_running() and self.game.deadline is None and not robots.waiting():
            self.fault(f"stuck at {self.now}: {self.questions()} waits, and no clock runs")

    def fault(self, text: str) -> None:
        self.report.faults.append(f"day {(self.now - BEGINS).days}: {text}")

    def count(self) -> None:
        """What a game adds to the report, when it is over or the days are."""
        report, game = self.report, self.fresh()
        report.days, report.turns = (self.now - BEGINS) / timedelta(days=1), report.turns + self.turn()
        log = Counter(line.event for line in play.log_for(game, None))
        for event in ("seat_taken_over", "seat_given_back"):
            if log[event] != self.seen[event]:
                self.fault(f"the log tells {event} {log[event]} times; it happened {self.seen[event]} times")
        report.games.append(self.how_it_stands())

    def how_it_stands(self) -> str:
        seats = list(self.game.seats.select_related("game", "player"))
        if self.game.status == Game.Status.FINISHED:
            won = [seat.label for seat in seats if seat.number in self.game.winners]
            return f"turn {self.turn()}, day {(self.now - BEGINS).days}: won by {' and '.join(won) or 'nobody'}"
        gold = ", ".join(f"{seat.label} {seat.gold}" for seat in seats)
        return f"turn {self.turn()}, day {(self.now - BEGINS).days}: still being played; gold: {gold}"

    def count_mails(self) -> None:
        for told in Notice.objects.select_related("player"):
            self.report.notices[told.player.username, told.kind] += 1
        for each in mail.outbox:
            self.report.mails[each.to[0].partition("@")[0]] += 1


assert ALL_ORDERS.keys() == ORDERS.keys(), "every order there is has an answer here"
assert PACES["days"].clock in CLOCKS
