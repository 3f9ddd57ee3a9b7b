"""Offers: what a seat may do now, as sets to pick from rather than lists of everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .actions import Action
from .dice import Chance
from .plain import plain


@dataclass(frozen=True)
class Offer:
    """One thing a seat may do. A subclass says which actions it holds and can pick one of them."""

    # Asides (resign, offer a draw) may be done at any time and answer no question: nobody is waited for
    # because of them, and they are taken whatever the page had seen last.
    aside: ClassVar[bool] = False
    # Replies answer another seat's request (a draw offered); nobody waits for one, but a bot should give one.
    reply: ClassVar[bool] = False
    # What sort of set it is, for whoever draws a control for it.
    kind: ClassVar[str] = ""

    def __contains__(self, action: object) -> bool:
        raise NotImplementedError

    def sample(self, chance: Chance) -> Action:
        raise NotImplementedError

    @property
    def only(self) -> Action | None:
        """The one action it holds; None if it holds several."""
        return None

    @property
    def do(self) -> str:
        raise NotImplementedError

    def plain(self) -> dict[str, Any]:
        raise NotImplementedError

    def head(self) -> dict[str, Any]:
        """What every offer says of itself."""
        return {"kind": self.kind, "do": self.do, "aside": self.aside, "reply": self.reply}


@dataclass(frozen=True)
class Exactly(Offer):
    """Just this action."""

    kind: ClassVar[str] = "exactly"
    action: Action

    def __contains__(self, action: object) -> bool:
        return action == self.action

    def sample(self, chance: Chance) -> Action:
        return self.action

    @property
    def only(self) -> Action:
        return self.action

    @property
    def do(self) -> str:
        return self.action.do

    def plain(self) -> dict[str, Any]:
        return {**self.head(), "action": plain(self.action)}


@dataclass(frozen=True)
class Aside(Exactly):
    """An action that may be done beside whatever is being asked."""

    aside: ClassVar[bool] = True


@dataclass(frozen=True)
class Reply(Aside):
    """An answer to what another seat has asked for."""

    reply: ClassVar[bool] = True


@dataclass(frozen=True)
class OneOf(Offer):
    """An action with one field left open: one of these."""

    kind: ClassVar[str] = "one_of"
    of: type[Action]
    open: str
    choices: tuple[Any, ...]
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def __contains__(self, action: object) -> bool:
        return (
            type(action) is self.of
            and getattr(action, self.open) in self.choices
            and all(getattr(action, name) == value for name, value in self.fixed.items())
        )

    def sample(self, chance: Chance) -> Action:
        return self.of(**self.fixed, **{self.open: self.choices[chance.pick("sample", len(self.choices))]})

    @property
    def only(self) -> Action | None:
        return self.of(**self.fixed, **{self.open: self.choices[0]}) if len(self.choices) == 1 else None

    @property
    def do(self) -> str:
        return self.of.do

    def plain(self) -> dict[str, Any]:
        open_field = {"field": self.open, "choices": plain(self.choices), "fixed": plain(dict(self.fixed))}
        return {**self.head(), **open_field}


@dataclass(frozen=True)
class Some(Offer):
    """An action with one field that takes several of these, each once, in any order."""

    kind: ClassVar[str] = "some"
    of: type[Action]
    open: str
    choices: tuple[Any, ...]
    least: int = 0
    most: int = 64
    even: bool = False  # only an even number of them
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def __contains__(self, action: object) -> bool:
        if type(action) is not self.of:
            return False
        picked = getattr(action, self.open)
        return (
            self.least <= len(picked) <= self.most
            and not (self.even and len(picked) % 2)
            and len(set(picked)) == len(picked)
            and set(picked) <= set(self.choices)
            and all(getattr(action, name) == value for name, value in self.fixed.items())
        )

    def sample(self, chance: Chance) -> Action:
        most = min(self.most, len(self.choices))
        count = self.least + chance.pick("how many", most - self.least + 1)
        if self.even and count % 2:
            count -= 1
        left = list(self.choices)
        picked = tuple(left.pop(chance.pick("sample", len(left))) for _ in range(count))
        return self.of(**self.fixed, **{self.open: picked})

    @property
    def only(self) -> Action | None:
        """None of them, where there is none to take; one, where it must be taken."""
        most = min(self.most, len(self.choices))
        is_forced = most == 0 or self.least == len(self.choices) == 1
        return self.of(**self.fixed, **{self.open: self.choices[:most]}) if is_forced else None

    @property
    def do(self) -> str:
        return self.of.do

    def plain(self) -> dict[str, Any]:
        open_field = {"field": self.open, "choices": plain(self.choices), "fixed": plain(dict(self.fixed))}
        limits = {"least": self.least, "most": min(self.most, len(self.choices)), "even": self.even}
        return {**self.head(), **open_field, **limits}
