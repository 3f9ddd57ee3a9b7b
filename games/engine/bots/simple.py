"""Bots that know no game."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.actions import Action
from ..core.dice import Dice
from ..core.offers import Offer
from ..core.view import View


class AnyLegal:
    """Does anything that is allowed, all things alike; leaves asides alone, answers what it is asked for."""

    def choose(self, view: View, offers: Sequence[Offer], dice: Dice) -> Action:
        answers = [offer for offer in offers if not offer.aside] or [offer for offer in offers if offer.reply]
        return answers[dice.pick("which offer", len(answers))].sample(dice)
