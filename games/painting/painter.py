"""Painter: what a game's module in this folder must have for the table's page, the past, exports and the admin.

A module is a painter if it has these names: `painter: Painter = module` lets mypy check that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from django.utils.safestring import SafeString

from games.engine.core.view import View

from .scene import Scene

if TYPE_CHECKING:
    from .fragments import Fragments

Fields = Mapping[str, Sequence[str]]  # of a form, as they were sent
Told = tuple[str, Mapping[str, Any]]  # an event's name, and its facts


class Painter(Protocol):
    """Draws one game. `before` is what the page showed last, for painters that reuse what has not changed."""

    # ---- facts about the page

    @property
    def PAGE(self) -> str:
        """The template of the table's page."""

    @property
    def CELL(self) -> str:
        """What the dom ids of the board's cells begin with."""

    @property
    def STEPS(self) -> tuple[str, ...]:
        """The events one stops at when stepping through the past; none means all."""

    @property
    def TEMPLATES(self) -> Mapping[str, str]:
        """The templates of panels that are not called like their slot."""

    def page_facts(self, scene: Scene, /) -> dict[str, Any]:
        """What else the page's template needs and no patch changes."""

    def title(self, scene: Scene, prompt: dict[str, Any], /) -> str:
        """The title of the browser's tab; `prompt` is the context of that panel."""

    # ---- the board. Each painter names its own kind of View and of looks here, which is why these take any.

    def side_of(self, view: View, /) -> int:
        """The side the viewer sees the board from."""

    def squares(self, scene: Scene, before: Fragments | None = None, /) -> Mapping[str, Any]:
        """What each cell of the board is drawn from, by place. A game without cells has no #board on its page."""

    def draw_square(self, place: str, look: Any, /) -> SafeString:
        """The inside of one cell."""

    def draw_board(self, looks: Any, side: int, /) -> SafeString:
        """The inside of #board, with a slot for every cell."""

    def still_board(self, view: Any, side: int | None = None, table: str = "", /) -> SafeString:
        """A whole board to look at, with no slot in it that a patch could find; `table` is the public id."""

    # ---- what stands around the board

    def panels(self, scene: Scene, side: int, before: Fragments | None = None, /) -> dict[str, dict[str, Any]]:
        """The contexts of the panels, by slot; `prompt` is one of them."""

    def later_panels(self, scene: Scene, /) -> dict[str, dict[str, Any]]:
        """The contexts that take long; they may be sent after all others."""

    def draw_panel(self, slot: str, context: dict[str, Any], /) -> SafeString | None:
        """The inside of a panel; None where a template draws it."""

    def lists(self, scene: Scene, before: Fragments | None = None, /) -> Mapping[str, Sequence[Any]]:
        """The rows of the lists, by slot. The log is added where it is not among them."""

    def draw_row(self, slot: str, row: Any, scene: Scene, **attributes: object) -> SafeString:
        """One row of a list other than the log."""

    def past_facts(self, scene: Scene, now: Scene, before: View, /) -> dict[str, Any]:
        """What else the page of an earlier position shows. `now` is the same visitor's table as it is now; `before` is
        their View one step earlier."""

    # ---- words

    def called(self, told: Sequence[Told], view: Any, table: str, /) -> Sequence[Mapping[str, str]]:
        """For each of these, the facts that the page words in its own way, such as names for places.

        `told` are the newest lines of a log, or a refusal, which has no name. `view` shows the game after them."""

    # ---- what is picked before it is sent

    def preview(self, scene: Scene, fields: Fields, /) -> SafeString | None:
        """The controls with what has been picked; None if nothing is picked in steps."""

    def action_in_form(self, scene: Scene, fields: Fields, /) -> Any:
        """The action that a form without scripts comes to; None if it comes to none."""

    # ---- small things

    def action_of(self, text: str, /) -> dict[str, str] | None:
        """The action somebody typed; None if it cannot be read."""

    def export_text(self, scene: Scene, start: View, tags: dict[str, str], /) -> str:
        """The whole game as text, as far as the scene's viewer may know it."""
