"""Forms of the lobby: what a browser may send, checked for shape before the lobby or the rules see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator

from players.guests import clean_name

from .clocks import NO_CLOCK, PACES, Pace, fits
from .engine import RULESETS
from .engine.core.refusals import IllegalAction
from .engine.core.rules import LONGEST_OPTION, Option, Rules
from .listing import bot_choices
from .lobby import LONGEST_ENTROPY, SeatPlan
from .notes import LONGEST as LONGEST_NOTES
from .registry import ENTRIES, Entry
from .reliability import LEASTS

LONGEST_NAME_SENT = (
    120  # cleaning may shorten a name to the 30 characters allowed; anything longer than this is refused
)
HIGHEST_SEAT = 99


class NamedForm(forms.Form):
    """A form that asks visitors who are not logged in for a name."""

    def __init__(self, player: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player
        if not player.is_authenticated:
            self.fields["name"] = forms.CharField(
                label="Your name",
                error_messages={"required": "Please enter your name."},
                validators=[MaxLengthValidator(LONGEST_NAME_SENT)],
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "nickname",
                        "maxlength": 30,
                        "placeholder": "For example Robin",
                    }
                ),
            )

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])

    @property
    def name(self) -> str:
        return str(self.cleaned_data.get("name", ""))


def _game_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=lambda: [(rules.slug, rules.name) for rules in RULESETS.values()],
        error_messages={"invalid_choice": "This site has no such game."},
    )


WAYS = {"bots": "Against bots", "friends": "With friends", "same_screen": "At one screen"}
NEWCOMER = "Newcomer"  # whoever plays before they have said who they are


def _starts() -> list[tuple[str, str]]:
    return [
        *(
            (f"{way}:{slug}", f"{label}: {entry.name}")
            for slug, entry in ENTRIES.items()
            for way, label in WAYS.items()
        ),
        *((f"lesson:{slug}", f"Lesson: {entry.name}") for slug, entry in ENTRIES.items() if entry.lesson),
    ]


class PlayNowForm(NamedForm):
    """The front page's buttons, each of which starts a game with one press: no field has to be filled in."""

    start = forms.ChoiceField(
        choices=_starts,
        error_messages={"required": "Choose a game.", "invalid_choice": "This site has no such game."},
    )

    def __init__(self, player: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(player, *args, **kwargs)
        if "name" in self.fields:
            self.fields["name"].required = False
        for entry in ENTRIES.values():
            self.fields[level_field(entry)] = forms.ChoiceField(
                choices=bot_choices(entry.slug),
                required=False,
                initial=entry.quick_start.level,
                error_messages={"invalid_choice": "This game has no such bot."},
            )
            if len(entry.people_at_one_screen) > 1:
                self.fields[people_field(entry)] = forms.TypedChoiceField(
                    choices=[(count, f"{count} players") for count in entry.people_at_one_screen],
                    coerce=int,
                    empty_value=None,
                    required=False,
                    initial=1 + entry.quick_start.beside,
                    error_messages={"invalid_choice": f"{entry.name} is not for so many players."},
                )

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"] or NEWCOMER)

    def games(self) -> list[tuple[Entry, forms.BoundField, forms.BoundField | None]]:
        """Each game with the fields for its bots' strength, and for how many play at one screen if that can vary."""
        people = {entry.slug: people_field(entry) for entry in ENTRIES.values()}
        return [
            (entry, self[level_field(entry)], self[people[slug]] if people[slug] in self.fields else None)
            for slug, entry in ENTRIES.items()
        ]

    @property
    def chosen(self) -> Chosen:
        way, slug = self.cleaned_data["start"].split(":")
        entry = ENTRIES[slug]
        return Chosen(
            way,
            entry,
            self.cleaned_data[level_field(entry)] or entry.quick_start.level,
            self.cleaned_data.get(people_field(entry)) or 1 + entry.quick_start.beside,
        )


@dataclass(frozen=True)
class Chosen:
    """How to play, what, against which bots, or how many at one screen."""

    way: str
    entry: Entry
    level: str
    people: int


def level_field(entry: Entry) -> str:
    return f"level_{entry.slug}"


def people_field(entry: Entry) -> str:
    return f"people_{entry.slug}"


@dataclass(frozen=True)
class SeatFields:
    """One line of the new table's seats."""

    number: int
    kind: forms.BoundField
    name: forms.BoundField


class TableForm(NamedForm):
    """A new table: the game's options and who sits where."""

    def __init__(self, player: Any, rules: Rules, *args: Any, **kwargs: Any) -> None:
        super().__init__(player, *args, **kwargs)
        self.rules = rules
        # Defaults that depend on who plays, and how.
        self.fitting = {name for pace in PACES for name in rules.usual_options(1, pace)}
        self.fields["game"] = _game_field()
        self.fields["game"].initial = rules.slug
        for number in range(max(rules.players)):
            self._add_seat(number)
        self.fields["pace"] = forms.ChoiceField(
            label="Pace",
            required=False,
            choices=[(pace.slug, pace.label) for pace in PACES.values()],
            widget=forms.RadioSelect,
            initial="",
            error_messages={"invalid_choice": "Choose one of these."},
        )
        self.fields["clock"] = forms.ChoiceField(
            label="Clock",
            required=False,
            choices=_clock_choices(),
            initial="",
            error_messages={"invalid_choice": "Choose one of these."},
        )
        self.fields["least"] = forms.TypedChoiceField(
            label="Who may join",
            required=False,
            coerce=int,
            empty_value=0,  # type: ignore[arg-type]  # its stubs know texts only
            choices=[(least, f"At least {least} % answered in time" if least else "Everybody") for least in LEASTS],
            initial=0,
            error_messages={"invalid_choice": "Choose one of these."},
        )
        for option in rules.options:
            self.fields[f"option_{option.name}"] = _option_field(option, option.name in self.fitting)
        self.fields["visible"] = forms.ChoiceField(
            label="Who may watch",
            choices=[("everyone", "Everyone"), ("link", "Only with the link")],
            initial="everyone",
        )
        self.fields["private_talk"] = forms.BooleanField(label="Two players may talk in private", required=False)
        self.fields["hand_over"] = forms.BooleanField(
            label="Hide the board between turns on a shared device", required=False, initial=True
        )

    def _add_seat(self, number: int) -> None:
        usual = ("me", "link")[number] if number < 2 else "none"
        optional = number >= min(self.rules.players)
        self.fields[f"seat_{number}"] = forms.ChoiceField(
            label=f"Seat {number + 1}", choices=_seat_choices(self.rules, optional), initial=usual
        )
        self.fields[f"seat_{number}_name"] = forms.CharField(
            label="Their name",
            required=False,
            validators=[MaxLengthValidator(LONGEST_NAME_SENT)],
            widget=forms.TextInput(attrs={"maxlength": 30, "autocomplete": "off"}),
        )

    # ---- for the template

    def seat_lines(self) -> list[SeatFields]:
        numbers = range(max(self.rules.players))
        return [SeatFields(n, self[f"seat_{n}"], self[f"seat_{n}_name"]) for n in numbers]

    def has_changed_rules(self) -> bool:
        """Whether something behind “Change the rules of this table” is not as usual, or wrong."""
        names = [f"option_{option.name}" for option in self.rules.options] + ["visible", "clock", "least"]
        return any(
            self[name].errors
            or (self.is_bound and str(self[name].value() or "") not in ("0", str(self[name].initial or "")))
            for name in names
        )

    def pace_choices(self) -> list[tuple[forms.boundfield.BoundWidget, Pace]]:
        """Each pace with the button that chooses it."""
        return list(zip(self["pace"].subwidgets, PACES.values()))

    def option_lines(self) -> list[tuple[Option, forms.BoundField]]:
        return [(option, self[f"option_{option.name}"]) for option in self.rules.options]

    # ---- checking

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for option in self.rules.options:
            self._check_option(option, data)
        if data.get("clock") and not fits(PACES[data.get("pace", "")], data["clock"]):
            self.add_error("clock", IllegalAction("bad_clock").sentence)
        self._check_seats(data)
        return data

    def _check_option(self, option: Option, data: dict[str, Any]) -> None:
        name = f"option_{option.name}"
        try:
            if name in data and (data[name] or option.name not in self.fitting):
                option.check(data[name])
        except IllegalAction as refusal:
            self.add_error(name, refusal.sentence)

    def _check_seats(self, data: dict[str, Any]) -> None:
        mine = [n for n in range(max(self.rules.players)) if data.get(f"seat_{n}") == "me"]
        for number in mine[1:]:
            self.add_error(f"seat_{number}", "You can take only one seat.")
        for number in range(max(self.rules.players)):
            if data.get(f"seat_{number}") == "same_device":
                self._check_device_name(number, data)

    def _check_device_name(self, number: int, data: dict[str, Any]) -> None:
        field = f"seat_{number}_name"
        if not data.get(field):
            self.add_error(field, "Enter the name of the person who plays here. It is shown at the table.")
            return
        try:
            data[field] = clean_name(data[field])
        except forms.ValidationError as error:
            self.add_error(field, error)

    # ---- what the lobby gets

    def plans(self) -> list[SeatPlan]:
        kinds = [(n, self.cleaned_data[f"seat_{n}"]) for n in range(max(self.rules.players))]
        return [_plan(kind, self.cleaned_data[f"seat_{n}_name"]) for n, kind in kinds if kind != "none"]

    def options(self) -> dict[str, str]:
        chosen = {option.name: self.cleaned_data[f"option_{option.name}"] for option in self.rules.options}
        return {name: value for name, value in chosen.items() if value or name not in self.fitting}


def _plan(kind: str, name: str) -> SeatPlan:
    if kind.startswith("bot:"):
        return SeatPlan("bot", level=kind.removeprefix("bot:"))
    return SeatPlan(kind, name=name if kind == "same_device" else "")


def _seat_choices(rules: Rules, optional: bool) -> list[tuple[str, Any]]:
    nobody = [("none", "Nobody")] if optional else []
    people = [
        ("me", "Me"),
        ("link", "A friend, invited by link"),
        ("open", "Open to anyone"),
        ("same_device", "Someone on this device"),
    ]
    bots = [(f"bot:{level}", label) for level, label in bot_choices(rules.slug)]
    return [*nobody, *people, ("Bots", bots)]


def _clock_choices() -> list[tuple[str, Any]]:
    kinds = [("Live, or an evening", PACES["live"]), ("Over days", PACES["days"])]
    of_kinds = [(label, [(clock.slug, clock.label) for clock in pace.clocks]) for label, pace in kinds]
    return [("", "The usual one for the pace"), (NO_CLOCK, "None"), *of_kinds]


def _option_field(option: Option, follows_seats: bool) -> forms.Field:
    if option.choices and follows_seats:
        choices = [("", "Depends on who plays, and how"), *option.choices.items()]
        return forms.ChoiceField(label=option.label, choices=choices, initial="", required=False)
    if option.choices:
        return forms.ChoiceField(label=option.label, choices=list(option.choices.items()), initial=option.default)
    return forms.CharField(
        label=option.label,
        required=False,
        max_length=LONGEST_OPTION,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "maxlength": LONGEST_OPTION}),
    )


