"""An action as somebody sends it, by POST, socket or API: read from text, taken to the gate, refused with a status."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from . import lost_links, play, tables
from .access import Visitor
from .engine.core.refusals import IllegalAction
from .models import Game, Seat
from .painting import fragments as painting

LONGEST_ACTION = 4096

OK, BAD_REQUEST, FORBIDDEN, CONFLICT, UNPROCESSABLE, TOO_MANY = 200, 400, 403, 409, 422, 429
STATUS_OF = {
    "malformed": BAD_REQUEST,
    "unknown_action": BAD_REQUEST,
    "bad_revision": BAD_REQUEST,
    "bad_token": BAD_REQUEST,
    "chat_empty": BAD_REQUEST,
    "chat_long": BAD_REQUEST,
    "not_your_seat": FORBIDDEN,
    "chat_stranger": FORBIDDEN,
    "chat_closed": FORBIDDEN,
    "stale": CONFLICT,
    "token_used": CONFLICT,
    "chat_fast": TOO_MANY,
    "acting_fast": TOO_MANY,
}


def status_of(refusal: IllegalAction) -> int:
    """What HTTP calls this refusal."""
    return STATUS_OF.get(refusal.code, UNPROCESSABLE)


@dataclass(frozen=True)
class Submission:
    """What was sent: not yet checked by the gate."""

    action: object
    revision: object
    token: str
    decision: str


Fields = Mapping[str, Sequence[str]]


def read(visitor: Visitor, field: Callable[[str], str], by_script: bool, fields: Fields | None = None) -> Submission:
    """A submission from the fields of a form; a plain form may leave out revision and token.

    Without a script the buttons do not know the revision; they are then taken to be about the game as it is, and their
    token follows from the one the form carries.
    """
    action = action_in_form(visitor, fields) if fields and field("control") else action_in(visitor, field)
    text, token = field("revision"), field("token")
    revision: object = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
    if not text and not by_script:
        revision = visitor.game.revision
    if not token.isprintable():
        raise IllegalAction("bad_token")
    if not token and not by_script:
        token = play.token_of_form(field("form_token"), json.dumps(action, sort_keys=True))
    return Submission(action, revision, token, field("decision"))


def action_in(visitor: Visitor, field: Callable[[str], str]) -> object:
    """The action as a plain value, from JSON or as somebody typed it."""
    text, typed = field("action"), field("move").strip()
    if not text and typed:
        action = painting.painter_of(visitor.game.ruleset).action_of(typed[:40])
        if action is None:
            raise IllegalAction("malformed", what="type a move like e2-e4")
        return action
    if len(text) > LONGEST_ACTION:
        raise IllegalAction("malformed", what="it is too long")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise IllegalAction("malformed", what="it is not JSON") from None


def action_in_form(visitor: Visitor, fields: Fields) -> object:
    """The action that a plain form's picks come to."""
    painter = painting.painter_of(visitor.game.ruleset)
    action = painter.action_in_form(tables.fragments_for(visitor).scene, fields) if visitor.seat is not None else None
    if action is None:
        raise IllegalAction("malformed", what="nothing was picked")
    return action


def act(visitor: Visitor, submission: Submission) -> play.Outcome:
    """Take it to the gate, for the seat that this visitor acts from."""
    number = tables.acting_seat(visitor, submission.action)
    return act_from(next(seat for seat in visitor.own if seat.number == number), visitor.game, submission)


def act_from(seat: Seat, game: Game, submission: Submission) -> play.Outcome:
    """Take it to the gate for this seat: pages, sockets and the JSON API all act through here."""
    with lost_links.closed_by_playing(seat):
        return play.act(
            game,
            seat.number,
            submission.action,
            revision=submission.revision,
            token=submission.token,
            decision=submission.decision,
            sitter=seat.player_id,
        )
