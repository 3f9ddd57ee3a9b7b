"""Forms for accounts: allauth's with our own labels, and ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account import forms as allauth
from allauth.account.internal.flows.email_verification import send_verification_email_for_user
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from django import forms
from django.core.validators import MaxLengthValidator
from django.db import transaction
from django.http import HttpRequest

from .models import Player, logged_in
from .names import LONGEST, clean_name, normal_username

NAME_HELP = "2 to 30 letters or digits; . _ - are allowed between them. Everybody sees it."
EMAIL_HELP = "We use it if you forget your password, and to tell you when it’s your turn. Nobody else sees it."
PASSWORD_HELP = "At least 8 characters. Common passwords aren’t accepted."

if TYPE_CHECKING:  # Django's own classes cannot be asked for their kind of row while running
    OfPlayer = forms.ModelForm[Player]
else:
    OfPlayer = forms.ModelForm


LONGEST_TEXT = 254  # of an e-mail address, in a column and on the wire


class Worded:
    """Labels and help in our words; no placeholders, which go away when they are needed; a limit for every text."""

    fields: dict[str, forms.Field]
    labels: dict[str, str] = {}
    helps: dict[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")
            if isinstance(field, forms.CharField) and (field.max_length is None or field.max_length > LONGEST_TEXT):
                field.max_length = LONGEST_TEXT
                field.validators = [*field.validators, MaxLengthValidator(LONGEST_TEXT)]
                field.widget.attrs["maxlength"] = str(LONGEST_TEXT)


class LoginForm(Worded, allauth.LoginForm):
    labels = {"login": "Name or e-mail", "password": "Password", "remember": "Stay logged in on this device"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["remember"].initial = True
        self.fields["login"].widget.attrs.update(autocomplete="username", autocapitalize="none")

    def clean_login(self) -> str:
        return normal_username(super().clean_login())


class SignupForm(Worded, allauth.SignupForm):
    labels = {"username": "Name", "email": "E-mail (optional)", "password1": "Password"}
    helps = {"username": NAME_HELP, "email": EMAIL_HELP, "password1": PASSWORD_HELP}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update(autocapitalize="none", spellcheck="false")

    def save(self, request: HttpRequest) -> Player:
        with transaction.atomic():  # no account without its address, should one of them fail
            player: Player = super().save(request)
        return player


class KeepForm(SignupForm):
    """A guest's way to an account: the same form, filled into the player there is."""

    def save(self, request: HttpRequest) -> Player:
        with transaction.atomic():
            player = Player.objects.select_for_update().get(pk=logged_in(request).pk, is_guest=True)
            player.is_guest, player.guest_name, player.return_address = False, "", ""
            allauth.get_adapter().save_user(request, player, self)
            email = self.cleaned_data.get("email")
            EmailAddress.objects.filter(user=player).delete()  # a guest has none, unless staff added one
            setup_user_email(request, player, [EmailAddress(email=email)] if email else [])
            if email:
                send_verification_email_for_user(request, player)
        return player


class AddEmailForm(Worded, allauth.AddEmailForm):
    labels = {"email": "E-mail"}


class ChangePasswordForm(Worded, allauth.ChangePasswordForm):
    labels = {
        "oldpassword": "Current password",
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
    users: list[Player]

    def clean_email(self) -> str:
        """Leave guests out: they have no password to reset."""
        email: str = super().clean_email()
        self.users = [user for user in self.users if not user.is_guest]
        return email


class UserTokenForm(allauth.UserTokenForm):
    """Whose password a link sets: never a guest's."""

    def _get_user(self, uidb36: str) -> Player | None:
        user: Player | None = super()._get_user(uidb36)
        return None if user is None or user.is_guest else user


class ReauthenticateForm(Worded, allauth.ReauthenticateForm):
    labels = {"password": "Password"}


class PreferencesForm(OfPlayer):
    """A player's preferences; guests get no mail."""

    class Meta:
        model = Player
        fields = ["mail_my_turn", "sound"]
        labels = {"mail_my_turn": "Send me a mail when it’s my turn", "sound": "Play sounds at a table"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_guest:
            del self.fields["mail_my_turn"]


class GuestNameForm(forms.Form):
    """A guest's name, by the rules for new guests: several may have the same, and pages mark them as guests."""

    guest_name = forms.CharField(
        label="Name",
        max_length=LONGEST,
        strip=False,  # clean_name says what becomes of blanks
        error_messages={
            "required": "Please enter a name that others can read.",
            "max_length": f"A name can have up to {LONGEST} characters.",
        },
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )

    def clean_guest_name(self) -> str:
        return clean_name(self.cleaned_data["guest_name"])


class TokenForm(forms.Form):
    name = forms.CharField(
        label="What is the token for?",
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
