"""People play in real browsers: strangers, friends, two at one screen, with mouse, finger and keys."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser import NEARLY_WON, PHONE, People, Table

pytestmark = pytest.mark.browser


# ---- from the front door to a game


def test_a_stranger_plays_a_bot_within_a_minute(people: People):
    began = time.monotonic()
    stranger = people.come()
    table = stranger.plays_a_bot("Stranger")
    page = stranger.page
    expect(page).to_have_url(re.compile(r"/tables/[\w-]{10,}/$"))
    expect(table.prompt).to_contain_text("Your move")  # if the bot begins, it has moved by itself
    expect(page).to_have_title("(●) Your turn – Gambit of Kings")
    assert len(table.board()) == 40
    before = table.moves.count()
    source, target = first_move_on_offer(table)
    table.choose(source)
    expect(page.locator(".square.target")).not_to_have_count(0)
    table.square(target).click()
    expect(table.moves).to_have_count(before + 2)  # the bot has answered by itself
    expect(table.prompt).to_contain_text("Your move")
    assert time.monotonic() - began < 60


def first_move_on_offer(table: Table) -> tuple[str, str]:
    line = table.page.locator("#offers [data-from]").first
    return line.get_attribute("data-from") or "", (line.get_attribute("data-targets") or "").split()[0]


def test_a_friend_joins_by_link_and_they_play_until_a_castle_falls(people: People):
    host, friend = people.come(), people.come()
    host.opens_a_table("Anna", position=NEARLY_WON)
    expect(host.page.locator("#seats-h")).to_be_visible()
    friend.accepts(host.invitation, "Ben")
    anna, ben = host.at_table(), friend.at_table()  # the host's page goes to the table by itself
    expect(anna.page.locator("#player-top")).to_contain_text("Ben")
    expect(ben.page.locator("#player-bottom")).to_contain_text("Ben")
    assert anna.url == ben.url

    stays = [mark_the_page(each.page) for each in (anna, ben)]
    for each in (anna, ben):
        each.hears_by_socket_only()
    for mover, watcher, move in ((anna, ben, "g1-f1"), (ben, anna, "a9-a8")):
        mover.play(move)
        watcher.has_seen(move)
        target = move.split("-")[1]
        assert mover.in_svg(target) and watcher.in_svg(target)
        assert mover.board() == watcher.board()
    expect(anna.prompt).to_contain_text("You can take the Castle with the Paladin on f1!")
    expect(ben.prompt).to_contain_text("Your Castle can be taken by the Paladin on f1.")
    anna.play("f1-f10")
    ben.has_seen("f1-f10")
    expect(anna.prompt).to_contain_text("You win!")
    expect(ben.prompt).to_contain_text("Anna wins")
    expect(ben.prompt).to_contain_text("Your Castle has fallen.")
    assert all(still() for still in stays), "a page was loaded again"

    first = anna.url
    anna.button("Rematch").click()
    expect(ben.page.get_by_text("Anna asks for a rematch.")).to_be_visible()
    ben.button("Accept").click()
    for each in (host, friend):
        expect(each.page).not_to_have_url(first)
        each.at_table()
    assert anna.url == ben.url


def mark_the_page(page: Page):
    """A mark in the page's memory, gone when the page is loaded again."""
    page.evaluate("globalThis.stillHere = true")
    return lambda: page.evaluate("globalThis.stillHere === true")


# ---- hands


def test_a_piece_can_be_dragged_with_the_mouse(people: People):
    anna, ben = people.at_a_table()
    drag_with_mouse(anna, "b2", "b4")  # an Elf moves on diagonals only
    assert anna.board()["b2"] == "elf-light"
    drag_with_mouse(anna, "a2", "a4")
    anna.has_seen("a2-a4")
    ben.has_seen("a2-a4")
    expect(anna.page.locator(".ghost")).to_have_count(0)


def drag_with_mouse(table: Table, source: str, target: str) -> None:
    mouse = table.page.mouse
    mouse.move(*middle(table, source))
    mouse.down()
    mouse.move(*middle(table, target), steps=6)
    expect(table.page.locator(".ghost")).to_have_count(1)
    mouse.up()


