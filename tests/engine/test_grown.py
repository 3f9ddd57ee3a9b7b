"""Sequences that share what they hold: whatever grows out of one of them, that one stays what it was."""

from __future__ import annotations

from games.engine.core.grown import Grown, beyond


def test_what_is_added_shows_in_the_longer_one_only():
    short = Grown("ab")
    longer = short.plus("c")
    assert list(short) == ["a", "b"] and len(short) == 2
    assert list(longer) == ["a", "b", "c"] and longer[-1] == "c" and short[-1] == "b"


def test_two_that_grow_out_of_one_do_not_meet():
    short = Grown("ab")
    one, other = short.plus("c"), short.plus("d")
    assert list(one) == ["a", "b", "c"] and list(other) == ["a", "b", "d"]
    assert list(one.plus("e")) == ["a", "b", "c", "e"] and list(other) == ["a", "b", "d"]


def test_it_reads_like_a_tuple_of_its_own_length():
    whole = tuple("abcdef")
    grown = Grown("abc").plus("def")
    grown.plus("g")  # which is none of ours
    for part in (slice(None), slice(2, None), slice(-2, None), slice(None, -1), slice(4, 99), slice(3, 1)):
        assert grown[part] == whole[part]
    assert list(reversed(grown)) == list(reversed(whole))
    assert "f" in grown and "g" not in grown and grown.index("e") == 4
    assert bool(grown) and not Grown()


def test_equal_ones_hold_the_same():
    grown = Grown("ab").plus("c")
    assert grown == Grown("abc") and grown != Grown("abd") and grown != Grown("ab") and grown != grown.plus("d")


def test_what_is_beyond_another_one():
    short = Grown("ab")
    longer = short.plus("cd")
    assert beyond(longer, short) == ("c", "d") and beyond(longer, longer) == ()
    assert beyond(short, longer) is None, "it is shorter"
    assert beyond(Grown("abcd"), short) == ("c", "d"), "equal, though nothing is shared"
    assert beyond(Grown("axcd"), short) is None
    assert beyond(tuple("abc"), tuple("ab")) == ("c",) and beyond(tuple("xbc"), short) is None
