"""The admin: staff can find games and look at them, change nothing, and see nothing hidden.

What is shown comes through the gate: board and log as a spectator gets them, the flow as names of procedures.
Staff do not find unfinished games in which they play themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse

from players.admin import lookups_offered
from players.models import logged_in

from . import play, silence
from .engine import RULESETS
from .models import Call, Game, Notice, Report, Seat
from .painting import fragments

if TYPE_CHECKING:
    Rows = admin.ModelAdmin[Any]
else:
    Rows = admin.ModelAdmin

admin.site.site_header = admin.site.site_title = "Kadab"
admin.site.index_title = "Administration"


class ReadOnly(Rows):
    """Read-only rows: nobody changes a game by a form."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Filter by what the page offers. Django lets ?invite_key__startswith= read a key letter by letter."""
        return lookup in lookups_offered(self.list_filter) and super().lookup_allowed(lookup, value, request)


class RulesetFilter(admin.SimpleListFilter):
    title = "game"
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(slug, rules.name) for slug, rules in RULESETS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return queryset.filter(ruleset=self.value()) if self.value() in RULESETS else queryset


class WaitedForFilter(admin.SimpleListFilter):
    title = "who is waited for"
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        silent = f"an answer for more than {settings.SILENT_DAYS} days"
        return [("bot", "a bot"), ("person", "a person"), ("silent", silent)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        asked = Seat.objects.filter(game=OuterRef("pk"), asked_openly=True)
        kinds = {
            "bot": asked.exclude(bot=""),
            "person": asked.filter(player__isnull=False),
            "silent": asked.filter(player__isnull=False, asked_at__lte=silence.long_ago()),
        }
        kind = kinds.get(self.value() or "")
        if kind is None:
            return queryset
        waits = Q(Exists(kind))
        if self.value() == "silent":  # a window that nobody has closed has to be found as well; it names nobody (R4)
            waits |= Q(window_since__lte=silence.long_ago())
        return queryset.filter(waits, status=Game.Status.RUNNING)


class BotFaultsFilter(admin.SimpleListFilter):
    """Games in which a bot met a question it could not answer by its own rules; the log has the tracebacks."""

    title = "bot faults"
    parameter_name = "faults"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("some", "with faults")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        faulty = Seat.objects.filter(game=OuterRef("pk"), bot_faults__gt=0)
        return queryset.filter(Exists(faulty)) if self.value() == "some" else queryset


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = (
        "public_id",
        "status",
        "game",
        "players",
        "waited_for",
        "revision",
        "last_move",
        "bot_faults",
        "is_lesson",
    )
    list_filter = ("status", "is_lesson", RulesetFilter, WaitedForFilter, BotFaultsFilter)
    search_fields = ("public_id", "seats__player__username", "seats__player__guest_name", "seats__name")
    search_help_text = "A table’s id, or a player’s name"
    ordering = ("-moved_at", "-created_at")
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """All games except unfinished ones in which this member of the staff plays."""
        own = Seat.objects.filter(game=OuterRef("pk"), player=logged_in(request))
        unfinished = Q(status__in=(Game.Status.OPEN, Game.Status.RUNNING))
        games = super().get_queryset(request).exclude(unfinished & Exists(own))
        return games.select_related("host").prefetch_related("seats__player")

    @admin.display(description="game", ordering="ruleset")
    def game(self, game: Game) -> str:
        return RULESETS[game.ruleset].name

    @admin.display(description="players")
    def players(self, game: Game) -> str:
        return ", ".join(seat.label or "–" for seat in game.seats.all())

    @admin.display(description="waits for")
    def waited_for(self, game: Game) -> str:
        return ", ".join(seat.label for seat in game.seats.all() if seat.asked_openly) or "–"

    @admin.display(description="last move", ordering="moved_at")
    def last_move(self, game: Game) -> str:
        return f"{game.moved_at:%Y-%m-%d %H:%M}" if game.moved_at else "–"

    @admin.display(description="bot faults")
    def bot_faults(self, game: Game) -> int:
        return sum(seat.bot_faults for seat in game.seats.all())

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The page of one game. There is nothing to send it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        game = self._found(request, object_id)
        context = {
            **self.admin_site.each_context(request),
            **seen_from_outside(game),
            "title": f"{self.game(game)}: {game.public_id}",
            "opts": self.opts,
        }
        response = TemplateResponse(request, "admin/games/game.html", context)
        response["Cache-Control"] = "private, no-store"
        return response

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        self._found(request, object_id)
        return super().history_view(request, object_id, extra_context)

    def _found(self, request: HttpRequest, object_id: str) -> Game:
        """The game; 404 both if it does not exist and if this member of the staff may not see it now."""
        game: Game | None = self.get_object(request, unquote(object_id))
        if game is None:
            raise Http404
        return game


def seen_from_outside(game: Game) -> dict[str, Any]:
    """The page's context: rows without secrets, and what a spectator gets from the gate."""
    seats = list(game.seats.all())
    titles = RULESETS[game.ruleset].seat_names if game.started_at else ["–"] * len(seats)
    shown: dict[str, Any] = {
        "game": game,
        "rules": RULESETS[game.ruleset],
        "seats": [(seat, titles[seat.number]) for seat in seats],
        "winners": [seat.label for seat in seats if seat.number in game.winners],
    }
    if not game.started_at:
        return shown
    try:
        return shown | _seen_by_a_spectator(game, seats)
    except play.NeedsUpgrade as fault:
        return shown | {"trouble": fault.why}


def _seen_by_a_spectator(game: Game, seats: list[Seat]) -> dict[str, Any]:
    names = play.told_apart(game, {seat.number: seat.label for seat in seats})
    view, log = play.view_of(game, None), play.log_for(game, None)
    words = fragments.called([(line.event, line.facts) for line in log], view, game.public_id)
    return {
        "flow": play.flow_for_admin(game),
        "log": [(line, line.text(names, each)) for line, each in zip(log, words)][::-1],
        "board": fragments.board_svg(view, None, game.public_id),
        "styles": ["css/tokens.css", *fragments.styles_of(game.ruleset)],
    }


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    """Who was to be told what, and whether a mail or a push went out."""

    list_display = ("player", "game", "kind", "channel", "due_at", "settled_at", "sent", "tries", "refused")
    list_filter = ("kind", "channel", "sent", "refused")
    list_select_related = ("player", "game")
    list_display_links = None
    search_fields = ("player__username", "game__public_id")
    ordering = ("-due_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """None of a game still hiding something: a notice names who is asked, and that may be a secret (R2)."""
        hiding = [slug for slug, rules in RULESETS.items() if rules.hides_something]
        return super().get_queryset(request).exclude(game__ruleset__in=hiding, game__status=Game.Status.RUNNING)

    fields = ("player", "game", "kind", "channel", "due_at", "settled_at", "sent", "tries", "refused")


@admin.register(Call)
class CallAdmin(ReadOnly):
    """What tables' webhooks were told, and why calls failed; where to is their hosts' business."""

    list_display = ("game", "kind", "due_at", "settled_at", "sent", "tries", "refused")
    list_filter = ("kind", "sent", "refused")
    list_select_related = ("game",)
    list_display_links = None
    search_fields = ("game__public_id",)
    ordering = ("-due_at",)
    fields = ("game", "kind", "due_at", "settled_at", "sent", "tries", "refused")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Call]:
        """None of a running game that this member of the staff plays."""
        own = Seat.objects.filter(game=OuterRef("game"), player=logged_in(request))
        return super().get_queryset(request).exclude(Exists(own), game__status=Game.Status.RUNNING)


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """Messages that somebody wants the staff to read; none of a game under way in which this member plays."""

    list_display = ("at", "author", "text", "is_private", "by", "why", "game")
    list_filter = ("is_private",)
    list_select_related = ("author", "by", "game")
    list_display_links = None
    search_fields = ("author__username", "by__username", "game__public_id")
    ordering = ("-at",)
    fields = ("at", "author", "text", "said_at", "is_private", "by", "why", "game")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        plays = Seat.objects.filter(Q(player=request.user.pk) | Q(stands_in_for=request.user.pk), game=OuterRef("game"))
        return super().get_queryset(request).exclude(Exists(plays), game__status=Game.Status.RUNNING)
