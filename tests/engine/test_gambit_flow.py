"""Gambit at the table: whose turn, wishes and answers, and every way it can end."""

from __future__ import annotations

import pytest

from games.engine.core.dice import Dice, ScriptedDice
from games.engine.core.refusals import IllegalAction
from games.engine.core.replay import Run
from games.engine.gambit import GAMBIT, actions
from games.engine.gambit.actions import Move


def table(position: str = "", *, first: int = 1) -> Run:
    """A game from a position; without one, from the start with light (1) or dark (2) moving first."""
    return Run.fresh(GAMBIT, 2, {"position": position} if position else {}, ScriptedDice([first]))


def play(run: Run, *moves: str) -> Run:
    for text in moves:
        source, target = text.split("-")
        run.act(run.state.extras["turn"], Move(source, target))
    return run


def refusal(run: Run, seat: int, action) -> IllegalAction:
    with pytest.raises(IllegalAction) as refused:
        run.act(seat, action)
    return refused.value


def names(run: Run) -> list[str]:
    return [told.event.name() for step in run.steps for told in step.progress.told]


# ---- turns


@pytest.mark.parametrize("face, side", [(1, 0), (2, 1)])
def test_a_die_says_who_moves_first(face, side):
    assert GAMBIT.asked(table(first=face).state) == (side,)


def test_the_sides_move_in_turn():
    run = play(table(), "a2-a3")
    assert GAMBIT.asked(run.state) == (1,)
    assert play(run, "a9-b8").state.extras["turn"] == 0


def test_the_set_up_is_the_books():
    state = table().state
    on = {c.place: (c.kind, c.owner) for c in state.counters.values()}
    assert len(on) == 40
    assert on["e1"] == ("castle", 0) and on["f1"] == ("paladin", 0)
    assert on["f10"] == ("castle", 1) and on["e10"] == ("paladin", 1)
    assert on["a2"] == ("soldier", 0) and on["b2"] == ("elf", 0)
    assert on["a9"] == ("elf", 1) and on["b9"] == ("soldier", 1)


@pytest.mark.parametrize(
    "light, faces, seats",
    [("host", [], (0, 1)), ("guest", [], (1, 0)), ("random", [1], (0, 1)), ("random", [2], (1, 0))],
)
def test_the_table_chooses_who_plays_light(light, faces, seats):
    assert GAMBIT.seating(2, {"light": light}, ScriptedDice(faces)) == seats


# ---- refusals say why


@pytest.mark.parametrize(
    "seat, move, code",
    [
        (1, "a9-b8", "not_asked"),
        (0, "a9-b8", "not_your_piece"),
        (0, "e5-e6", "empty_square"),
        (0, "e1-e2", "castle_stays"),
        (0, "a1-a2", "own_piece"),
        (0, "a2-a5", "not_its_move"),
        (0, "z2-a5", "no_such_square"),
        (0, "a2-a11", "no_such_square"),
    ],
)
def test_a_refused_move_says_why(seat, move, code):
    run = table()
    assert refusal(run, seat, Move(*move.split("-"))).code == code
    assert run.steps == []


def test_a_lesser_piece_is_told_that_a_giant_is_too_large():
    run = table("5c4/10/10/10/10/4t5/4S5/10/10/4C5 w 0 1")
    refused = refusal(run, 0, Move("e4", "e5"))
    assert (refused.code, refused.rule) == ("too_small", "G8")
    assert "Ogre" in refused.sentence


