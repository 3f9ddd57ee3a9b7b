"""Pages of accounts: our own, and allauth's with changes.

The changes: a refused form is a 4xx, opening a link changes nothing and logs nobody out, and guests may log in
although Django considers them logged in already.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from allauth.account import views as allauth
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic.edit import FormMixin

from games import reliability, timekeeper
from games.notices import KINDS
from kadab import limits

from . import by_link, guests, push, telling, tokens
from .forms import GuestNameForm, HoursForm, KeepForm, PreferencesForm, TellingForm, TokenForm, VacationForm
from .hours import YEAR, Vacation, hours_of, vacations_of, written, zone_of
from .models import Player, logged_in
from .names import check_username, normal_username

UNPROCESSABLE, TOO_MANY = 422, 429
MAILS_A_DAY, DAY_SECONDS = 30, 24 * 3600
FAILURES_SHOWN_DAYS, MOST_FAILURES = 14, 5
NAMES_AN_HOUR, HOUR_SECONDS = 20, 3600  # each name is told to all tables of the guest

if TYPE_CHECKING:
    WithForm = FormMixin[Form]
else:
    WithForm = FormMixin


# ---- the account page


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Name, e-mail, preferences and tokens; a POST saves the preferences."""
    if request.method != "POST":
        return _account_page(request)
    form = PreferencesForm(request.POST, instance=logged_in(request))
    if not form.is_valid():
        return _account_page(request, UNPROCESSABLE, preferences=form)
    form.save()
    messages.success(request, "Saved.")
    return redirect("account")


@never_cache
@login_required
@require_POST
def rename_guest(request: HttpRequest) -> HttpResponse:
    """Give a guest another name; an account's name stays what it is."""
    check_own_browser(request)
    player = logged_in(request)
    if not player.is_guest:
        raise PermissionDenied
    form = GuestNameForm(request.POST)
    if not form.is_valid():
        return _account_page(request, UNPROCESSABLE, name_form=form)
    if not limits.allow("guest-name", str(player.pk), NAMES_AN_HOUR, HOUR_SECONDS):
        form.add_error("guest_name", "You have changed your name very often. Please try again in an hour.")
        return _account_page(request, TOO_MANY, name_form=form)
    guests.rename(player, form.cleaned_data["guest_name"])
    messages.success(request, f"You are called {player.display_name} now.")
    return redirect("account")


@never_cache
@login_required
@require_POST
def end_block(request: HttpRequest) -> HttpResponse:
    """Take back a block of one's own; the other player's stays."""
    check_own_browser(request)
    number = request.POST.get("player", "")
    if number.isascii() and number.isdigit() and len(number) < 10:
        logged_in(request).blocks.filter(of=int(number)).delete()
    return redirect(reverse("account") + "#blocks")


@never_cache
@login_required
@require_POST
def set_hours(request: HttpRequest) -> HttpResponse:
    """When the player is awake; counts from their next question on."""
    check_own_browser(request)
    form = HoursForm(request.POST)
    if not form.is_valid():
        return _account_page(request, UNPROCESSABLE, hours_form=form)
    player = logged_in(request)
    player.hours = str(form.hours)
    player.save(update_fields=["hours"])
    messages.success(request, "Saved. Your new hours count from your next question on.")
    return redirect(reverse("account") + "#hours")


@never_cache
@login_required
@require_POST
def set_telling(request: HttpRequest) -> HttpResponse:
    """What news the player is told, by which channel and when."""
    check_own_browser(request)
    form = _telling_form(logged_in(request), request.POST)
    if not form.is_valid():
        return _account_page(request, UNPROCESSABLE, telling_form=form)
    form.save()
    messages.success(request, "Saved.")
    return redirect(reverse("account") + "#telling")


@never_cache
@login_required
@require_POST
def try_mail_again(request: HttpRequest) -> HttpResponse:
    """The player says that their address takes mail again."""
    check_own_browser(request)
    player = logged_in(request)
    player.mail_trouble = ""
    player.save(update_fields=["mail_trouble"])
    messages.success(request, "We’ll send you mail again.")
    return redirect(reverse("account") + "#telling")


