"""Doors to accounts: our own pages, and allauth's with our manners.

Our manners: a form refused is a 4xx, opening a link changes nothing and logs nobody out, and a guest, who is
logged in as far as Django knows, may still log in.
"""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth
from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from . import guests, tokens
from .forms import KeepForm, PreferencesForm, TokenForm
from .models import Player
from .names import check_username, normal_username

UNPROCESSABLE, TOO_MANY = 422, 429


# ---- the account page


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Name, e-mail, preferences and tokens; a POST saves the preferences."""
    if request.method != "POST":
        return _account_page(request)
    form = PreferencesForm(request.POST, instance=request.user)
    if not form.is_valid():
        return _account_page(request, UNPROCESSABLE, preferences=form)
    form.save()
    messages.success(request, "Saved.")
    return redirect("account")


@never_cache
@login_required
@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """The answer is the one time the secret is shown, so it is no redirect."""
    form = TokenForm(request.POST)
    if form.is_valid():
        try:
            token, secret = tokens.make(request.user, form.cleaned_data["name"])
            return _account_page(request, new_token=token, secret=secret)
        except ValidationError as error:
            form.add_error("name", error)
    return _account_page(request, UNPROCESSABLE, token_form=form)


@never_cache
@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    if not tokens.revoke(request.user, pk):
        raise Http404
    messages.success(request, "The token is revoked; whatever used it is locked out.")
    return redirect(reverse("account") + "#tokens")


def _account_page(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    player: Player = request.user
    context = {
        "preferences": PreferencesForm(instance=player),
        "token_form": TokenForm(),
        "api_tokens": list(player.api_tokens.all()),
        "most_tokens": tokens.MOST,
        "site_url": settings.SITE_URL,
        "address": player.emailaddress_set.order_by("-primary", "pk").first(),
        "seats": _seats_to_come_back_to(player) if player.is_guest else (),
        **more,
    }
    return render(request, "players/account.html", context, status=status)


def _seats_to_come_back_to(guest: Player) -> Any:
    seats = guest.seats.filter(game__in=guests.games_of(guest))
    seats = seats.select_related("game").prefetch_related("game__seats__player", "game__seats__game")
    return seats.order_by("-game__moved_at", "pk")


# ---- from guest to account


@never_cache
@sensitive_post_parameters("password1")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def keep_games(request: HttpRequest) -> HttpResponse:
    """A guest chooses name and password; the player he is, with all his games, becomes an account."""
    if not request.user.is_guest:
        return redirect("account")
    if request.method != "POST":
        return _keep_page(request, KeepForm(initial={"username": _name_to_suggest(request.user)}))
    if too_many := ratelimit.consume_or_429(request, action="signup"):
        return too_many
    form = KeepForm(request.POST)
    player = _keep(request, form) if form.is_valid() else None
    if player is None:
        return _keep_page(request, form, UNPROCESSABLE)
    update_session_auth_hash(request, player)  # a new session key; this browser stays in, others log in anew
    guests.ring_tables_of(player)
    messages.success(request, f"Welcome, {player.display_name}. Your games are yours to keep.")
    return redirect(_next(request) or "account")


def _keep(request: HttpRequest, form: KeepForm) -> Player | None:
    try:
        return form.save(request)
    except IntegrityError:  # somebody took the name between the check and now
        form.add_error("username", "Somebody has this name already.")
    except Player.DoesNotExist:  # a second tab was quicker
        form.add_error(None, "You have an account already.")
    return None


def _keep_page(request: HttpRequest, form: KeepForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "next": _next(request), "games": guests.games_of(request.user)}
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


class Private:
    """No cache keeps it, not even where it only sends somebody on."""

    @method_decorator(never_cache)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().dispatch(request, *args, **kwargs)


class Refuses:
    """A form that cannot be taken is answered with 422, or 429 where there were too many tries."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response = super().form_invalid(form)
        too_many = form.has_error(NON_FIELD_ERRORS, code="too_many_login_attempts")
        response.status_code = TOO_MANY if too_many else UNPROCESSABLE
        return response


class NotForGuests:
    """What an account has and a guest has not; he is shown how to get one."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and request.user.is_guest:
            return redirect("keep_games")
        return super().dispatch(request, *args, **kwargs)


class NotForAccounts:
    """Who is logged in to an account already goes on to where he wanted."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and not request.user.is_guest:
            return redirect(self.get_authenticated_redirect_url())
        return super().dispatch(request, *args, **kwargs)


class LoginView(Private, Refuses, NotForAccounts, allauth.LoginView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        player = self.request.user
        games = guests.games_of(player) if player.is_authenticated else []
        return {**super().get_context_data(**kwargs), "guest_games": games}


class SignupView(Private, Refuses, NotForGuests, NotForAccounts, allauth.SignupView):
    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:  # somebody took the name between the check and now
            form.add_error("username", "Somebody has this name already.")
            return self.form_invalid(form)


class LogoutView(Private, allauth.LogoutView):
    """A guest with games is asked first: without a return link he could not come back to them."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        player = self.request.user
        must_ask = player.is_authenticated and player.is_guest and "sure" not in self.request.POST
        if must_ask and guests.games_of(player):
            return self.get(*args, **kwargs)
        return super().post(*args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "guest_games": guests.games_of(self.request.user)}


class ConfirmEmailView(Private, allauth.ConfirmEmailView):
    """allauth logs out whoever else is logged in; a guest would lose his seat by opening his mail."""

    def logout_other_user(self, confirmation: Any) -> None:
        pass


class PasswordResetFromKeyView(Private, Refuses, allauth.PasswordResetFromKeyView):
    def logout(self) -> None:
        """As above: whoever is logged in stays so, and logs in with the new password when he likes."""


class EmailView(Private, Refuses, NotForGuests, allauth.EmailView):
    pass


class PasswordChangeView(Private, Refuses, NotForGuests, allauth.PasswordChangeView):
    pass


class PasswordSetView(Private, Refuses, NotForGuests, allauth.PasswordSetView):
    pass


class PasswordResetView(Private, Refuses, allauth.PasswordResetView):
    pass


class ReauthenticateView(Private, Refuses, NotForGuests, allauth.ReauthenticateView):
    pass