def middle(table: Table, name: str) -> tuple[float, float]:
    box = table.square(name).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_piece_can_be_dragged_with_a_finger(people: People):
    anna = people.come(**PHONE)
    anna.opens_a_table("Anna", second="same_device", second_name="Ben")
    anna.page.get_by_role("button", name="I am Anna").click()
    table = anna.at_table()
    table.square("a4").scroll_into_view_if_needed()
    finger = anna.context.new_cdp_session(anna.page)
    for kind, at in (("touchStart", "a2"), ("touchMove", "a3"), ("touchMove", "a4"), ("touchEnd", None)):
        points = [] if at is None else [dict(zip("xy", middle(table, at)))]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(anna.page.get_by_role("button", name="I am Ben")).to_be_visible()  # the move was made


def test_keys_alone_play_a_move(people: People):
    anna, ben = people.at_a_table()
    keys = anna.page.keyboard
    anna.page.locator("#board [tabindex='0']").focus()
    start = focused(anna)
    assert start in anna.board()
    go_by_keys(anna, start, "a2")
    assert shows_focus(anna, "a2")
    keys.press("Enter")
    expect(anna.square("a2")).to_have_class(re.compile("selected"))
    expect(anna.square("a4")).to_have_class(re.compile("target"))
    expect(anna.page.locator("#spoken")).to_contain_text("light Soldier: can go to")
    keys.press("Escape")
    expect(anna.page.locator(".selected, .target")).to_have_count(0)
    keys.press("Enter")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("Enter")
    anna.has_seen("a2-a4")
    ben.has_seen("a2-a4")
    assert focused(anna) == "a4"  # the hand stays where it was


def go_by_keys(table: Table, start: str, end: str) -> None:
    columns, rows = ord(end[0]) - ord(start[0]), int(end[1:]) - int(start[1:])
    for _ in range(abs(columns)):
        table.page.keyboard.press("ArrowRight" if columns > 0 else "ArrowLeft")
    for _ in range(abs(rows)):
        table.page.keyboard.press("ArrowUp" if rows > 0 else "ArrowDown")
    assert focused(table) == end


def focused(table: Table) -> str:
    return table.page.evaluate("document.activeElement.dataset.square ?? ''")


def shows_focus(table: Table, name: str) -> bool:
    """Some part of the focused square is drawn differently from its neighbour that has no focus."""
    drawn = """g => ["", ...g.children].map((child) => {
        const {outlineStyle, outlineWidth, stroke, strokeWidth, opacity} = getComputedStyle(child || g);
        return [outlineStyle, outlineWidth, stroke, strokeWidth, opacity].join();
    }).join("|")"""
    other = "c2"
    return table.square(name).evaluate(drawn) != table.square(other).evaluate(drawn)


def test_moves_can_be_typed_and_picked_from_a_list(people: People):
    anna, ben = people.at_a_table()
    people.watch.forgive("status of 422", "status of 400")
    anna.tab("Text")
    field = anna.page.get_by_label("Type a move, such as e2-e4")
    field.fill("a2-a9")
    field.press("Enter")
    expect(anna.refusal).to_contain_text("The Soldier on a2 can’t reach a9")
    field.fill("rubbish")
    field.press("Enter")
    expect(anna.refusal).to_contain_text("type a move like e2-e4")
    field.fill("a2 a4")
    field.press("Enter")
    anna.has_seen("a2-a4")
    expect(anna.refusal).to_be_empty()
    expect(field).to_have_value("")
    ben.tab("Text")
    ben.page.get_by_text("Your moves").click()
    ben.page.locator("#offers [data-from=b9]").get_by_role("button", name="b7").click()
    anna.has_seen("b9-b7")
    expect(anna.page.locator("#as-text")).to_contain_text("Skeleton b7")


# ---- one screen, two people


