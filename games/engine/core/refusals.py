"""Why not: every refusal has a code, a sentence for the player and the number of the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    sentence: str
    rule: str = ""


REASONS: dict[str, Reason] = {
    "malformed": Reason("That is not an action of this game: {what}."),
    "unknown_action": Reason("This game has no action called “{what}”."),
    "bad_option": Reason("This table option cannot be set so: {what}."),
    "over": Reason("The game is over."),
    "not_asked": Reason("It is not your decision now."),
    "not_on_offer": Reason("That cannot be done now."),
}


def reasons(**more: Reason) -> None:
    """Add a game's own reasons to the catalogue; a code means one thing everywhere."""
    for code, reason in more.items():
        if REASONS.setdefault(code, reason) != reason:
            raise ValueError(f"two reasons are called {code}")


class IllegalAction(Exception):
    """An action the rules do not allow now. Its sentence is fit for the player's eyes and holds nothing else."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.sentence = REASONS[code].sentence.format(**facts)
        self.rule = REASONS[code].rule

    def plain(self) -> dict[str, str]:
        return {"code": self.code, "sentence": self.sentence, "rule": self.rule}
