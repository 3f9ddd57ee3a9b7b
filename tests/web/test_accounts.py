"""Accounts: signing up, logging in, forgotten passwords, e-mail, tokens; and what strangers cannot do."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import lobby
from players import guests, tokens
from players.models import ApiToken, Player
from players.names import check_username
from tests.mail import sent

pytestmark = pytest.mark.django_db

PASSWORD = "one clever lion"
OTHER_PASSWORD = "two clever lions"


def account(name="Anna", **more):
    return Player.objects.create_user(name, password=PASSWORD, **more)


def sign_up(client, **changes):
    return client.post(reverse("account_signup"), {"username": "Anna", "password1": PASSWORD, "email": "", **changes})


def log_in(client, login="Anna", password=PASSWORD, **more):
    return client.post(reverse("account_login"), {"login": login, "password": password}, **more)


def who(client):
    return Player.objects.filter(pk=client.session.get(SESSION_KEY)).first()


def link_in(message):
    return re.search(r"http://127\.0\.0\.1:8000(/\S+)", message.body)[1]


# ---- signing up and logging in


def test_an_account_needs_a_name_and_a_password_only(client):
    assert sign_up(client).headers["Location"] == "/"
    assert who(client).username == "Anna"
    assert not sent()


def test_one_may_log_out_and_in_again_by_name_or_address(client):
    sign_up(client, email="anna@example.org")
    client.post(reverse("account_logout"))
    assert who(client) is None
    for login in ["Anna", "anna", " ANNA ", "anna@example.org", "Anna@Example.ORG"]:
        assert log_in(client, login).status_code == 302
        assert who(client).username == "Anna"
        client.post(reverse("account_logout"))


@pytest.mark.parametrize("login", ["Anna", "anna@example.org", "Nobody", "\x00", "x" * 5000, ""])
def test_a_wrong_password_is_refused_and_nobody_is_logged_in(client, login):
    account(email="anna@example.org")
    assert log_in(client, login, "wrong").status_code == 422
    assert who(client) is None


def test_after_logging_in_nobody_is_sent_to_another_site(client):
    account()
    answer = client.post(
        reverse("account_login") + "?next=https://evil.example/", {"login": "Anna", "password": PASSWORD}
    )
    assert answer.headers["Location"] == "/"


def test_a_closed_account_is_told_so(client):
    account(is_active=False)
    assert log_in(client).headers["Location"] == reverse("account_inactive")
    assert who(client) is None


def test_whoever_is_logged_in_is_sent_on_from_login_and_signup(client):
    client.force_login(account())
    for name in ["account_login", "account_signup"]:
        assert client.get(reverse(name)).headers["Location"] == "/"


# ---- names


@pytest.mark.parametrize(
    "name",
    [
        "Al",
        "anna",
        "Anna-Lena_99",
        "J.R.R",
        "Zoë",
        "Łukasz",
        "Анна",
        "李白",
        "さくらサクラ桜",
        "अंजलि",
        "x" * 30,
    ],
)
def test_names_of_letters_of_one_script_are_good(client, name):
    check_username(name)
    assert sign_up(client, username=name).status_code == 302


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "A",
            "x" * 31,
            "Anna Bell",
            "anna@example.org",
            "<b>Anna</b>",
            "-anna",
            "...",
            "Anna!",
            "Anna🦁",
        ),
        *(
            "An\u200bna",
            "An\u200dna",
            "\u202eannA",
            "An\u2066na",
            "An\u00adna",
            "Ann\u3164a",
            "A\x00nna",
            "Anna\ufeffx",
        ),
        *("\u0410nna", "Ann\u03b1", "a" + "\u0301" * 5),
        *("admin", "Kadab", "GUEST", "guest-abc", "Guest-x"),
    ],
)
def test_names_with_tricks_are_refused(client, name):
    assert sign_up(client, username=name).status_code == 422
    assert not Player.objects.exists()


def test_names_that_look_alike_to_the_eye_are_one(client):
    sign_up(client, username="Ａnna")  # a full-width A
    assert who(client).username == "Anna"


@pytest.mark.parametrize("name", ["Anna", "anna", "ANNA"])
def test_a_name_is_given_once_whatever_its_case(client, name):
    account()
    assert sign_up(client, username=name).status_code == 422
    assert Player.objects.count() == 1


def test_the_database_itself_gives_a_name_once():
    account()
    with pytest.raises(IntegrityError), transaction.atomic():
        account("aNNa")


def test_two_who_take_the_same_name_at_once_are_told(client, monkeypatch):
    """The check found the name free, and then it was not."""
    account()
    monkeypatch.setattr(
        "allauth.account.adapter.DefaultAccountAdapter.clean_username", lambda self, name, shallow: name
    )
    assert sign_up(client, username="anna").status_code == 422
    guest = guests.new_guest("Wanderer")
    client.force_login(guest)
    answer = client.post(reverse("keep_games"), {"username": "anna", "password1": PASSWORD})
    assert answer.status_code == 422
    guest.refresh_from_db()
    assert guest.is_guest


@pytest.mark.parametrize("password", ["", "short", "password123", "anna-anna"])
def test_weak_passwords_are_refused(client, password):
    assert sign_up(client, username="anna-anna", password1=password).status_code == 422
    assert not Player.objects.exists()


# ---- e-mail


def test_an_address_is_confirmed_by_the_button_behind_the_link(client):
    sign_up(client, email="anna@example.org")
    [message] = sent()
    link, stranger = link_in(message), Client()
    assert stranger.get(link).status_code == 200
    assert not EmailAddress.objects.get().verified
    assert stranger.post(link).status_code == 302
    assert EmailAddress.objects.get().verified


def test_opening_a_confirmation_link_logs_nobody_out(client):
    sign_up(client, email="anna@example.org")
    other = Client()
    other.force_login(guest := guests.new_guest("Wanderer"))
    link = link_in(sent()[0])
    other.get(link)
    other.post(link)
    assert who(other) == guest


def test_a_taken_address_is_not_told_of_at_sign_up(client):
    bob = account("Bob")
    EmailAddress.objects.create(user=bob, email="bob@example.org", primary=True, verified=True)
    assert sign_up(client, email="bob@example.org").status_code == 302
    assert log_in(Client(), "bob@example.org").status_code == 302
    link = link_in(sent()[0])
    Client().post(link)
    assert not EmailAddress.objects.get(user__username="Anna").verified


def test_addresses_are_added_and_removed_on_their_page(client):
    client.force_login(anna := account())
    page = reverse("account_email")
    assert client.post(page, {"action_add": "1", "email": "anna@example.org"}).status_code == 302
    assert sent()[0].to == ["anna@example.org"]
    assert "anna@example.org" in client.get(page).content.decode()
    assert client.post(page, {"action_add": "1", "email": "nonsense"}).status_code == 422
    client.post(page, {"action_remove": "1", "email": "anna@example.org"})
    assert not anna.emailaddress_set.exists()


def test_mail_is_limited_by_where_it_is_asked_from_whatever_form_asks(settings):
    """Whoever signs up, keeps a guest's games, adds an address or forgets a password may type any address."""
    settings.ACCOUNT_RATE_LIMITS = dict.fromkeys(settings.ACCOUNT_RATE_LIMITS, "1000/m/ip")
    forms = [("account_signup", {"username": "Anna{}", "password1": PASSWORD}), ("account_reset_password", {})]
    answers = []
    for number in range(40):
        name, data = forms[number % 2]
        filled = {key: value.format(number) for key, value in data.items()}
        answers.append(Client().post(reverse(name), {**filled, "email": f"{number}@example.org"}).status_code)
    assert answers == [302] * 30 + [429] * 10 and len(sent()) == 30
    elsewhere = Client(REMOTE_ADDR="10.9.8.7")
    assert elsewhere.post(reverse("account_reset_password"), {"email": "x@example.org"}).status_code == 302
    guest = Client()
    guest.force_login(guests.new_guest("Zoë"))
    kept = guest.post(reverse("keep_games"), {"username": "Zoe", "password1": PASSWORD, "email": "z@example.org"})
    assert kept.status_code == 429 and Player.objects.filter(is_guest=True).exists()
    assert guest.post(reverse("keep_games"), {"username": "Zoe", "password1": PASSWORD}).status_code == 302


