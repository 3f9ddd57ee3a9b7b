"""Forms for accounts: allauth's with our own labels, and ours."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from allauth.account import forms as allauth
from allauth.account.internal.flows.email_verification import send_verification_email_for_user
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from django import forms
from django.core.validators import MaxLengthValidator
from django.db import transaction
from django.http import HttpRequest

from . import telling
from .hours import (
    DAY_MINUTES,
    LEAST_DAYS,
    LEAST_MINUTES,
    VACATION_DAYS,
    YEAR,
    Hours,
    Vacation,
    hours_of,
    most_in_a_year,
    vacations_of,
    zones,
)
from .models import Player, logged_in
from .names import LONGEST, clean_name, normal_username

NAME_HELP = "2 to 30 letters or digits; . _ - are allowed between them. Everybody sees it."
EMAIL_HELP = "We use it if you forget your password, and to tell you when it’s your turn. Nobody else sees it."
PASSWORD_HELP = "At least 8 characters. Common passwords aren’t accepted."

if TYPE_CHECKING:  # Django's own classes cannot be asked for their kind of row while running
    OfPlayer = forms.ModelForm[Player]
else:
    OfPlayer = forms.ModelForm


TOO_FEW_HOURS = f"Choose at least {LEAST_MINUTES // 60} hours a day, on at least {LEAST_DAYS} days a week."
MOST_VACATIONS = 12
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
        labels = {"mail_my_turn": "Send me mail about my games", "sound": "Play sounds at a table"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_guest:
            del self.fields["mail_my_turn"]


STEP = 30  # minutes between two times to choose from
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
TIMES = [(minutes, f"{minutes // 60:02}:{minutes % 60:02}") for minutes in range(0, DAY_MINUTES, STEP)]


class HoursForm(forms.Form):
    """When a player can be expected to answer in games over days."""

    zone = forms.ChoiceField(
        label="Time zone",
        choices=lambda: [("", "Choose your time zone"), *((each, each.replace("_", " ")) for each in zones())],
        error_messages={"required": "Choose your time zone.", "invalid_choice": "Choose a time zone from the list."},
        widget=forms.Select(attrs={"data-zone": ""}),
    )
    wakes = forms.TypedChoiceField(label="From", choices=TIMES, coerce=int)
    sleeps = forms.TypedChoiceField(label="Until", choices=TIMES, coerce=int)
    days = forms.MultipleChoiceField(
        label="Days",
        choices=[(str(number), name) for number, name in enumerate(WEEKDAYS)],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": TOO_FEW_HOURS},
    )

    @classmethod
    def of(cls, player: Player) -> HoursForm:
        hours = hours_of(player.hours)
        return cls(
            initial={
                "zone": hours.zone if player.hours else "",
                "wakes": hours.wakes,
                "sleeps": hours.sleeps % DAY_MINUTES,
                "days": list(hours.days),
            }
        )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors and not self.hours.is_enough:
            self.add_error("days", TOO_FEW_HOURS)
        return data

    @property
    def hours(self) -> Hours:
        """As entered; whoever goes to sleep before they get up does so after midnight."""
        data = self.cleaned_data
        wakes, sleeps = data["wakes"], data["sleeps"]
        later = sleeps if sleeps > wakes else sleeps + DAY_MINUTES
        return Hours(data["zone"], wakes, later, "".join(sorted(data["days"])))


class TellingForm(forms.Form):
    """What news of games a player is told, and how: a switch for each kind and channel, quiet hours, a daily mail."""

    digest = forms.TypedChoiceField(
        label="Mail comes",
        required=False,
        choices=[("", "At once"), *((minutes, f"Once a day, at {at}") for minutes, at in TIMES)],
        coerce=int,
        empty_value=None,
    )
    quiet_from = forms.TypedChoiceField(
        label="Quiet from", required=False, choices=[("", "Never"), *TIMES], coerce=int, empty_value=None
    )
    quiet_until = forms.TypedChoiceField(
        label="Until", required=False, choices=[("", "–"), *TIMES], coerce=int, empty_value=None
    )

    def __init__(self, player: Player, kinds: Mapping[str, str], channels: Mapping[str, str], data: Any = None) -> None:
        hours = telling.quiet_of(player) or ("", "")
        initial = {"digest": player.digest, "quiet_from": hours[0], "quiet_until": hours[1]}
        super().__init__(data, initial=initial)
        self.player, self.switches = player, [(kind, channel) for kind in kinds for channel in channels]
        for kind, channel in self.switches:
            label = f"{kinds[kind]}: {channels[channel]}"
            on = telling.is_told(player, channel, kind)
            self.fields[f"{channel}:{kind}"] = forms.BooleanField(label=label, required=False, initial=on)
        self.rows = [(kinds[kind], [self[f"{channel}:{kind}"] for channel in channels]) for kind in kinds]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        begins, ends = data.get("quiet_from"), data.get("quiet_until")
        if (begins is None) != (ends is None):
            self.add_error("quiet_until", "Choose both times, or “Never” and “–”.")
        elif begins is not None and begins == ends:
            self.add_error("quiet_until", "Quiet hours need two different times.")
        return data

    def save(self) -> None:
        data = self.cleaned_data
        for kind, channel in self.switches:
            telling.switch(self.player, channel, kind, data[f"{channel}:{kind}"])
        begins, ends = data["quiet_from"], data["quiet_until"]
        self.player.quiet = "" if begins is None else f"{begins} {ends}"
        self.player.digest = data["digest"]
        self.player.save(update_fields=["untold", "quiet", "digest"])


class VacationForm(forms.Form):
    """Days on which a player's clocks stand still."""

    first = forms.DateField(
        label="First day",
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages={"required": "Enter the first day.", "invalid": "Enter a date."},
    )
    last = forms.DateField(
        label="Last day",
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages={"required": "Enter the last day.", "invalid": "Enter a date."},
    )

    def __init__(self, player: Player, today: date, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known, self.today = vacations_of(player.vacations), today

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        first, last = data.get("first"), data.get("last")
        if first is None or last is None:
            return data
        if first < self.today:
            self.add_error("first", "A vacation can begin today at the earliest.")
        elif last < first:
            self.add_error("last", "The last day comes before the first.")
        elif last > self.today + YEAR:
            self.add_error("last", "You can enter vacations for the coming twelve months.")
        elif any(first <= each.last and each.first <= last for each in self.known):
            self.add_error("first", "You have already entered some of these days.")
        elif most_in_a_year((*self.known, Vacation(first, last))) > VACATION_DAYS:
            self.add_error("last", f"A vacation can have {VACATION_DAYS} days in twelve months. You would have more.")
        elif len(self.known) >= MOST_VACATIONS:
            self.add_error("first", f"You can enter {MOST_VACATIONS} vacations. Cancel one first.")
        return data

    @property
    def vacation(self) -> Vacation:
        return Vacation(self.cleaned_data["first"], self.cleaned_data["last"])


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
