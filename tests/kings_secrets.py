"""What nobody at a table of Kings & Things* may have been shown, from the truth of every moment of a game; and a search
for it in whatever a window was sent.

`play_on` and `history` are for the server's own process (`Server.shell`): the first acts over the JSON API, so that the
windows of all seats hear of it as in life.
"""

from __future__ import annotations

import json
import re
import secrets
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# ---- in the server's process


def play_on(public_id: str, turn: int, keys: Mapping[int, str]) -> int:
    """Stewards' answers for everybody, through each player's own key, until this turn begins; how many they were."""
    from games import play
    from games.engine.bots import think
    from games.models import Game
    from tests.web.kings import asked, state_of

    game = Game.objects.get(public_id=public_id)
    count = 0
    while state_of(game).extras["turn"] < turn and not game.ended_how:
        seat = asked(game)[0]
        view = play.view_for(game, seat)
        action = think("kings", "steward", view, view.offers, f"watched {count}")
        post(public_id, keys[seat], {"action": action.plain(), "revision": view.revision, "decision": view.decision})
        count += 1
        play.forget()
    return count


def post(public_id: str, key: str, body: Mapping[str, Any]) -> None:
    from django.conf import settings

    data = json.dumps({**body, "token": secrets.token_hex(16)}).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    address = f"{settings.SITE_URL}/api/v1/tables/{public_id}/actions"
    with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=30) as answer:
        assert answer.status == 200


def history(public_id: str) -> list[list[Any]]:
    """Where every counter that has a tag was, at every moment: [number, tag, kind, name, place, owner, face up]."""
    from games import store
    from games.models import Action, Game
    from tests.web.kings import state_of

    game = Game.objects.get(public_id=public_id)
    state: Any = state_of(game).copy()
    found = set(moments(state))
    for row in Action.objects.filter(game=game, number__gt=0).order_by("-number"):
        store.undo_changes(store.rules_of(game), state, row.changes)
        found.update(moments(state))
    return sorted(map(list, found), key=repr)


def moments(state: Any) -> Iterator[tuple[Any, ...]]:
    for each in state.counters.values():
        if each.tag:
            name = state.kind(each.number).name
            yield each.number, each.tag, each.kind, name, each.place, each.owner, each.face_up


# ---- in the test


@dataclass(frozen=True)
class Moment:
    number: int
    tag: str
    kind: str
    name: str
    place: str
    owner: int | None
    face_up: bool

    def is_known_to(self, seat: int | None) -> bool:
        return self.face_up or self.owner is None or (seat is not None and self.owner == seat)

    @property
    def is_on_a_rack(self) -> bool:
        return self.place.startswith("rack:")


@dataclass(frozen=True)
class Secrets:
    """`tags` must not be there at all; the faces of `backs` (tag: kind and name) must not stand beside the tag."""

    tags: frozenset[str]
    backs: Mapping[str, tuple[str, str]]


def secrets_from(seat: int | None, told: Iterable[list[Any]]) -> Secrets:
    """What a seat, or a spectator, has never been in a position to know."""
    moments = [Moment(*each) for each in told]
    known = {each.tag for each in moments if each.is_known_to(seat)}
    unknown = [each for each in moments if each.tag not in known]
    seen = {each.tag for each in unknown if not each.is_on_a_rack}
    return Secrets(
        tags=frozenset(each.tag for each in unknown if each.tag not in seen),
        backs={each.tag: (each.kind, each.name) for each in unknown if each.tag in seen},
    )


def leaks(text: str, secrets_: Secrets) -> list[str]:
    """Every secret in a text, with what stands around it."""
    found = []
    for match in TAG.finditer(text):
        if match[0] in secrets_.tags:
            found.append(f"{match[0]}: {around(text, match)}")
        face = secrets_.backs.get(match[0], ())
        if any(re.search(rf"\b{re.escape(word)}\b", about(text, match)) for word in face):
            found.append(f"{match[0]} is {face[1]}: {around(text, match)}")
    return found


TAG = re.compile(r"(?<![a-z0-9])[bcdfghjkmnpqrstvwxyz2-9]{8}(?![a-z0-9])")
FARTHEST = 300
OTHER_MATTERS = ("hx-swap-oob", "</ol>", "</section>")


def about(text: str, match: re.Match[str]) -> str:
    """The element or entry a tag stands in: from the element's beginning to that of the next."""
    rest = text[match.end() : match.end() + FARTHEST]
    if following := TAG.search(rest):
        rest = rest[: following.start()]
        rest = rest[: rest.rfind("<")] if "<" in rest else rest
    for other in OTHER_MATTERS:
        rest = rest.partition(other)[0]
    begins = max(text.rfind("<", 0, match.start()), match.start() - FARTHEST, 0)
    return text[begins : match.start()] + rest


def around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 120) : match.end() + 120]