def test_mail_to_an_address_that_is_not_confirmed_holds_no_text_its_sender_can_choose(client):
    spam = "Buy-at-evil.example"
    sign_up(client, username=spam, email="stranger@example.org")
    Client().post(reverse("account_reset_password"), {"email": "stranger@example.org"})
    Client().post(reverse("account_reset_password"), {"email": "evil.example@example.org"})
    assert len(sent()) == 3
    for each in sent():
        assert "evil" not in each.body and "evil" not in each.subject


def test_a_dead_mail_server_breaks_no_sign_up_and_no_reset(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert sign_up(client, email="anna@example.org").status_code == 302
    for email in ["anna@example.org", "nobody@example.org"]:
        assert Client().post(reverse("account_reset_password"), {"email": email}).status_code == 302


# ---- forgotten passwords


def test_a_forgotten_password_is_set_anew_by_mail(client):
    account(email="anna@example.org")
    client.post(reverse("account_reset_password"), {"email": "anna@example.org"})
    [message] = sent()
    assert message.to == ["anna@example.org"]
    form = client.get(link_in(message)).headers["Location"]
    assert client.get(form).status_code == 200
    short = client.post(form, {"password1": "short", "password2": "short"})
    assert short.status_code == 422
    client.post(form, {"password1": OTHER_PASSWORD, "password2": OTHER_PASSWORD})
    assert log_in(Client()).status_code == 422
    assert log_in(Client(), password=OTHER_PASSWORD).status_code == 302
    assert "no longer works" in Client().get(link_in(message)).content.decode()


def test_links_in_mail_lead_to_the_site_whatever_host_was_asked(client):
    account(email="anna@example.org")
    client.post(reverse("account_reset_password"), {"email": "anna@example.org"}, headers={"host": "localhost"})
    assert "http://127.0.0.1:8000/account/password/reset/key/" in sent()[0].body
    assert "localhost" not in sent()[0].body


def test_a_reset_does_not_tell_whether_there_is_an_account(client, monkeypatch):
    monkeypatch.setattr("django.middleware.csrf._get_new_csrf_string", lambda: "x" * 32)  # masks differ each time
    account(email="anna@example.org")
    pages = []
    for email in ["anna@example.org", "nobody@example.org"]:
        answer = client.post(reverse("account_reset_password"), {"email": email}, follow=True)
        pages.append((answer.status_code, answer.redirect_chain, answer.content))
    assert pages[0] == pages[1]
    assert [message.to for message in sent()] == [["anna@example.org"], ["nobody@example.org"]]


def test_opening_a_reset_link_logs_nobody_out(client):
    account(email="anna@example.org")
    client.post(reverse("account_reset_password"), {"email": "anna@example.org"})
    client.force_login(guest := guests.new_guest("Wanderer"))
    client.get(link_in(sent()[0]), follow=True)
    assert who(client) == guest


@pytest.mark.parametrize(
    "path",
    [
        *("password/reset/key/zzzzzzzzzzzzz-abc/", "password/reset/key/1-set-password/"),
        *("password/reset/key/0-%00/", "confirm-email/nonsense/", "confirm-email/MQ:1abc:xyz/"),
    ],
)
def test_made_up_links_lead_to_a_page_that_says_so(client, path):
    assert client.get("/account/" + path).status_code == 200


def test_a_password_is_changed_by_whoever_knows_the_old_one(client):
    client.force_login(account())
    page = reverse("account_change_password")
    new = {"password1": OTHER_PASSWORD, "password2": OTHER_PASSWORD}
    assert client.post(page, {"oldpassword": "wrong", **new}).status_code == 422
    assert client.post(page, {"oldpassword": PASSWORD, **new}).headers["Location"] == reverse("account")
    assert who(client)
    assert log_in(Client(), password=OTHER_PASSWORD).status_code == 302


# ---- limits


def test_failed_logins_are_limited_by_address_and_name_and_lock_nobody_out_elsewhere(client):
    account(email="anna@example.org")
    account("Bob")
    for _ in range(5):
        assert log_in(client, password="wrong", REMOTE_ADDR="10.0.0.1").status_code == 422
    assert log_in(client, REMOTE_ADDR="10.0.0.1").status_code == 429
    assert who(client) is None
    assert log_in(Client(), "Bob", REMOTE_ADDR="10.0.0.1").status_code == 302
    assert log_in(Client(), REMOTE_ADDR="10.0.0.2").status_code == 302


def test_failed_logins_are_limited_by_address_whatever_the_names(client):
    account()
    answers = [log_in(client, f"name{n}", "wrong", REMOTE_ADDR="10.0.0.1").status_code for n in range(21)]
    assert answers == [422] * 20 + [429]
    assert log_in(Client(), REMOTE_ADDR="10.0.0.2").status_code == 302


def test_a_made_up_forwarded_for_header_counts_for_nothing_without_a_proxy(client):
    account()
    for n in range(5):
        log_in(client, password="wrong", headers={"x-forwarded-for": f"10.0.0.{n}"})
    assert log_in(client, headers={"x-forwarded-for": "10.0.0.9"}).status_code == 429


def test_behind_a_proxy_the_address_it_adds_counts(client, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    account()
    for n in range(5):
        log_in(client, password="wrong", headers={"x-forwarded-for": f"1.1.1.{n}, 10.0.0.1"})
    assert log_in(client, headers={"x-forwarded-for": "1.1.1.9, 10.0.0.1"}).status_code == 429
    assert log_in(Client(), headers={"x-forwarded-for": "10.0.0.1, 10.0.0.2"}).status_code == 302


@pytest.mark.parametrize("header", ["nonsense", "", ",", "10.0.0.1"])
def test_a_broken_forwarded_for_header_breaks_no_login(client, settings, header):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    account()
    assert log_in(client, headers={"x-forwarded-for": header}).status_code == 302


def test_one_address_is_not_flooded_with_reset_mail(client):
    account(email="anna@example.org")
    for n in range(8):
        client.post(reverse("account_reset_password"), {"email": "anna@example.org"}, REMOTE_ADDR=f"10.0.0.{n}")
    assert len(sent()) == 5


# ---- the account page


def test_preferences_are_saved(client):
    client.force_login(anna := account())
    assert client.post(reverse("account"), {"sound": "on"}).status_code == 302
    anna.refresh_from_db()
    assert (anna.mail_my_turn, anna.sound) == (False, True)


def test_a_guest_chooses_sound_and_keeps_the_rest(client):
    client.force_login(guest := guests.new_guest("Wanderer"))
    client.post(reverse("account"), {"sound": "on", "is_staff": "on", "username": "x"})
    guest.refresh_from_db()
    assert (guest.sound, guest.mail_my_turn, guest.is_staff) == (True, True, False)


@pytest.mark.parametrize("name", ["account", "keep_games", "account_email", "account_change_password"])
def test_strangers_are_sent_to_the_login(client, name):
    assert client.get(reverse(name)).headers["Location"].startswith(reverse("account_login"))


def test_names_are_text_wherever_they_stand(client):
    client.force_login(guests.new_guest("<b>Tom</b>"))
    for name in ["account", "keep_games", "account_login", "account_logout"]:
        page = client.get(reverse(name)).content.decode()
        assert "<b>Tom" not in page
        assert "&lt;b&gt;Tom" in page


# ---- tokens


def test_a_token_is_shown_once_and_plays_for_its_player(client):
    client.force_login(anna := account())
    page = client.post(reverse("make_token"), {"name": "my bot"}).content.decode()
    secret = re.search(r"kadab_[\w-]{40,}", page)[0]
    assert tokens.player_of(secret) == anna
    assert secret not in client.get(reverse("account")).content.decode()
    assert "my bot" in client.get(reverse("account")).content.decode()
    assert secret not in str(ApiToken.objects.values())


def test_a_guest_may_have_tokens():
    guest = guests.new_guest("Wanderer")
    assert tokens.player_of(tokens.make(guest, "bot")[1]) == guest


@pytest.mark.parametrize(
    "secret", ["", "kadab_", "kadab_nonsense", None, 7, b"kadab_x", "kadab_" + "x" * 500, "kadab_\udc80"]
)
def test_what_is_no_token_is_nobodys(secret):
    tokens.make(account(), "bot")
    assert tokens.player_of(secret) is None


def test_the_token_of_a_closed_account_is_nobodys():
    anna = account()
    _, secret = tokens.make(anna, "bot")
    Player.objects.update(is_active=False)
    assert tokens.player_of(secret) is None


def test_when_a_token_was_last_used_is_noted_but_not_at_every_call(django_assert_num_queries):
    row, secret = tokens.make(account(), "bot")
    assert row.last_used_at is None
    tokens.player_of(secret)
    row.refresh_from_db()
    assert timezone.now() - row.last_used_at < timedelta(minutes=1)
    with django_assert_num_queries(1):
        tokens.player_of(secret)


def test_a_token_is_revoked_by_its_player_only(client):
    anna = account()
    row, secret = tokens.make(anna, "bot")
    client.force_login(account("Bob"))
    assert client.post(reverse("revoke_token", args=[row.pk])).status_code == 404
    assert client.post(reverse("revoke_token", args=[2**70])).status_code == 404
    assert tokens.player_of(secret) == anna
    client.force_login(anna)
    assert client.post(reverse("revoke_token", args=[row.pk])).status_code == 302
    assert tokens.player_of(secret) is None


def test_nobody_has_more_than_ten_tokens(client):
    client.force_login(anna := account())
    for n in range(10):
        tokens.make(anna, f"bot {n}")
    assert client.post(reverse("make_token"), {"name": "one more"}).status_code == 422
    with pytest.raises(ValidationError):
        tokens.make(anna, "one more")
    assert anna.api_tokens.count() == 10


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 31])
def test_a_token_needs_a_name(client, name):
    client.force_login(account())
    assert client.post(reverse("make_token"), {"name": name}).status_code == 422
    assert not ApiToken.objects.exists()


