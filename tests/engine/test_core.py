"""The core's own promises: dice that can be checked, strict parsing, a flow that resumes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from games.engine.core.actions import Action, Vocabulary
from games.engine.core.codec import FrameBook, decode, encode
from games.engine.core.dice import Dice, ScriptedDice, commit, draw, lp, mix
from games.engine.core.events import EVERYONE, Event, Told, audience
from games.engine.core.flow import Frame, RunawayFlow, run
from games.engine.core.offers import Exactly, OneOf, Some
from games.engine.core.refusals import IllegalAction, Reason, reasons
from games.engine.core.state import Counter as Piece
from games.engine.core.state import Seat, State, changes, rewound

# ---- dice


def test_no_two_lists_of_fields_spell_the_same_bytes():
    assert lp("ab", "c") != lp("a", "bc") != lp("abc")


def test_a_commitment_binds_the_seed_to_game_stream_and_rules():
    base = commit("dice", "g", "1", b"s" * 32)
    others = [("cup", "g", "1", b"s" * 32), ("dice", "h", "1", b"s" * 32), ("dice", "g", "2", b"s" * 32)]
    assert base not in {commit(*other) for other in [*others, ("dice", "g", "1", b"t" * 32)]}


def test_every_seats_entropy_changes_the_key():
    keys = {mix("dice", "g", "c", b"s", entropy) for entropy in (["", ""], ["x", ""], ["", "x"], ["x", "x"])}
    assert len(keys) == 4


def test_draws_are_as_published():
    """Vectors for whoever writes a checker: they must never change."""
    key = mix("dice", "game", commit("dice", "game", "1", b"\0" * 32), b"\0" * 32, ["", ""])
    assert [draw(key, "combat", n, 6) + 1 for n in range(8)] == [3, 1, 2, 5, 4, 1, 5, 1]


def test_faces_come_up_evenly():
    dice = Dice.seeded("even")
    faces = Counter(dice.throw("test", 12_000))
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(1800 < count < 2200 for count in faces.values())


def test_streams_and_purposes_are_independent():
    assert Dice.seeded("a").throw("x", 20) != Dice.seeded("a").throw("y", 20)
    dice = Dice.seeded("a")
    dice.pick("hidden", 100)
    assert dice.throw("x", 20) == Dice.seeded("a").throw("x", 20)


def test_draw_numbers_go_up_and_a_copy_goes_on_from_there():
    dice = Dice.seeded("a")
    first = dice.throw("x", 3)
    assert dice.numbers == (3, 0) and len(dice.drawn) == 3
    twin = dice.copy()
    assert twin.drawn == [] and twin.throw("x", 3) == dice.throw("x", 3) != first


def test_scripted_dice_show_what_is_written_and_fail_when_it_does_not_fit():
    assert ScriptedDice([6, 1]).throw("x", 2) == (6, 1)
    assert ScriptedDice([0]).pick("x", 3) == 0
    with pytest.raises(AssertionError, match="no face left"):
        ScriptedDice([]).throw("x")
    with pytest.raises(AssertionError, match="does not fit"):
        ScriptedDice([7]).throw("x")


# ---- actions


@dataclass(frozen=True)
class Pay(Action):
    do: ClassVar[str] = "pay"
    amount: int
    to: str
    counters: tuple[str, ...] = ()
    loudly: bool = False
    hex: str | None = None


WORDS = Vocabulary([Pay])


def test_a_well_formed_action_is_parsed_and_spelt_back():
    data = {"do": "pay", "amount": 3, "to": "bank", "counters": ["a", "b"], "loudly": True, "hex": None}
    action = WORDS.parse(data)
    assert action == Pay(3, "bank", ("a", "b"), True)
    assert action.plain() == data


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "pay",
        7,
        {},
        {"do": 3},
        {"do": "steal"},
        {"do": "pay"},
        {"do": "pay", "amount": "3", "to": "bank"},
        {"do": "pay", "amount": True, "to": "bank"},
        {"do": "pay", "amount": 3.0, "to": "bank"},
        {"do": "pay", "amount": 10**9, "to": "bank"},
        {"do": "pay", "amount": 3, "to": 4},
        {"do": "pay", "amount": 3, "to": "x" * 65},
        {"do": "pay", "amount": 3, "to": "a\0b"},
        {"do": "pay", "amount": 3, "to": "bank", "counters": "ab"},
        {"do": "pay", "amount": 3, "to": "bank", "counters": [1]},
        {"do": "pay", "amount": 3, "to": "bank", "counters": ["a"] * 65},
        {"do": "pay", "amount": 3, "to": "bank", "loudly": 1},
        {"do": "pay", "amount": 3, "to": "bank", "hex": 12},
        {"do": "pay", "amount": 3, "to": "bank", "extra": 1},
        {"do": "pay", "amount": None, "to": "bank"},
    ],
)
def test_anything_not_exactly_right_is_refused_with_what_is_wrong(data):
    with pytest.raises(IllegalAction) as refusal:
        WORDS.parse(data)
    assert refusal.value.code in ("malformed", "unknown_action")
    assert refusal.value.sentence


def test_one_code_means_one_thing():
    reasons(test_only=Reason("One thing."))
    with pytest.raises(ValueError, match="test_only"):
        reasons(test_only=Reason("Another."))


# ---- events


@dataclass(frozen=True)
class Drew(Event):
    says: ClassVar[str] = "{seat} draws {kind}."
    seat: int
    kind: str


def test_an_event_is_heard_by_its_audience_only():
    secret = Told(Drew(1, "elf"), audience(1))
    assert secret.heard_by(1) and not secret.heard_by(0) and not secret.heard_by(None)
    public = Told(Drew(1, "elf"), audience(EVERYONE))
    assert public.heard_by(0) and public.heard_by(None)
    with pytest.raises(ValueError):
        audience("somebody")


# ---- flow


@dataclass
class Outer(Frame):
    """Asks twice by way of a frame below, then ends."""

    got: list[int] = field(default_factory=list)
    last: int = 0
    steps: ClassVar[tuple[str, ...]] = ("ask", "keep", "again", "finish")

    def ask(self, state):
        state.call(Inner(), into="last")

    def keep(self, state):
        self.got.append(self.last)

    def again(self, state):
        if len(self.got) < 2:
            self.next = "ask"

    def finish(self, state):
        state.extras["got"] = self.got


@dataclass
class Inner(Frame):
    def offers(self, state):
        return {0: [Exactly(Pay(amount, "bank")) for amount in (1, 2)]}

    def on_pay(self, state, seat, action):
        self.leave(state, action.amount)


@dataclass
class Endless(Frame):
    steps: ClassVar[tuple[str, ...]] = ("again",)

    def again(self, state):
        self.next = "again"


FRAMES = FrameBook([Outer, Inner, Endless])


def fresh(frame: Frame) -> State:
    state = State(game="t", options={}, dice=Dice.seeded("t"), seats={0: Seat(0)})
    state.call(frame)
    return state


def test_a_frame_calls_another_and_gets_its_result_back():
    state = fresh(Outer())
    for amount in (2, 1):
        run(state)
        assert [frame.name() for frame in state.flow] == ["outer", "inner"]
        state.flow[-1].on_pay(state, 0, Pay(amount, "bank"))
    run(state)
    assert state.flow == [] and state.extras["got"] == [2, 1]


def test_a_flow_stored_in_the_middle_goes_on_where_it_was():
    state = fresh(Outer())
    run(state)
    state.flow[-1].on_pay(state, 0, Pay(2, "bank"))
    run(state)
    again = decode(encode(state), FRAMES, Dice.seeded("t"))
    again.flow[-1].on_pay(again, 0, Pay(1, "bank"))
    run(again)
    assert again.extras["got"] == [2, 1]


def test_a_flow_that_never_asks_anybody_is_stopped():
    with pytest.raises(RunawayFlow, match="endless"):
        run(fresh(Endless()))


def test_a_copied_frame_shares_nothing():
    frame = Outer(got=[1])
    twin = frame.copy()
    twin.got.append(2)
    assert frame.got == [1] and twin == Outer(got=[1, 2])


# ---- state


def test_changes_hold_old_and_new_of_what_differs_and_nothing_else():
    before = State(game="t", options={}, dice=Dice.seeded("t"), seats={0: Seat(0, gold=5), 1: Seat(1)})
    before.counters[7] = Piece(7, "elf", "h1", owner=0)
    before.extras = {"turn": 1, "same": [1]}
    after = before.copy()
    after.change_seat(0, gold=3)
    after.change_counter(7, place="h2")
    after.extras["turn"] = 2
    assert changes(before, after) == {
        "seats": {"0": {"gold": [5, 3]}},
        "counters": {"7": {"place": ["h1", "h2"]}},
        "extras": {"turn": [1, 2]},
    }
    assert before.seats[0].gold == 5 and before.counters[7].place == "h1"


def test_going_back_keeps_draw_numbers_and_revisions_going_forward():
    past = State(game="t", options={}, dice=Dice.seeded("t"))
    now = past.copy()
    now.dice.throw("x", 4)
    now.actions, now.serial = 9, 3
    again = rewound(past, now)
    assert (again.dice.numbers, again.actions, again.serial, again.era) == ((4, 0), 9, 3, 1)


# ---- offers


def test_an_offer_of_one_of_several_holds_these_and_no_others():
    offer = OneOf(Pay, "amount", (1, 2), {"to": "bank"})
    assert Pay(2, "bank") in offer
    assert Pay(3, "bank") not in offer and Pay(2, "ben") not in offer and "pay" not in offer
    assert all(offer.sample(Dice.seeded(str(n))) in offer for n in range(20))


def test_an_offer_of_some_holds_each_once_within_its_limits():
    offer = Some(Pay, "counters", ("a", "b", "c"), least=1, most=2, fixed={"amount": 1, "to": "bank"})
    assert Pay(1, "bank", ("c", "a")) in offer
    for wrong in ((), ("a", "a"), ("a", "b", "c"), ("d",)):
        assert Pay(1, "bank", wrong) not in offer
    even = Some(Pay, "counters", ("a", "b", "c"), even=True, fixed={"amount": 1, "to": "bank"})
    assert Pay(1, "bank", ("a",)) not in even and Pay(1, "bank", ("a", "b")) in even
    assert all(
        offer.sample(Dice.seeded(str(n))) in offer and even.sample(Dice.seeded(str(n))) in even for n in range(20)
    )


def test_offers_are_told_as_plain_values():
    assert OneOf(Pay, "amount", (1, 2), {"to": "bank"}).plain()["choices"] == [1, 2]
    assert Some(Pay, "counters", ("a", "b"), most=9).plain()["most"] == 2