@never_cache
@login_required
@require_POST
def renew_calendar(request: HttpRequest) -> HttpResponse:
    """Give the player's calendar a new link, or none; the old one leads nowhere from now on."""
    check_own_browser(request)
    player = logged_in(request)
    stops = request.POST.get("do") == "stop"
    player.calendar_key = None if stops else secrets.token_urlsafe(18)
    player.save(update_fields=["calendar_key"])
    messages.success(request, "The link was ended." if stops else "This is your calendar’s link now.")
    return redirect(reverse("account") + "#calendar")


@never_cache
@login_required
@require_POST
def push_here(request: HttpRequest) -> HttpResponse:
    """Push news to the browser that says this; the answer is for its script."""
    check_own_browser(request)
    sent = (request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    try:
        push.subscribe(logged_in(request), *sent)
    except ValidationError as error:
        return HttpResponse(error.messages[0], status=UNPROCESSABLE, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


@never_cache
@login_required
@require_POST
def remove_push(request: HttpRequest, pk: int) -> HttpResponse:
    check_own_browser(request)
    found = push.subscriptions(logged_in(request)).filter(pk=min(pk, 2**63 - 1)).first()
    if found is None:
        raise Http404
    push.unsubscribe(found.endpoint)
    messages.success(request, "Nothing is pushed to that device any more.")
    return redirect(reverse("account") + "#push")


@never_cache
@csrf_exempt  # a mail program presses it (RFC 8058); the link itself is the secret
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop one kind of mail without logging in. Looking at the page changes nothing."""
    found = telling.unsubscribes(token)
    if found is None:
        raise Http404
    pk, channel, kind = found
    stops_all = kind == telling.ALL or bool(request.POST.get("all"))
    label = KINDS[kind].label if kind in KINDS else ""
    context = {"what": f"“{label}”" if label and not stops_all else "all mail about games", "may_stop_all": bool(label)}
    if request.method != "POST":
        return render(request, "players/unsubscribe.html", context)
    with transaction.atomic():
        player = Player.objects.select_for_update().filter(pk=pk).first()
        if player is None:
            raise Http404
        if stops_all:
            player.mail_my_turn = False
        else:
            telling.switch(player, channel, kind, on=False)
        player.save(update_fields=["mail_my_turn", "untold"])
    return render(request, "players/unsubscribe.html", {**context, "done": True})


def _telling_form(player: Player, data: Any = None) -> TellingForm:
    return TellingForm(player, {kind.slug: kind.label for kind in KINDS.values()}, _channels(), data)


def _channels() -> dict[str, str]:
    """How this site can tell anything."""
    return {name: label for name, label in telling.CHANNELS.items() if name != telling.PUSH or push.is_on()}


@never_cache
@login_required
@require_POST
def add_vacation(request: HttpRequest) -> HttpResponse:
    """Days on which the player's clocks stand still, in running games too."""
    check_own_browser(request)
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=logged_in(request).pk)
        form = VacationForm(player, _today(player), request.POST)
        if not form.is_valid():
            return _account_page(request, UNPROCESSABLE, vacation_form=form)
        recent = [each for each in vacations_of(player.vacations) if each.last > _today(player) - YEAR]
        _save_vacations(player, (*recent, form.vacation))
    messages.success(request, "Saved. No clock of yours runs on these days.")
    return redirect(reverse("account") + "#hours")


@never_cache
@login_required
@require_POST
def cancel_vacation(request: HttpRequest) -> HttpResponse:
    """Take a vacation back, or what is left of it after today."""
    check_own_browser(request)
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=logged_in(request).pk)
        known, today = vacations_of(player.vacations), _today(player)
        chosen = [each for each in known if str(each) == request.POST.get("vacation") and each.last > today]
        if not chosen:
            raise Http404
        kept = [each for each in known if each not in chosen]
        kept += [Vacation(each.first, today) for each in chosen if each.first <= today]
        _save_vacations(player, tuple(kept))
    messages.success(request, "The vacation was cancelled.")
    return redirect(reverse("account") + "#hours")


def _save_vacations(player: Player, vacations: tuple[Vacation, ...]) -> None:
    player.vacations = written(vacations)
    player.save(update_fields=["vacations"])
    timekeeper.retime(player)


def _today(player: Player) -> date:
    return timezone.now().astimezone(zone_of(hours_of(player.hours).zone)).date()


