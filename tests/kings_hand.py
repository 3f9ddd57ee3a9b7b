"""A hand at the page of Kings & Things*: it answers every question by clicking, as a person in a hurry would.

Everything is done through what the page shows: lit hexes, counters, buttons. `#picks` is only read to know which
question is asked.
"""

from __future__ import annotations

import itertools
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Locator, Page, expect

MOST_MARCHES = 2  # a turn: the others wait for us
STALE = 409


NUMBERS = itertools.count()

# The page's own word of each answer, whether it came by the socket or by POST.
NOTE_ANSWERS = """document.addEventListener("table:answered", ({ detail: [answer] }) => NOTE(answer));"""


class Hand:
    """Plays one seat. `met` counts the questions and `offered` what could be done; `did` is what was sent and `refused`
    what the server would not take; `phases` are those the bar has shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.met: Counter[str] = Counter()
        self.offered: Counter[str] = Counter()
        self.did: Counter[str] = Counter()
        self.refused: list[str] = []
        self.phases: set[str] = set()
        self.marches = 0
        self.last_vain: dict[str, str] | None = None
        name = f"note{next(NUMBERS)}"  # one page may be played by several hands, one after another
        page.expose_function(name, self.note)
        page.add_init_script(NOTE_ANSWERS.replace("NOTE", name))
        page.evaluate(NOTE_ANSWERS.replace("NOTE", name))

    def note(self, answer: dict[str, Any]) -> None:
        """A stale answer is no mistake of the page: the game went on, and the action is not taken."""
        if answer["status"] == STALE:
            return
        if answer["status"] == 200:
            self.did[json.loads(answer["action"] or "{}").get("do", "")] += 1
        else:
            self.refused.append(f"{answer['status']}: {answer['action']}")

    # ---- reading the page

    @property
    def facts(self) -> dict[str, str]:
        return self.page.evaluate("({...document.getElementById('picks')?.dataset})")

    @property
    def question(self) -> str:
        return self.facts.get("question", "")

    @property
    def state(self) -> dict[str, str]:
        return self.page.evaluate("({...document.getElementById('page-state').dataset})")

    @property
    def turn(self) -> int:
        words = self.page.locator("#phases strong").inner_text().split()
        return int(words[1]) if len(words) == 2 else 0

    @property
    def is_idle(self) -> bool:
        return self.page.locator("#controls[aria-busy], #controls[data-asking]").count() == 0

    def controls(self, more: str = "", **which: Any) -> Locator:
        return self.page.locator(f"#controls {more}".rstrip(), **which)

    def lit(self, how: str) -> list[str]:
        return self.page.eval_on_selector_all(f"#board .hex.{how}", "all => all.map(each => each.dataset.place)")

    def named(self, place: str) -> str:
        """What the page calls a hex, inside a sentence."""
        name, number, _ = (self.page.locator(f"#hex-{place} > title").text_content() or "").partition(f" ({place})")
        assert number, f"{place} has no name"
        return re.sub("^The ", "the ", name)

    # ---- doing

    def hex(self, place: str) -> None:
        """Press a hex on the map; it is drawn under whatever stands in it, so the middle is as good as any spot."""
        self.page.locator(f"#hex-{place}").click(force=True)
        self.settled()

    def press(self, more: str) -> bool:
        """Press the first control of this sort that is there."""
        found = self.controls(more)
        if not found.count():
            return False
        found.first.click()
        self.settled()
        return True

    def settled(self) -> None:
        """Wait until the controls show what was picked."""
        expect(self.page.locator("#controls[data-asking]")).to_have_count(0)

    def confirm(self) -> None:
        self.controls("[data-confirm]").click()

    def primary(self) -> bool:
        return self.press(".button.primary:not(:disabled)")

    def done(self) -> bool:
        return self.press("[data-do=done]") and (not self.controls("[data-confirm]").count() or self.confirm() is None)

    # ---- answering

    def play(self, until: Callable[[Hand], bool], seconds: float = 120) -> None:
        """Answer whatever is asked until something is so."""
        deadline = time.monotonic() + seconds
        while not until(self):
            assert time.monotonic() < deadline, f"not within {seconds} s; now {self.question!r}: {self.met}"
            self.look()
            if self.question and self.is_idle:
                # Asked again: the question may have come after the first look.
                if until(self):
                    return
                self.answer()
            else:
                self.page.wait_for_timeout(40)

    def look(self) -> None:
        now = "all => all.map(each => each.dataset.lesson)"
        self.phases.update(self.page.eval_on_selector_all("#phases .now [data-lesson]", now))

    def answer(self) -> None:
        """One decision. The game may go on under the hand: a control that is gone is not pressed, and that is all."""
        before, question = self.state, self.question
        self.look()  # the question may have come after the last look, and with it another phase
        self.offered.update(set(self.facts.get("do", "").split()))
        try:
            getattr(self, f"answer_{question}", self.answer_any)()
        except Error as gone:
            if "Timeout" not in str(gone) or (self.state == before and self.in_vain(before)):
                raise
        self.met[question] += 1
        self.wait_for_news(before)

    def in_vain(self, before: dict[str, str]) -> bool:
        """Whether the same question was answered before this, and nothing came of it either."""
        again, self.last_vain = self.last_vain == before, before
        return again

    def wait_for_news(self, before: dict[str, str]) -> None:
        self.page.wait_for_function(
            """before => {
                const now = document.getElementById('page-state').dataset;
                return now.revision !== before.revision || now.silent !== before.silent
                    || !document.querySelector('#controls[aria-busy]');
            }""",
            arg=before,
        )

    def answer_any(self) -> None:
        """Pick the first of what is offered, or do what stands out."""
        if self.lit("target"):
            self.hex(self.lit("target")[0])
            self.confirm()
            return
        if not self.primary():
            self.press("> .control .chips button:not(:disabled)") or self.done()
        if self.controls("[data-confirm]").count():
            self.confirm()

    def answer_place(self) -> None:
        """All creatures of the rack into one hex while there is room, then finish."""
        if not self.press("button:has-text('Pick all creatures')"):
            self.press(".chip[data-chip][aria-pressed=false]")
        while self.controls(".chip[aria-pressed=true]").count() and not self.lit("target"):
            self.controls(".chip[aria-pressed=true]").last.click()
            self.settled()
        if self.lit("target"):
            self.hex(self.lit("target")[0])
            self.controls("[data-key=place]").click()
        else:
            self.done()

    answer_station_hero = answer_any

    def answer_march(self) -> None:
        """Into the unknown, if anybody can go there."""
        stacks = self.controls("[data-stack-of]:visible")
        if self.marches >= MOST_MARCHES or not stacks.count():
            self.marches = 0
            self.done()
            return
        self.marches += 1
        stacks.first.click()
        self.settled()
        reach = self.lit("reach")
        free = [
            place for place in reach if " of " not in (self.page.locator(f"#hex-{place} title").text_content() or "")
        ]
        if not reach:
            self.done()
        else:
            self.hex((free or reach)[0])

    def answer_losses(self) -> None:
        """As many as were hit, in the order they are listed."""
        while not self.primary():
            fresh = self.controls(".chip[data-chip][aria-pressed=false]:not(:disabled)")
            (fresh if fresh.count() else self.controls(".chip[data-chip]:not(:disabled)")).first.click()
            self.settled()

    answer_event_losses = answer_losses
    answer_plague_losses = answer_losses
    answer_too_many = answer_losses
    answer_full_rack = answer_losses
    answer_who_stays = answer_losses

    def answer_bribe(self) -> None:
        """Whoever takes all that is there is bought; the others are fought."""
        self.press(".chip[data-chip]")
        if self.controls("[data-key=bribe][aria-disabled]").count():
            self.press(".chip[data-chip]")
        self.controls("[data-key=bribe]").click()

    def answer_draw(self) -> None:
        """One more than is free, where there is gold for it."""
        paid = self.controls("select[aria-label='Paid draws']")
        if paid.locator("option").count() > 1:
            paid.select_option("1")
            self.settled()
        self.controls("[data-key=draw]").click()

    def answer_exchange(self) -> None:
        self.controls("[data-key=exchange]").click()

    def answer_retreat(self) -> None:
        """Leave it, where that is allowed."""
        if not self.done():
            self.answer_any()

    answer_react = answer_ready = answer_event = answer_add_gold = answer_dust = answer_retreat
    answer_replace_sea = answer_warlord = answer_arm = answer_assassinate = answer_steal = answer_retreat


def item(page: Page, name: str) -> Locator:
    """A line of the table's menu, which is opened for it."""
    if not page.locator("#menu[open]").count():
        page.locator("#menu > summary").click()
    return page.locator("#menu").get_by_role("button", name=name, exact=True)


def live(page: Page) -> None:
    expect(page.locator("#table.live")).to_be_attached()