class JoinForm(NamedForm):
    number = forms.IntegerField(required=False, min_value=0, max_value=HIGHEST_SEAT)
    entropy = forms.CharField(required=False, max_length=LONGEST_ENTROPY)


class SeatForm(forms.Form):
    number = forms.IntegerField(
        min_value=0,
        max_value=HIGHEST_SEAT,
        error_messages={"required": "Choose a seat.", "invalid": "Choose a seat."},
    )


class BotForm(SeatForm):
    level = forms.CharField(max_length=20, error_messages={"required": "Choose a bot."})


class PauseForm(forms.Form):
    hours = forms.IntegerField(
        min_value=0, max_value=1000, error_messages={"required": "Choose how long.", "invalid": "Choose how long."}
    )


class EntropyForm(forms.Form):
    number = forms.IntegerField(required=False, min_value=0, max_value=HIGHEST_SEAT)
    entropy = forms.CharField(required=False, max_length=LONGEST_ENTROPY)


class NotesForm(forms.Form):
    """Draws the field of a player's notes; games/notes.py checks what is written there."""

    text = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "maxlength": LONGEST_NOTES, "hx-disable": ""}),
    )


class MailForm(forms.Form):
    address = forms.EmailField(
        label="E-mail address", error_messages={"required": "Enter the address to send it to."}, max_length=254
    )
