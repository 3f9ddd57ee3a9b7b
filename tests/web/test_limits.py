"""kadab.limits: counting, and whose address counts."""

import pytest
import time_machine
from django.core.cache import cache
from django.test import RequestFactory

from kadab import limits

NOON = 1_700_000_000 // 3600 * 3600


def address(forwarded: str | None = None, remote: str = "10.0.0.1") -> str:
    headers = {} if forwarded is None else {"x-forwarded-for": forwarded}
    return limits.address_of(RequestFactory().get("/", headers=headers, REMOTE_ADDR=remote))


def test_as_many_as_allowed_and_no_more_each_key_for_itself():
    answers = [limits.allow("mail", "10.0.0.1", most=3, seconds=60) for _ in range(5)]
    assert answers == [True, True, True, False, False]
    assert limits.allow("mail", "10.0.0.2", most=3, seconds=60)
    assert limits.allow("past", "10.0.0.1", most=3, seconds=60)


def test_a_new_span_begins_at_zero_and_says_when():
    with time_machine.travel(NOON, tick=False) as clock:
        assert limits.allow("mail", "x", most=1, seconds=60)
        clock.shift(59)
        assert not limits.allow("mail", "x", most=1, seconds=60)
        assert limits.seconds_left(60) == 1
        clock.shift(1)
        assert limits.seconds_left(60) == 60
        assert limits.allow("mail", "x", most=1, seconds=60)


def test_any_text_can_be_a_key():
    assert limits.allow("mail", "a b\n" * 1000 + "\udc80", most=1, seconds=60)
    assert not limits.allow("mail", "a b\n" * 1000 + "\udc80", most=1, seconds=60)


def test_a_counter_that_was_dropped_refuses_nobody(monkeypatch):
    monkeypatch.setattr(cache, "add", lambda *args, **kwargs: None)
    assert limits.allow("mail", "x", most=1, seconds=60)


@pytest.mark.parametrize(
    "proxies, forwarded, counted",
    [
        (0, None, "10.0.0.1"),
        (0, "1.1.1.1", "10.0.0.1"),
        (1, "1.1.1.1", "1.1.1.1"),
        (1, "9.9.9.9, 1.1.1.1", "1.1.1.1"),
        (2, "9.9.9.9, 1.1.1.1, 10.0.0.2", "1.1.1.1"),
        (1, "nonsense", "10.0.0.1"),
        (1, "", "10.0.0.1"),
        (2, "1.1.1.1", "10.0.0.1"),
    ],
)
def test_a_forwarded_address_counts_only_where_a_trusted_proxy_wrote_it(settings, proxies, forwarded, counted):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    assert address(forwarded) == counted


def test_addresses_of_one_ipv6_network_count_as_one():
    assert address(remote="2001:db8:1:2:aaaa::1") == address(remote="2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert address(remote="2001:db8:1:3::1") != address(remote="2001:db8:1:2::1")
    assert address(remote="::ffff:10.0.0.1") == "10.0.0.1"
