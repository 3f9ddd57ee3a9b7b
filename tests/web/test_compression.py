"""Answers are compressed for browsers that take it, and their length tells no secret (BREACH)."""

from __future__ import annotations

import gzip
import random
import secrets
import string

import brotli
import pytest
from asgiref.sync import async_to_sync
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from games import lobby
from games.lobby import SeatPlan
from games.models import Game
from kadab import compression
from kadab.compression import Compress, zipped
from kadab.static_files import PlayersFiles
from players import tokens
from tests import tables

LETTERS = string.ascii_letters + string.digits + "-_"
KEY = "aVery-Secret_Key_of24char"
MOST_OF_A_PAGE = 25_000


@pytest.fixture
def no_padding(monkeypatch):
    monkeypatch.setattr(compression, "LONGEST_PADDING", 0)


def page(*parts: str) -> bytes:
    filler = "".join(f"<p class='row-{n % 7}'>Something that stands on every page, {n}.</p>" for n in range(200))
    return (filler + "".join(parts) + filler).encode()


# ---- what it is


@pytest.mark.parametrize("seed", range(20))
def test_what_is_unzipped_is_what_was_zipped(seed):
    chance = random.Random(seed)
    parts = []
    for _ in range(chance.randrange(8)):
        parts.append("".join(chance.choices("abc <>äö𝄞", k=chance.choice([0, 1, 100, 40_000]))))
        parts.append(f"/return/{''.join(chance.choices(LETTERS, k=24))}")
    body = "".join(parts).encode()
    assert gzip.decompress(zipped(body)) == body


def test_a_secret_of_any_length_is_stored():
    body = b"x" * 100 + b"kadab_" + b"k" * 200_000 + b"y" * 100
    assert gzip.decompress(zipped(body)) == body


def test_text_after_a_secret_still_refers_to_text_before_it(no_padding):
    plain, with_secret = page("nothing"), page(f"<a href='/return/{KEY}/'>")
    assert len(zipped(with_secret)) < len(zipped(plain)) + 200


# ---- what its length tells


def test_a_right_guess_makes_an_answer_no_shorter(no_padding):
    """Without the blotting out, the longest common beginning with the key would show."""

    def length(guess: str) -> int:
        return len(zipped(page(f"<input value='http://x/return/{KEY}/'>", f"<li>/return/{guess}</li>")))

    others = [KEY[::-1], KEY[12:] + KEY[:12], KEY.swapcase()]
    guesses = [KEY[:n] + "".join(random.Random(n).choices(LETTERS, k=24 - n)) for n in range(0, 24, 4)]
    lengths = {length(guess[:24]) for guess in [KEY, *guesses, *others]}
    assert len(lengths) == 1


def test_part_of_a_guess_makes_an_answer_no_shorter(no_padding):
    """A guess without the path, as somebody would write it in the chat."""

    def length(guess: str) -> int:
        return len(zipped(page(f"<input value='http://x/return/{KEY}/'>", f"<li>{guess}</li>")))

    wrong = [sorted(KEY), sorted(KEY, reverse=True)]
    assert length(KEY) >= min(length("".join(each)) for each in wrong) - 2


def test_lengths_are_padded_at_random(monkeypatch):
    chance = random.Random(1)
    monkeypatch.setattr(secrets, "randbelow", chance.randrange)
    lengths = {len(zipped(page())) for _ in range(300)}
    assert len(lengths) > 80 and max(lengths) - min(lengths) <= 100


