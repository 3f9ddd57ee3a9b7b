"""What a person may fill in: allauth's forms in our words, and our own."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth
from allauth.account.internal.flows.email_verification import send_verification_email_for_user
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from django import forms
from django.db import transaction
from django.http import HttpRequest

from .models import Player
from .names import LONGEST, normal_username

NAME_HELP = "2 to 30 letters and digits, and . _ - between them. Everybody sees it."
EMAIL_HELP = "For a forgotten password, and to tell you that it is your turn. Nobody sees it."
PASSWORD_HELP = "At least 8 characters, and not one that everybody uses."


class Worded:
    """Labels and help in our words; no placeholders, which go away when they are needed."""

    labels: dict[str, str] = {}
    helps: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")


class LoginForm(Worded, allauth.LoginForm):
    labels = {"login": "Name or e-mail", "password": "Password", "remember": "Stay logged in on this device"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["remember"].initial = True
        self.fields["login"].widget.attrs.update(autocomplete="username", autocapitalize="none")

    def clean_login(self) -> str:
        return normal_username(super().clean_login())


class SignupForm(Worded, allauth.SignupForm):
    labels = {"username": "Name", "email": "E-mail (if you like)", "password1": "Password"}
    helps = {"username": NAME_HELP, "email": EMAIL_HELP, "password1": PASSWORD_HELP}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update(autocapitalize="none", spellcheck="false")

    def save(self, request: HttpRequest) -> Player:
        with transaction.atomic():  # no account without its address, should one of them fail
            return super().save(request)


class KeepForm(SignupForm):
    """A guest's way to an account: the same form, filled into the player there is."""

    def save(self, request: HttpRequest) -> Player:
        with transaction.atomic():
            player = Player.objects.select_for_update().get(pk=request.user.pk, is_guest=True)
            player.is_guest, player.guest_name = False, ""
            player = allauth.get_adapter().save_user(request, player, self)
            email = self.cleaned_data.get("email")
            player.emailaddress_set.all().delete()  # a guest has none, unless staff gave him one
            setup_user_email(request, player, [EmailAddress(email=email)] if email else [])
        if email:
            send_verification_email_for_user(request, player)
        return player


class AddEmailForm(Worded, allauth.AddEmailForm):
    labels = {"email": "E-mail"}


class ChangePasswordForm(Worded, allauth.ChangePasswordForm):
    labels = {
        "oldpassword": "Your password now",
        "password1": "New password",
        "password2": "New password again",
    }
    helps = {"password1": PASSWORD_HELP}


class SetPasswordForm(Worded, allauth.SetPasswordForm):
    labels = {"password1": "New password", "password2": "New password again"}
    helps = {"password1": PASSWORD_HELP}


class ResetPasswordKeyForm(Worded, allauth.ResetPasswordKeyForm):
    labels = {"password1": "New password", "password2": "New password again"}
    helps = {"password1": PASSWORD_HELP}


class ResetPasswordForm(Worded, allauth.ResetPasswordForm):
    labels = {"email": "E-mail"}

    def clean_email(self) -> str:
        """A guest has no password to set anew, whatever address he has."""
        email = super().clean_email()
        self.users = [user for user in self.users if not user.is_guest]
        return email


class UserTokenForm(allauth.UserTokenForm):
    """Whose password a link sets: never a guest's."""

    def _get_user(self, uidb36: str) -> Player | None:
        user = super()._get_user(uidb36)
        return None if user is None or user.is_guest else user


class ReauthenticateForm(Worded, allauth.ReauthenticateForm):
    labels = {"password": "Password"}


class PreferencesForm(forms.ModelForm):
    """What a player likes; mail is for those who have an address."""

    class Meta:
        model = Player
        fields = ["mail_my_turn", "sound"]
        labels = {"mail_my_turn": "Mail me when it is my turn", "sound": "Play a sound when it is my turn"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_guest:
            del self.fields["mail_my_turn"]


class TokenForm(forms.Form):
    name = forms.CharField(
        label="What is the new one for?",
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
