"""From a table where nothing is to be done, a link leads to the next one that waits for its visitor."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests import tables
from tests.web.test_act import client_of

pytestmark = pytest.mark.django_db


def test_a_table_leads_to_the_next_one_that_waits_for_its_visitor():
    ann, bob = client_of("ann"), client_of("bob")
    first, second = tables.running("ann", "bob"), tables.running("ann", "bob")
    for game, other in ((first, second), (second, first)):
        asked = ann.get(reverse("waiting"), {"at": game.public_id}).json()
        assert asked == {"waiting": 2, "next": other.get_absolute_url()}
        assert f'href="{other.get_absolute_url()}">Next' in ann.get(game.get_absolute_url()).text
    tables.move(second, 0, "c2", "c3")
    assert ann.get(reverse("waiting"), {"at": first.public_id}).json() == {"waiting": 1, "next": ""}
    assert ann.get(reverse("waiting"), {"at": second.public_id}).json()["next"] == first.get_absolute_url()
    assert bob.get(reverse("waiting"), {"at": first.public_id}).json()["next"] == second.get_absolute_url()


def test_what_a_page_says_about_where_it_is_does_not_reach_the_database():
    """PostgreSQL takes no text with a NUL in it, and a request must not fail because of one."""
    game, ann = tables.running("ann", "bob"), client_of("ann")

    def look(execute, sql, params, many, context):
        assert not any(isinstance(each, str) and "\0" in each for each in params or ()), sql
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        asked = ann.get(reverse("waiting"), {"at": "\0"})
    assert asked.json() == {"waiting": 1, "next": game.get_absolute_url()}


def test_a_stranger_has_no_next_table():
    game = tables.running("ann", "bob")
    assert Client().get(reverse("waiting"), {"at": game.public_id}).json() == {"waiting": 0, "next": ""}
    assert "next-table" not in Client().get(game.get_absolute_url()).text