# ---- doors


PAGES = [
    *("account", "keep_games", "account_login", "account_signup", "account_logout", "account_inactive"),
    *("account_email", "account_email_verification_sent", "account_change_password", "account_set_password"),
    *("account_reset_password", "account_reset_password_done", "account_reset_password_from_key_done"),
    *("account_reauthenticate", "account_confirm_login_code"),
]


def visitor(kind):
    client = Client(enforce_csrf_checks=True)
    if kind == "guest":
        client.force_login(guests.new_guest("Wanderer"))
    if kind == "account":
        client.force_login(account())
    return client


@pytest.mark.parametrize("kind", ["stranger", "guest", "account"])
def test_no_get_changes_anything(kind, django_assert_num_queries):
    client = visitor(kind)
    before = list(Player.objects.values()), dict(client.session)
    for name in PAGES:
        assert client.get(reverse(name)).status_code in (200, 302)
    for path in [reverse("make_token"), reverse("revoke_token", args=[1])]:
        assert client.get(path).status_code in ((302,) if kind == "stranger" else (405,))
    assert (list(Player.objects.values()), dict(client.session)) == before
    assert not ApiToken.objects.exists()
    assert not sent()


@pytest.mark.parametrize("kind", ["stranger", "guest", "account"])
def test_no_post_without_its_csrf_token(kind):
    client = visitor(kind)
    for name in [*PAGES, "make_token"]:
        assert client.post(reverse(name), {"username": "x"}).status_code == 403
    assert client.post(reverse("revoke_token", args=[1])).status_code == 403