@pytest.mark.django_db
def test_every_lasting_secret_of_a_page_is_known_to_be_one():
    """The keys of a seat and of a table, wherever they stand in a page or in an answer of the API."""
    host, guest = Client(), Client()
    host.force_login(tables.player("ann"))
    plan = [SeatPlan("me"), SeatPlan("link")]
    room = lobby.create(tables.player("ann"), "gambit", {}, plan, is_public=False)
    game = lobby.create(tables.player("ann"), "gambit", {}, plan, is_public=False)
    guest.post(f"/join/{game.invite_key}/", {"name": "Zoe"})
    if Game.objects.get(pk=game.pk).status == Game.Status.OPEN:
        host.post(f"/tables/{game.public_id}/start/")
    key = game.seats.get(player__guest_name="Zoe").return_key
    bearer = {"Authorization": f"Bearer {tokens.make(tables.player('ann'), 'a bot')[1]}"}
    answers = {
        "table": guest.get(game.get_absolute_url()),
        "account": guest.get("/account/"),
        "invitation": guest.get(f"/join/{game.invite_key}/", follow=True),
        "return": Client().get(f"/return/{key}/", follow=True),
        "room": host.get(room.get_absolute_url()),
        "host's": host.get(game.get_absolute_url()),
        "lobby": host.get("/"),
        "api": host.get(f"/api/v1/tables/{room.public_id}", headers=bearer),
        "new token": host.post("/account/tokens/", {"name": "bot"}, follow=True),
    }
    met = []
    for name, answer in answers.items():
        assert answer.status_code == 200, (name, answer.status_code)
        left = compression.SECRETS.sub(b"", answer.content)
        for secret in (key, game.invite_key, room.invite_key):
            assert secret.encode() not in left, name
        met += [name] if left != answer.content else []
    assert {"table", "account", "room"} <= set(met)


# ---- when


@pytest.mark.django_db
@pytest.mark.parametrize("ruleset", ["kings", "gambit"])
def test_a_tables_page_is_small(client, ruleset):
    more = {"options": {"waiting": "never"}} if ruleset == "kings" else {}
    game = tables.running("ann", "bob", ruleset=ruleset, **more)
    client.force_login(tables.player("ann"))
    answer = client.get(game.get_absolute_url(), headers={"Accept-Encoding": "gzip, deflate, br"})
    assert answer["Content-Encoding"] == "gzip" and len(answer.content) == int(answer["Content-Length"])
    assert b"</html>" in gzip.decompress(answer.content)
    assert len(answer.content) <= MOST_OF_A_PAGE
    assert {"Cookie", "Accept-Encoding"} <= {each.strip() for each in answer["Vary"].split(",")}


@pytest.mark.django_db
@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "identity"])
def test_who_does_not_take_gzip_gets_none(client, accepted):
    answer = client.get("/credits/", headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer and b"</html>" in answer.content
    assert "Accept-Encoding" in answer["Vary"]


def through(response: HttpResponse, asynchronous: bool = False) -> HttpResponse:
    request = RequestFactory().get("/", headers={"Accept-Encoding": "gzip"})
    if not asynchronous:
        return Compress(lambda request: response)(request)

    async def view(request):
        return response

    async def ask():
        return await Compress(view)(request)

    return async_to_sync(ask)()


LONG = "a word and another, " * 100


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse("short"),
        HttpResponse(status=204),
        StreamingHttpResponse([LONG]),
        HttpResponse(LONG, headers={"Content-Encoding": "br"}),
        HttpResponse(LONG, content_type="image/png"),
        HttpResponse(b"\xff\xfe" + LONG.encode(), content_type="text/plain"),
        HttpResponse(random.Random(1).randbytes(500).hex()[:401]),
    ],
    ids=["short", "empty", "stream", "compressed already", "a picture", "no UTF-8", "just long enough"],
)
def test_what_is_left_alone(response):
    before = response.get("Content-Encoding", "")
    length = 0 if response.streaming else len(response.content)
    after = through(response)
    if after.get("Content-Encoding", "") != before:
        assert len(after.content) < length


@pytest.mark.parametrize("times", [1, 60])
def test_async_views_are_compressed_too(times):
    answer = through(HttpResponse(LONG * times, headers={"ETag": '"x"'}), asynchronous=True)
    assert gzip.decompress(answer.content).decode() == LONG * times
    assert answer["ETag"] == 'W/"x"'


# ---- static files


def test_what_players_load_is_there_in_brotli(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    for name in ("css/base.0123456789ab.css", "css/base.css", "ninja/redoc.0123456789ab.js", "admin/js/x.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(LONG)
        PlayersFiles(quiet=True).compress(str(tmp_path / name))
    assert [path.name for path in tmp_path.rglob("*.br")] == ["base.0123456789ab.css.br"]
    assert len(list(tmp_path.rglob("*.gz"))) == 4
    packed = next(tmp_path.rglob("*.br")).read_bytes()
    assert brotli.decompress(packed).decode() == LONG