@never_cache
@login_required
@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """Answer without a redirect, because the secret is shown only once."""
    check_own_browser(request)
    form = TokenForm(request.POST)
    if form.is_valid():
        try:
            token, secret = tokens.make(logged_in(request), form.cleaned_data["name"])
            return _account_page(request, new_token=token, secret=secret)
        except ValidationError as error:
            form.add_error("name", error)
    return _account_page(request, UNPROCESSABLE, token_form=form)


@never_cache
@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    check_own_browser(request)
    if not tokens.revoke(logged_in(request), pk):
        raise Http404
    messages.success(request, "The token was revoked. Programs that used it can no longer play for you.")
    return redirect(reverse("account") + "#tokens")


def check_own_browser(request: HttpRequest) -> None:
    """A session that came in by a return link alone gets its seat, not what else its guest has."""
    if by_link.is_limited(request.session):
        raise PermissionDenied


def _account_page(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    player = logged_in(request)
    only = by_link.tables(request.session)
    today = _today(player)
    context = {
        "preferences": PreferencesForm(instance=player),
        "hours_form": HoursForm.of(player),
        "telling_form": _telling_form(player),
        "channels": _channels().values(),
        "failed": _failed(player),
        "push_key": push.public_key(),
        "devices": [] if only is not None else list(push.subscriptions(player)),
        "vacation_form": VacationForm(player, today),
        "vacations": [(str(each), each) for each in vacations_of(player.vacations) if each.last >= today],
        "today": today,
        "reliability": reliability.of(player),
        "blocks": player.blocks.select_related("of"),
        "token_form": TokenForm(),
        "name_form": GuestNameForm(initial={"guest_name": player.guest_name}),
        "by_link": only is not None,
        "api_tokens": [] if only is not None else list(player.api_tokens.all()),
        "most_tokens": tokens.MOST,
        "site_url": settings.SITE_URL,
        "address": EmailAddress.objects.filter(user=player).order_by("-primary", "pk").first(),
        "seats": _seats_to_come_back_to(player, only) if player.is_guest else (),
        **more,
    }
    return render(request, "players/account.html", context, status=status)


def _failed(player: Player) -> Any:
    """The news of the last days that could not be told, newest first."""
    since = timezone.now() - timedelta(days=FAILURES_SHOWN_DAYS)
    refused = player.notice_set.exclude(refused="").filter(at__gt=since)
    return refused.select_related("game").order_by("-pk")[:MOST_FAILURES]


def _seats_to_come_back_to(guest: Player, only: tuple[str, ...] | None) -> Any:
    seats = guest.seats.filter(game__in=guests.games_of(guest, only))
    seats = seats.select_related("game").prefetch_related("game__seats__player", "game__seats__game")
    return seats.order_by("-game__moved_at", "pk")


# ---- from guest to account


@never_cache
@sensitive_post_parameters("password1")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def keep_games(request: HttpRequest) -> HttpResponse:
    """Turn the guest into an account with a name and a password; all games stay theirs."""
    guest = logged_in(request)
    if not guest.is_guest:
        return redirect("account")
    check_own_browser(request)
    if request.method != "POST":
        return _keep_page(request, KeepForm(initial={"username": _name_to_suggest(guest)}))
    too_many: HttpResponse | None = ratelimit.consume_or_429(request, action="signup") or too_much_mail(request)
    if too_many:
        return too_many
    form = KeepForm(request.POST)
    player = _keep(request, form) if form.is_valid() else None
    if player is None:
        return _keep_page(request, form, UNPROCESSABLE)
    update_session_auth_hash(request, player)  # a new session key; this browser stays in, others log in anew
    guests.ring_tables_of(player)
    messages.success(request, f"Welcome, {player.display_name}. You have kept all your games.")
    return redirect(_next(request) or "account")


def _keep(request: HttpRequest, form: KeepForm) -> Player | None:
    try:
        return form.save(request)
    except IntegrityError:  # somebody took the name between the check and now
        form.add_error("username", "Somebody already has this name.")
    except Player.DoesNotExist:  # a second tab was quicker
        form.add_error(None, "You already have an account.")
    return None


def _keep_page(request: HttpRequest, form: KeepForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "next": _next(request), "games": guests.games_of(logged_in(request))}
    return render(request, "players/keep.html", context, status=status)


def _name_to_suggest(guest: Player) -> str:
    name = normal_username(guest.guest_name).replace(" ", "-")
    try:
        check_username(name)
    except ValidationError:
        return ""
    return "" if Player.objects.filter(username__iexact=name).exists() else name


def _next(request: HttpRequest) -> str:
    url = request.POST.get("next") or request.GET.get("next") or ""
    return url if get_adapter(request).is_safe_url(url) else ""


# ---- allauth's pages


class Private(View):
    """A page that no cache may keep, not even its redirects."""

    @method_decorator(never_cache)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return super().dispatch(request, *args, **kwargs)


def too_much_mail(request: HttpRequest) -> HttpResponse | None:
    """429 for a form that would send mail to an address typed into it, when too many came from there today."""
    if not request.POST.get("email"):
        return None
    if limits.allow("account-mail", limits.address_of(request), MAILS_A_DAY, DAY_SECONDS):
        return None
    return render(request, "429.html", {"mails": True}, status=TOO_MANY)


class SendsMail(View):
    """A form that sends mail to an address typed into it: only so much a day from one place.

    What the form changes and the letter about it are stored in one transaction.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST":
            return super().dispatch(request, *args, **kwargs)
        with transaction.atomic():
            return too_much_mail(request) or super().dispatch(request, *args, **kwargs)


class Refuses(WithForm):
    """Answer invalid forms with 422, or with 429 after too many attempts."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response = super().form_invalid(form)
        too_many = form.has_error(NON_FIELD_ERRORS, code="too_many_login_attempts")
        response.status_code = TOO_MANY if too_many else UNPROCESSABLE
        return response


class NotForGuests(View):
    """A page for accounts only; guests are sent to the page where they can create one."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.is_guest:
            return redirect("keep_games")
        return super().dispatch(request, *args, **kwargs)


class NotForAccounts(View):
    """Redirect players who are already logged in to an account."""

    get_authenticated_redirect_url: Callable[[], str]  # allauth's views have it

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            return redirect(self.get_authenticated_redirect_url())
        return super().dispatch(request, *args, **kwargs)


class LoginView(Private, Refuses, NotForAccounts, allauth.LoginView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        player, came_by_link = self.request.user, by_link.is_limited(self.request.session)
        games = guests.games_of(player) if isinstance(player, Player) and not came_by_link else []
        return {**super().get_context_data(**kwargs), "guest_games": games, "by_link": came_by_link}


class SignupView(Private, SendsMail, Refuses, NotForGuests, NotForAccounts, allauth.SignupView):
    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:  # somebody took the name between the check and now
            form.add_error("username", "Somebody already has this name.")
            return self.form_invalid(form)


class LogoutView(Private, allauth.LogoutView):
    """A guest with games is asked first: without a return link they could not come back to them."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        player = self.request.user
        may_ask = "sure" not in self.request.POST
        must_ask = may_ask and isinstance(player, Player) and player.is_guest and guests.games_of(player)
        answer: HttpResponse = (self.get if must_ask else super().post)(*args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        games = guests.games_of(logged_in(self.request), by_link.tables(self.request.session))
        came_by_link = by_link.is_limited(self.request.session)
        return {**super().get_context_data(**kwargs), "guest_games": games, "by_link": came_by_link}


class ConfirmEmailView(Private, allauth.ConfirmEmailView):
    """Keep other sessions: allauth logs them out, and a guest would lose a seat by opening a mail."""

    def logout_other_user(self, confirmation: Any) -> None:
        pass


class PasswordResetFromKeyView(Private, Refuses, allauth.PasswordResetFromKeyView):
    def logout(self) -> None:
        """Keep whoever is logged in, as above; the new password is for the next log-in."""


class EmailView(Private, SendsMail, Refuses, NotForGuests, allauth.EmailView):
    pass


class PasswordChangeView(Private, Refuses, NotForGuests, allauth.PasswordChangeView):
    pass


class PasswordSetView(Private, Refuses, NotForGuests, allauth.PasswordSetView):
    pass


class PasswordResetView(Private, SendsMail, Refuses, allauth.PasswordResetView):
    pass


class ReauthenticateView(Private, Refuses, NotForGuests, allauth.ReauthenticateView):
    pass