@pytest.mark.parametrize(
    "position, move, code, says",
    [
        # An Elf's way runs over b3, a Knight's over e4; a Griffin flies over the Elf, not over the Ogre.
        ("5c4/10/10/10/10/10/10/1s8/E9/4C5 w 0 1", "a2-c4", "in_its_way", "the Skeleton on b3"),
        ("5c4/10/10/10/4s5/10/4E5/4N5/10/4C5 w 0 1", "e3-e5", "in_its_way", "the Elf on e4"),
        ("5c4/10/10/10/10/4t5/4e5/4G5/10/4C5 w 0 1", "e3-e6", "in_its_way", "the Ogre on e5"),
        ("5c4/10/10/10/10/10/10/s9/S9/4C5 w 0 1", "a2-a4", "in_its_way", "the Skeleton on a3"),
        ("5c4/10/10/10/10/10/s9/10/S9/4C5 w 0 1", "a2-a4", "two_steps_take_nothing", "a4 isn’t one"),
        ("5c4/10/10/10/10/10/10/10/E9/4C5 w 0 1", "a2-a3", "not_its_move", "doesn’t move that way"),
    ],
)
def test_a_piece_that_cannot_get_there_is_told_what_keeps_it(position, move, code, says):
    refused = refusal(table(position), 0, Move(*move.split("-")))
    assert refused.code == code and says in refused.sentence


# ---- ends


def test_taking_the_castle_wins_at_once():
    run = play(table("5c4/10/10/10/10/10/10/10/5P4/4C5 w 0 1"), "f2-f10")
    assert run.state.result.winners == (0,) and run.state.result.how == "castle"
    assert GAMBIT.asked(run.state) == () and names(run) == ["moved", "took", "won"]


def test_whoever_cannot_move_loses():
    run = play(table("5c4/10/10/10/10/10/10/10/5P4/4C5 w 0 1"), "f2-f3")
    assert run.state.result.winners == (0,) and run.state.result.how == "no_move"


def test_the_same_position_for_the_third_time_is_a_draw():
    run = table("5c4/9p/10/10/10/10/10/10/P9/4C5 w 0 1")
    for _ in range(2):
        assert run.state.result is None
        play(run, "a2-a3", "j9-j8", "a3-a2", "j8-j9")
    assert run.state.result.winners == () and run.state.result.how == "repetition"


def test_the_same_pieces_with_the_other_side_to_move_are_another_position():
    run = table("5c4/9p/10/10/10/10/10/10/P9/4C5 w 0 1")
    # The Paladin loses a move by going round a triangle, so that dark is to move in the same picture.
    play(run, "a2-a3", "j9-j8", "a3-b3", "j8-j9", "b3-a2", "j9-j8", "a2-a3", "j8-j9", "a3-b3", "j9-j8")
    assert run.state.result is None


def test_a_hundred_quiet_moves_by_each_side_are_a_draw():
    run = table("5c4/9p/10/10/10/10/10/10/P9/4C5 w 199 150")
    play(run, "a2-a3")
    assert run.state.result.how == "quiet"


def test_a_capture_starts_the_quiet_count_anew():
    run = table("5c4/9p/10/10/10/10/10/n9/P9/4C5 w 199 150")
    play(run, "a2-a3")
    assert run.state.result is None and run.state.extras["quiet"] == 0


def test_a_player_may_resign_even_when_it_is_not_his_turn():
    run = table()
    run.act(1, actions.Resign())
    assert run.state.result.winners == (0,) and run.state.result.how == "resigned"
    assert refusal(run, 0, Move("a2", "a3")).code == "over"


# ---- draws by agreement


def test_a_draw_offered_and_accepted_ends_the_game():
    run = table()
    run.act(0, actions.OfferDraw())
    run.act(1, actions.AcceptDraw())
    assert run.state.result.winners == () and run.state.result.how == "agreed"


def test_nobody_accepts_a_draw_that_was_not_offered_or_his_own():
    run = table()
    assert refusal(run, 1, actions.AcceptDraw()).code == "no_such_wish"
    run.act(0, actions.OfferDraw())
    assert refusal(run, 0, actions.AcceptDraw()).code == "no_such_wish"


def test_moving_declines_the_others_draw_offer_but_keeps_ones_own():
    run = table()
    run.act(0, actions.OfferDraw())
    play(run, "a2-a3")
    assert run.state.extras["wishes"] == ["0:draw"]
    play(run, "a9-b8")
    assert run.state.extras["wishes"] == []


def test_a_draw_is_offered_once_between_two_own_moves():
    run = table()
    run.act(0, actions.OfferDraw())
    run.act(1, actions.DeclineDraw())
    assert refusal(run, 0, actions.OfferDraw()).code == "asked_before"
    play(run, "a2-a3")
    run.act(0, actions.OfferDraw())


