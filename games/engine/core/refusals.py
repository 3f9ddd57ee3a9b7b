"""Refusals: each has a code, a sentence for the player and the number of the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    sentence: str
    rule: str = ""


REASONS: dict[str, Reason] = {
    "malformed": Reason("This action was not understood: {what}."),
    "unknown_action": Reason("This game has no action called “{what}”."),
    "bad_option": Reason("The table option “{what}” doesn’t exist or can’t have this value."),
    "over": Reason("The game is over."),
    "not_asked": Reason("It’s not your turn to decide. Wait until the game asks you."),
    "not_on_offer": Reason("You can’t do that now. Choose one of the actions you are offered."),
}


def reasons(**more: Reason) -> None:
    """Add a game's own reasons to the catalogue; a code means one thing everywhere."""
    for code, reason in more.items():
        if REASONS.setdefault(code, reason) != reason:
            raise ValueError(f"two reasons are called {code}")


class IllegalAction(Exception):
    """An action the rules do not allow now. Its sentence is for the player and reveals nothing hidden."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts
        self.sentence = REASONS[code].sentence.format(**facts)
        self.rule = REASONS[code].rule

    def plain(self) -> dict[str, str]:
        return {"code": self.code, "sentence": self.sentence, "rule": self.rule}