def test_the_hand_over_page_hides_everything_of_the_other_seat(people: People):
    anna = people.come()
    anna.opens_a_table("Anna", second="same_device", second_name="Ben")
    hands_over_to(anna.page, "Anna", hidden="Ben")
    anna.page.get_by_role("button", name="I am Anna").click()
    anna.at_table().choose("a2")
    anna.page.locator("#sq-a4").click()
    hands_over_to(anna.page, "Ben", hidden="Anna")
    url = re.sub("hand-over/$", "", anna.page.url)
    while is_at_a_table(anna.page):  # back and back, to the form that opened the table
        shows_nothing_of_a_game(anna.page)
        anna.page.evaluate("history.back()")
        anna.page.wait_for_timeout(500)
    for path in (url, f"{url}at/1/", f"{url}export/"):
        answer = anna.page.goto(path)
        assert answer.url.endswith("/hand-over/")  # at once: the table's page is not even sent
        hands_over_to(anna.page, "Ben", hidden="Anna")
    anna.page.get_by_role("button", name="I am Ben").click()
    table = anna.at_table()
    expect(table.page.locator("#player-bottom")).to_contain_text("Ben")
    table.has_seen("a2-a4")
    assert table.square("a10").bounding_box()["y"] > table.square("a1").bounding_box()["y"]  # Ben's side is below


def is_at_a_table(page: Page) -> bool:
    return re.search(r"/tables/[\w-]{8,}/", page.url) is not None


def hands_over_to(page: Page, name: str, hidden: str) -> None:
    expect(page).to_have_url(re.compile("/hand-over/$"))
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    shows_nothing_of_a_game(page)
    assert hidden not in page.locator("main").inner_html()


def shows_nothing_of_a_game(page: Page) -> None:
    assert page.locator("#board, #moves, #log, #talk, .piece, .square").count() == 0


# ---- looking on, looking back


def test_a_spectator_sees_moves_at_once_and_can_do_nothing(people: People):
    anna, ben = people.at_a_table(visible="everyone")
    carl, dora = people.come(), people.come()
    carl.plays_a_bot("Carl")  # carl has a name now
    watching, looking_in = carl.watches(anna), dora.watches(anna)
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    for each in (watching, looking_in):
        each.has_seen("a2-a4")
        expect(each.prompt).to_contain_text("Ben is to move")
        expect(each.page.locator("#offers *, #actions *, #move-form, .movable")).to_have_count(0)
        each.square("b9").click()
        expect(each.page.locator(".selected, .target")).to_have_count(0)
    anna.say("Good luck, Ben")
    watching.say("My money is on Anna")
    expect(ben.page.locator("#talk")).to_contain_text("Good luck, Ben")
    expect(looking_in.page.locator("#talk")).to_contain_text("My money is on Anna")
    ben.say("Same to you")
    expect(anna.talk).to_have_count(2)
    expect(anna.page.locator("#talk")).not_to_contain_text("My money")
    expect(watching.talk).to_have_count(1)
    expect(looking_in.page.locator("#chat-form")).to_have_count(0)  # no name, no talk


def test_stepping_through_the_moves_keeps_its_place_while_the_game_goes_on(people: People):
    anna, ben = people.at_a_table()
    anna.play("a2-a4")
    ben.play("b9-b7")
    past = ben.page.locator("#past")
    ben.button("First position").click()
    expect(past).to_contain_text("Before the first move")
    ben.button("One move on").click()
    expect(past).to_contain_text("After move 1")
    assert pieces_in_the_past(ben) == 40
    anna.has_seen("b9-b7")
    anna.play("a4-a5")
    expect(ben.moves).to_have_count(3)
    expect(past).to_contain_text("After move 1")  # the place is kept
    expect(ben.page.locator("#moves [aria-current]")).to_have_text("Sa2-a4")
    expect(ben.prompt).to_contain_text("Your move")  # and what matters is told
    ben.page.get_by_role("button", name="Back to now").last.click()
    expect(past).to_be_empty()
    ben.has_seen("a4-a5")
    ben.page.keyboard.press("Home")
    expect(past).to_contain_text("Before the first move")
    ben.page.keyboard.press("Escape")
    expect(past).to_be_empty()
    ben.play("b7-b6")  # the live board is itself again
    anna.has_seen("b7-b6")


def pieces_in_the_past(table: Table) -> int:
    return table.page.locator("#past .piece").count()


# ---- second thoughts