def test_a_draw_offer_does_not_make_the_others_move_stale():
    run = table()
    before = GAMBIT.decision(run.state, 0)
    run.act(1, actions.OfferDraw())
    assert GAMBIT.decision(run.state, 0) == before


# ---- taking back


def test_a_move_is_taken_back_by_consent_before_it_is_answered():
    run = play(table(), "a2-a3")
    run.act(0, actions.AskTakeBack())
    run.act(1, actions.AllowTakeBack())
    assert GAMBIT.view(run.state, 0).position == GAMBIT.view(run.states[0], 0).position
    assert GAMBIT.asked(run.state) == (0,) and run.state.extras["wishes"] == []


def test_after_the_answer_both_moves_are_taken_back():
    run = play(table(), "a2-a3", "a9-b8")
    run.act(0, actions.AskTakeBack())
    run.act(1, actions.AllowTakeBack())
    assert GAMBIT.view(run.state, 0).position == GAMBIT.view(run.states[0], 0).position


def test_a_taken_piece_comes_back():
    run = play(table("5c4/9p/10/10/10/10/10/n9/P9/4C5 w 0 1"), "a2-a3")
    run.act(0, actions.AskTakeBack())
    run.act(1, actions.AllowTakeBack())
    assert GAMBIT.view(run.state, 0).position.startswith("5c4/9p/10/10/10/10/10/n9/P9/4C5 w 0")


def test_the_question_after_a_take_back_is_a_new_one():
    """An answer from before, sent again, must not count for the same position met again."""
    run = table()
    before = GAMBIT.decision(run.state, 0)
    play(run, "a2-a3")
    run.act(0, actions.AskTakeBack())
    run.act(1, actions.AllowTakeBack())
    assert GAMBIT.decision(run.state, 0) != before


def test_a_refused_take_back_changes_nothing_and_may_not_be_repeated_at_once():
    run = play(table(), "a2-a3")
    run.act(0, actions.AskTakeBack())
    run.act(1, actions.DeclineTakeBack())
    assert GAMBIT.asked(run.state) == (1,)
    assert refusal(run, 0, actions.AskTakeBack()).code == "asked_before"


def test_whoever_has_not_moved_has_nothing_to_take_back():
    run = play(table(), "a2-a3")
    assert refusal(run, 1, actions.AskTakeBack()).code == "nothing_to_take_back"


# ---- the view


def test_a_castle_that_could_be_taken_is_pointed_out():
    view = GAMBIT.view(table("5c4/10/10/10/10/10/10/10/5P4/4C5 w 0 1").state, 1)
    assert view.threatened == ((1, ("f2",)),)


def test_promotion_is_told_and_seen():
    run = play(table("5c4/S9/10/10/10/10/10/10/9p/4C5 w 0 1"), "a9-a10")
    assert "promoted" in names(run)
    assert any(c.kind == "promoted" and c.place == "a10" for c in GAMBIT.view(run.state, None).counters)


@pytest.mark.parametrize(
    "text", ["nonsense", "10/10/10/10/10/10/10/10/10/10 w 0 1", "5c4/10/10/10/10/10/10/10/10/4C5 w 0 1"]
)
def test_a_position_nobody_could_play_is_refused(text):
    with pytest.raises(IllegalAction) as refused:
        GAMBIT.setup("t", 2, {"position": text}, Dice.seeded("t"))
    assert refused.value.code == "bad_position"


def test_an_option_that_does_not_exist_is_refused():
    for options in ({"nothing": "x"}, {"light": "me"}, {"light": 3}, {"position": 5}):
        with pytest.raises(IllegalAction):
            GAMBIT.setup("t", 2, options, Dice.seeded("t"))


def test_what_a_bot_imagines_fits_its_view():
    run = play(table(), "a2-a3", "a9-b8")
    view = GAMBIT.view(run.state, 0)
    imagined = GAMBIT.view(GAMBIT.imagine(view, Dice.seeded("x")), 0)
    assert (imagined.position, imagined.seen, imagined.turn) == (view.position, view.seen, view.turn)
