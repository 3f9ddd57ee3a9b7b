"""Where allauth asks how things are done here."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.urls import reverse

from . import by_link, guests, letters, names
from .models import Player


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": "Somebody already has this name.",
        "username_blacklisted": "This name isn’t available. Please choose another.",
        "username_password_mismatch": "The name or the password is wrong.",
        "email_password_mismatch": "The e-mail address or the password is wrong.",
        "too_many_login_attempts": "Too many failed attempts. Please wait five minutes.",
        "duplicate_email": "You have already added this address.",
        "max_email_addresses": "An account can have up to %d e-mail addresses.",
        "enter_current_password": "This isn’t your password.",
        "incorrect_password": "This isn’t your password.",
        "invalid_password_reset": "This link no longer works.",
        "rate_limited": "Too many requests. Please wait a moment.",
    }

    # ---- names

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = names.normal_username(username)
        if names.is_reserved(username):
            raise self.validation_error("username_blacklisted")
        cleaned: str = super().clean_username(username, shallow)
        return cleaned

    # ---- logging in

    def login(self, request: HttpRequest, user: Player) -> None:
        """Move a guest's games to the account they log in to, unless they say that the games aren't theirs."""
        before, came_by_link = request.user, by_link.is_limited(request.session)
        with guests.invitations_kept(request):
            super().login(request, user)
        if came_by_link:
            return  # a link opens a seat; it gives no games away
        if before.is_authenticated and before.is_guest and "leave_games" not in request.POST:
            self._bring_games(request, before, user)

    def _bring_games(self, request: HttpRequest, guest: Player, account: Player) -> None:
        brought = guests.bring_games(guest, account)
        if brought:
            what, are = ("table", "is") if brought == 1 else (f"{brought} tables", "are")
            messages.info(request, f"The {what} you had as the guest {guest.guest_name} {are} now yours.")

    def is_safe_url(self, url: str) -> bool:
        """Where to go next is an address; a word without a slash would be taken for the name of a view."""
        return "/" in url and super().is_safe_url(url)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("account")

    # ---- limits

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Failed tries count by address and name: by name alone, strangers could lock a player out."""
        login = credentials.get("email") or credentials.get("username") or ""
        return f"{self.get_client_ip(request)} {login.casefold()}"

    def get_client_ip(self, request: HttpRequest) -> str:
        """The browser's address; X-Forwarded-For counts as far as TRUSTED_PROXIES says, and garbage never."""
        try:
            address: str = super().get_client_ip(request)
        except (ImproperlyConfigured, PermissionDenied):
            address = request.META.get("REMOTE_ADDR") or "unknown"
        return address

    # ---- mail

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """A new address has none of an older one's trouble."""
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed and email_address.user.mail_trouble:
            email_address.user.mail_trouble = ""
            email_address.user.save(update_fields=["mail_trouble"])
        return confirmed

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Store the mail for the caretaker to send, so that no page waits for the mail server."""
        mail = self.render_mail(template_prefix, email, {**context, "email": email, "site": settings.SITE_URL})
        letters.write(email, str(mail.subject), str(mail.body))

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Links in mail lead to SITE_URL, whatever host the request was sent to."""
        uid, _, secret = key.partition("-")
        return settings.SITE_URL + reverse("account_reset_password_from_key", args=[uid, secret])

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return settings.SITE_URL + reverse("account_confirm_email", args=[emailconfirmation.key])