def test_a_move_is_taken_back_by_consent_and_a_draw_can_be_declined(people: People):
    anna, ben = people.at_a_table()
    expect(anna.button("Take back")).to_be_disabled()
    anna.play("a2-a4")
    anna.button("Take back").click()
    expect(ben.prompt).to_contain_text("Anna has asked to take back the last move.")
    ben.button("Allow").click()
    for each in (anna, ben):
        expect(each.moves).to_have_count(0)
        assert "a2" in each.board() and "a4" not in each.board()
    expect(anna.prompt).to_contain_text("Your move")
    anna.play("c2-c4")
    ben.has_seen("c2-c4")
    ben.button("Draw").click()
    expect(anna.prompt).to_contain_text("Ben has offered a draw.")
    anna.button("Decline").click()
    expect(ben.prompt).not_to_contain_text("offered a draw")
    expect(ben.button("Draw")).to_be_disabled()  # once between two moves
    expect(ben.prompt).to_contain_text("Your move")


def test_a_draw_is_agreed(people: People):
    anna, ben = people.at_a_table()
    anna.button("Draw").click()
    ben.button("Accept").click()
    for each in (anna, ben):
        expect(each.prompt).to_contain_text("A draw")
        expect(each.page.locator("#actions *, .movable")).to_have_count(0)


def test_whoever_resigns_is_asked_first(people: People):
    anna, ben = people.at_a_table()
    dialogue = anna.page.get_by_role("dialog")
    anna.button("Resign").click()
    expect(dialogue).to_contain_text("Ben wins, and the game is over.")
    dialogue.get_by_role("button", name="Play on").click()
    expect(dialogue).to_be_hidden()
    anna.play("a2-a4")
    anna.button("Resign").click()
    dialogue.get_by_role("button", name="Resign").click()
    expect(anna.prompt).to_contain_text("Ben wins")
    expect(ben.prompt).to_contain_text("You win!")
    expect(dialogue).to_be_hidden()


# ---- names, and the way back


def test_a_guest_who_lost_the_cookie_comes_back_by_the_return_link(people: People):
    anna, ben = people.at_a_table()
    people.watch.forgive("status of 404")
    url, page = ben.url, ben.page
    page.get_by_text("Your return link to this seat").click()
    link = page.get_by_label("Your return link").input_value()
    page.goto("about:blank")
    ben.person.context.clear_cookies()
    assert page.goto(url).status == 404  # a private table is not there for strangers
    page.goto(link)
    assert page.request.get(url).status == 404  # opening the link does nothing yet
    page.get_by_role("button", name="Continue as Ben").click()
    expect(page).to_have_url(url)
    ben = ben.person.at_table()
    anna.play("a2-a4")
    ben.has_seen("a2-a4")
    ben.play("b9-b7")
    anna.has_seen("b9-b7")


NASTY_NAME = "<b>x</b>\"'&amp;</script>"
NASTY_LINE = "<img src=x onerror=alert(1)> <b>bold</b> </div></script> \"'&lt; {{ 7 }} <svg onload=alert(2)>"


def test_names_and_talk_are_shown_as_they_were_typed(people: People):
    anna, ben = people.at_a_table(friend=NASTY_NAME, visible="everyone")
    expect(anna.page.locator("#player-top bdi")).to_have_text(NASTY_NAME)
    expect(anna.page).to_have_title(re.compile(re.escape("Your turn")))
    expect(ben.page).to_have_title(f"Anna v. {NASTY_NAME} – Gambit of Kings")
    ben.say(NASTY_LINE)
    expect(anna.talk.locator("bdi").last).to_have_text(NASTY_LINE)
    expect(ben.talk.locator("bdi").last).to_have_text(NASTY_LINE)
    anna.play("a2-a4")  # the name comes by the socket in prompt and title
    expect(anna.prompt).to_contain_text(f"{NASTY_NAME} is to move")
    expect(anna.page).to_have_title(f"Anna v. {NASTY_NAME} – Gambit of Kings")
    for each in (anna, ben):
        expect(each.page.locator("#talk img, #talk b, #talk svg, main b, script:not([src])")).to_have_count(0)
    lobby = people.come().goes_to("/")
    expect(lobby.locator("#watch")).to_contain_text(NASTY_NAME)
    expect(lobby.locator("#lists b")).to_have_count(0)