@pytest.mark.parametrize("kind", ["stranger", "guest", "account"])
def test_every_page_is_ours_and_holds_nothing_inline(kind):
    client = visitor(kind)
    for name in PAGES:
        answer = client.get(reverse(name))
        if answer.status_code == 200:
            page = answer.content.decode()
            assert '<header class="site-header">' in page, name
            assert not re.search(r"\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|<style", page), name


@pytest.mark.parametrize("kind", ["guest", "account"])
def test_pages_of_somebody_are_kept_by_no_cache(kind):
    client = visitor(kind)
    for name in ["account", "keep_games", "account_email", "account_change_password", "account_login"]:
        assert "no-store" in client.get(reverse(name)).headers["Cache-Control"], name


# ---- admin


def test_staff_find_players_and_see_no_token(client):
    client.force_login(account(is_staff=True, is_superuser=True))
    guest = guests.new_guest("Wanderer")
    row, _ = tokens.make(guest, "secret bot")
    assert "Wanderer" in client.get("/admin/players/player/?q=wander").content.decode()
    page = client.get(f"/admin/players/player/{guest.pk}/change/").content.decode()
    assert "Wanderer" in page
    assert row.digest not in page
    assert "secret bot" not in page


def test_staff_log_in_by_the_page_that_has_limits(client):
    assert client.get("/admin/login/").headers["Location"].startswith(reverse("account_login"))
    client.force_login(account())
    assert client.get("/admin/login/").status_code == 403


@pytest.mark.parametrize("age, told", [(timedelta(seconds=5), "just now"), (timedelta(minutes=2), "2\xa0minutes ago")])
def test_a_token_that_was_used_this_minute_was_used_just_now(client, age, told):
    anna = account()
    tokens.make(anna, "bot")
    ApiToken.objects.update(last_used_at=timezone.now() - age)
    client.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("account")).content.decode()
    assert f">{told}</time>" in page and "0\xa0minutes" not in page


def test_logging_out_is_not_said_to_give_up_games(client):
    """A guest's seats stay; only the way back is needed."""
    guest = guests.new_guest("Zoë")
    lobby.quick_invitation(guest, "gambit")
    client.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    page = client.post(reverse("account_logout")).content.decode()
    assert "give up" not in page and "You keep your seat, but" in page and "Log out, I have my return link<" in page
