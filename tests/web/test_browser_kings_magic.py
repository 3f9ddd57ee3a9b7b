"""Controls of Kings & Things* that are seldom on offer, each pressed in a real browser at a table where it is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import People
from tests.kings_hand import Hand, item
from tests.kings_site import at, confirmed, in_hex, stood
from tests.server import Server

pytestmark = pytest.mark.browser

TABLES = {
    "balloon": """
        phase: march
        turn: 5
        rack A: balloon
        gold A: 5
        h2 swamp A: thing pirates swamp_rat poison_frog
        h1 plains B castle: farmers
        h5 plains A
        h12 plains B: watersnake
    """,
    "spells": """
        phase: events
        turn: 5
        deck: swamp jungle x2 sea
        rack A: big_juju
        h1 swamp A: sprite
        h2 plains A: farmers
        h12 swamp B: watersnake
    """,
    "weather": """
        phase: events
        turn: 5
        rack A: weather_control
        gold A: 5
        h1 swamp A: sprite
        h2 plains A: farmers
        h3 plains B tower
        h12 swamp B: watersnake
    """,
    "defection": """
        phase: events
        turn: 5
        rack A: defection
        gold A: 5
        h2 plains A: farmers
        h12 swamp B: watersnake
        h13 swamp B: dwarf_king
    """,
    "charm": """
        phase: heroes
        turn: 5
        waiting: mine
        rack A: lucky_charm
        h2 swamp A
        h12 plains B: watersnake
        dice: 3 4
        A recruit assassin_primus gold 0
    """,
    "nothing_more": """
        phase: combat
        turn: 5
        waiting: mine
        gone: lucky_charm dispel_magic_scroll dust_of_defense fan
        rack A: bow
        rack B: golem
        h2 swamp A
        h3 plains B: hunters villains | A thing pirates
        h12 plains B: watersnake
    """,
    "retreat": """
        phase: combat
        turn: 5
        waiting: mine
        gone: lucky_charm dispel_magic_scroll dust_of_defense
        rack A: bow
        h1 plains A
        h2 swamp A
        h3 plains B castle: farmers villains hunters | A thing pirates swamp_rat poison_frog
        h12 plains B
    """,
    "plague": """
        phase: events
        turn: 5
        rack A: dark_plague
        h2 plains A: farmers
        h3 plains A keep: village hunters lion_pride
        h12 swamp B: watersnake
        A play dark_plague
    """,
    "pox": """
        phase: events
        turn: 5
        rack A: teeniepox
        h2 plains A: farmers
        h3 plains A keep: city hunters
        h12 swamp B: watersnake
        dice: 3
        A play teeniepox on A
    """,
    "last_hit": """
        phase: combat
        turn: 5
        waiting: mine
        gone: lucky_charm dispel_magic_scroll dust_of_defense fan
        rack A: talisman golem
        h2 swamp A
        h3 plains B: hunters villains | A thing
        h12 plains B: watersnake
        dice: 1
        A done
    """,
    "aimed": """
        phase: combat
        turn: 5
        waiting: mine
        gone: lucky_charm dispel_magic_scroll dust_of_defense fan
        rack A: ruby
        h2 plains A
        h3 plains A: farmers | B marksman
        h12 plains B: watersnake
        A done
        dice: 2
        B choose 2
        B choose farmers
    """,
    "aiming": """
        phase: combat
        turn: 5
        waiting: mine
        gone: lucky_charm dispel_magic_scroll dust_of_defense fan
        rack A: bow golem
        h2 swamp A
        h3 plains B: hunters villains | A marksman thing
        h12 plains B: watersnake
        A done
    """,
    "warlord": """
        phase: combat
        turn: 5
        waiting: mine
        gone: lucky_charm dispel_magic_scroll fan
        rack A: sword
        rack B: golem
        h2 swamp A
        h3 plains B: hunters villains | A warlord thing
        h12 plains B: watersnake
    """,
    "end": """
        players: 3
        phase: march
        turn: 5
        h2 swamp A: thing
        h12 plains B: watersnake
        h14 desert C: nomads
    """,
}


@pytest.fixture(scope="module", name="tables")
def fixture_tables(site: Server) -> dict[str, Any]:
    return stood(site, TABLES)


def test_the_balloon_carries_two_over_a_castle(people: People, tables: dict[str, Any]):
    ann, bob = at(people, tables["balloon"]), at(people, tables["balloon"], "bob")
    ann.controls("summary", has_text="Balloon").click()
    balloon = ann.controls("details", has_text="Balloon")
    expect(balloon.locator("[data-hex]")).to_have_count(0)
    balloon.get_by_role("button", name=re.compile("^Thing")).click()
    balloon.get_by_role("button", name=re.compile("^Pirates")).click()
    expect(balloon.locator("[data-hex=h5]")).to_be_visible()
    ann.hex("h5")  # the map does as well as the list
    confirmed(ann, f"Balloon with 2 to {ann.named('h5')}")
    for kind in ("thing", "pirates", "balloon"):
        expect(in_hex(ann.page, "h5", kind)).to_have_count(1)
    expect(in_hex(ann.page, "h2", "swamp_rat")).to_have_count(1)
    expect(bob.page.locator("#in-h5 .back")).to_have_count(2)
    expect(in_hex(bob.page, "h5", "thing")).to_have_count(0)
    assert ann.did == {"ascend": 1}


def test_big_juju_changes_a_hex_in_reach_of_its_caster(people: People, tables: dict[str, Any]):
    ann = at(people, tables["spells"])
    ann.controls().get_by_label("Who works the magic").select_option(label=f"Sprite 1 in {ann.named('h1')}")
    ann.settled()
    expect(ann.controls("[data-hex=h12]")).to_have_count(0)
    ann.controls("summary", has_text="Hexes for Big JuJu").click()
    ann.controls("[data-hex=h2]").click()
    confirmed(ann, f"Big JuJu, by Sprite 1 in {ann.named('h1')}, at {ann.named('h2')}")
    expect(ann.page.locator("#hex-h2 .t-plains")).not_to_have_count(0)
    ann.controls().get_by_role("button", name="Jungle").click()
    confirmed(ann, "Choose Jungle")
    expect(ann.page.locator("#hex-h2 .t-jungle")).not_to_have_count(0)
    expect(in_hex(ann.page, "h1", "sprite")).to_have_count(1)
    assert ann.did == {"play_event": 1, "choose": 1}


def test_the_plague_takes_no_wall_on_top_of_all_creatures(people: People, tables: dict[str, Any]):
    ann = at(people, tables["plague"])
    expect(ann.page.locator("#prompt")).to_contain_text(f"3 of these in {ann.named('h3')}, or your 2 creatures")
    chip = lambda name: ann.controls().get_by_role("button", name=re.compile(f"^{name}"))  # noqa: E731
    confirm = ann.controls("[data-key=lose]")
    chip("Fort").click()
    chip("Hunters").click()
    expect(confirm).to_have_text("2 of 3: confirm")
    expect(confirm).to_be_disabled()
    chip("Lion Pride").click()  # with the last creature the fort is no longer needed
    expect(confirm).to_have_text("All 2 creatures: confirm")
    expect(chip("Fort")).to_be_disabled()
    expect(chip("Village")).to_be_disabled()
    confirm.click()
    expect(in_hex(ann.page, "h3", "village")).to_have_count(1)
    expect(in_hex(ann.page, "h3", "hunters")).to_have_count(0)
    assert ann.did == {"lose": 1}


def test_a_city_lost_to_teeniepox_pays_for_two(people: People, tables: dict[str, Any]):
    ann = at(people, tables["pox"])
    chip = lambda name: ann.controls().get_by_role("button", name=re.compile(f"^{name}"))  # noqa: E731
    chip("Hunters").click()
    chip("Fort").click()
    chip("City").click()  # it pays for both that are owed: the fort is spared
    expect(chip("Fort")).to_have_attribute("aria-pressed", "false")
    expect(ann.controls("[data-key=lose]")).to_have_text("3 of 3: confirm")
    ann.controls("[data-key=lose]").click()
    expect(in_hex(ann.page, "h3", "city")).to_have_count(0)
    expect(ann.page.locator("#in-h3")).to_contain_text("keep")


def test_weather_control_brings_the_cloud_over_another(people: People, tables: dict[str, Any]):
    ann, bob = at(people, tables["weather"]), at(people, tables["weather"], "bob")
    assert not ann.lit("target")
    ann.controls().get_by_role("button", name="Pick on the map").click()
    ann.hex("h3")
    confirmed(ann, f"at {ann.named('h3')}")
    for page in (ann.page, bob.page):
        expect(page.locator("#hex-h3 .cloud")).not_to_have_count(0)


def test_defection_is_played_on_the_hero_of_another(people: People, tables: dict[str, Any]):
    ann = at(people, tables["defection"])
    hero = ann.controls().get_by_label("Hero to defect")
    hero.select_option(label=f"Dwarf King 5 in {ann.named('h13')}")
    ann.settled()
    ann.controls().get_by_role("button", name="Play", exact=True).click()
    confirmed(ann, "Defection: Dwarf King")
    expect(ann.page.locator("#log")).to_contain_text("Defection")
    expect(ann.page.locator("#rack [data-kind=defection]")).to_have_count(0)
    # The hero stays, or comes to the one hex ann has; the dice decide.
    expect(in_hex(ann.page, "h13", "dwarf_king").or_(in_hex(ann.page, "h2", "dwarf_king"))).to_have_count(1)
    expect(ann.page.locator("#dice .die")).to_have_count(4)


def test_the_lucky_charm_mends_a_roll(people: People, tables: dict[str, Any]):
    """Seven where eight is needed, and the charm adds one."""
    ann = at(people, tables["charm"])
    assert ann.question == "react"
    ann.controls().get_by_role("button", name="total 7 → 8").click()
    confirmed(ann, "Lucky Charm")
    expect(ann.page.locator("#rack [data-kind=lucky_charm]")).to_have_count(0)
    ann.play(lambda hand: in_hex(hand.page, "h2", "assassin_primus").count() == 1, seconds=30)
    assert not ann.refused


def test_a_battle_with_magic_and_then_a_retreat(people: People, tables: dict[str, Any]):
    """The Bow is given to a creature, a round is fought by both, and who is left goes home."""
    ann, bob = at(people, tables["retreat"]), at(people, tables["retreat"], "bob")
    expect(ann.page.locator("#battle h3")).to_contain_text(f"Battle in {ann.named('h3')}")
    assert ann.question == "ready"
    bow = ann.controls("section", has=ann.page.get_by_role("heading", name="Bow"))
    bow.get_by_role("button", name=re.compile("^Thing")).click()
    confirmed(ann, "Bow: Play it on Thing")
    expect(ann.page.locator("#rack [data-kind=bow]")).to_have_count(0)
    while ann.question != "retreat":
        for hand in (ann, bob):
            if hand.question and ann.question != "retreat":
                hand.answer()
        assert ann.question in ("", "ready", "losses", "aim", "react", "dust", "retreat")
    target = ann.lit("target")[0]
    assert target in ("h1", "h2")
    ann.hex(target)
    confirmed(ann, f"Retreat to {ann.named(target)}")
    expect(ann.page.locator(f"#in-{target} .counter:not(.back)")).not_to_have_count(0)
    expect(ann.page.locator("#in-h3 .counter.mine")).to_have_count(0)
    expect(bob.page.locator(f"#in-{target} .back")).not_to_have_count(0)
    assert not ann.refused and not bob.refused


def test_the_last_hit_can_be_answered(people: People, tables: dict[str, Any]):
    """Nothing has to be picked where one counter is left; before it falls the Golem stops the hit."""
    ann = at(people, tables["last_hit"])
    assert ann.question == "losses"
    expect(ann.page.locator("#prompt")).to_contain_text("Play magic first, or confirm")
    expect(ann.controls("[data-key=lose]")).to_have_text("1 of 1: confirm")
    expect(ann.controls("[data-key=lose]")).to_be_enabled()
    ann.controls().get_by_role("button", name=re.compile("Golem")).click()
    confirmed(ann, "Golem")
    expect(ann.page.locator("#rack [data-kind=golem]")).to_have_count(0)
    expect(ann.page.locator("#log")).to_contain_text("ann plays the Golem")
    assert not ann.refused


def test_a_hit_that_the_marksman_has_placed_is_let_fall(people: People, tables: dict[str, Any]):
    ann = at(people, tables["aimed"])
    assert ann.question == "losses"
    expect(ann.page.locator("#prompt")).to_contain_text("You have no magic to answer with")
    ann.controls().get_by_role("button", name="Let it fall").click()
    expect(ann.page.locator("#in-h3 .counter.mine")).to_have_count(0)
    expect(ann.page.locator("#log")).to_contain_text("Eliminated: Farmers")
    assert not ann.refused


def test_before_the_marksman_aims_magic_can_be_played(people: People, tables: dict[str, Any]):
    """Both answers keep their words, and each item says on whom it is played."""
    ann = at(people, tables["aiming"])
    assert ann.question == "aim"
    for answer in ("Shoot as usual: 5 or less hits", "Aim: 2 or less hits whom you choose"):
        expect(ann.controls().get_by_role("button", name=answer)).to_have_count(1)
    expect(ann.controls()).not_to_contain_text("undefined")
    bow = ann.controls("section", has=ann.page.get_by_role("heading", name="Bow"))
    bow.get_by_role("button", name=re.compile("^Thing")).click()
    confirmed(ann, "Bow: Play it on Thing")
    expect(ann.page.locator("#rack [data-kind=bow]")).to_have_count(0)
    assert ann.question == "aim"
    ann.controls().get_by_role("button", name=re.compile("Golem")).click()
    confirmed(ann, "Golem")
    expect(in_hex(ann.page, "h3", "golem")).to_have_count(1)
    assert ann.question == "aim" and not ann.refused


def test_before_the_warlord_calls_both_sides_can_play_magic_when_asked(people: People, tables: dict[str, Any]):
    bob, ann = at(people, tables["warlord"], "bob"), at(people, tables["warlord"])
    assert bob.question == "dust"
    expect(bob.page.locator("#prompt")).to_contain_text("but you can bring other magic")
    bob.controls().get_by_role("button", name=re.compile("Golem")).click()
    confirmed(bob, "Golem")
    expect(in_hex(ann.page, "h3", "golem")).to_have_count(1)
    bob.controls().get_by_role("button", name="No dust").click()
    expect(ann.page.locator("#prompt")).to_contain_text("The Warlord calls")
    sword = ann.controls("section", has=ann.page.get_by_role("heading", name="Sword"))
    sword.get_by_role("button", name=re.compile("^Thing")).click()
    confirmed(ann, "Sword: Play it on Thing")
    expect(ann.page.locator("#rack [data-kind=sword]")).to_have_count(0)
    expect(ann.page.locator("#prompt")).to_contain_text("The Warlord calls")
    assert not ann.refused and not bob.refused


def test_a_game_ends_by_agreement(people: People, tables: dict[str, Any]):
    """Declined it goes on; when all agree it is over for everybody."""
    ann, bob, cat = (at(people, tables["end"], name) for name in ("ann", "bob", "cat"))
    propose(ann, "bob has won")
    expect(cat.controls()).to_contain_text("ann proposes to end the game: bob has won")
    cat.controls("[data-do=decline_end]").click()
    confirmed(cat, "Play on")
    expect(bob.controls()).not_to_contain_text("proposes")
    propose(bob, "Nobody has won")
    for hand in (ann, cat):
        expect(hand.controls()).to_contain_text("bob proposes to end the game: nobody has won")
        hand.controls("[data-do=agree_end]").click()
        confirmed(hand, "Agree to end the game")
    for hand in (ann, bob, cat):
        expect(hand.page.locator("#page-state")).to_have_attribute("data-over", "yes")
        expect(hand.page.locator("#prompt")).to_contain_text(re.compile("agree", re.I))
        expect(hand.controls("button")).to_have_count(0)


def propose(hand: Hand, what: str) -> None:
    before = hand.state["revision"]
    item(hand.page, "End by agreement").click()
    hand.page.get_by_role("dialog", name="End the game by agreement?").get_by_role("button", name=what).click()
    expect(hand.page.locator("#page-state")).not_to_have_attribute("data-revision", before)
    assert not hand.refused


def test_nothing_more_this_battle_is_one_press_and_can_be_taken_back(people: People, tables: dict[str, Any]):
    ann = at(people, tables["nothing_more"])
    expect(ann.page.locator("#prompt")).to_contain_text(f" in {ann.named('h3')} with ")
    row = ann.controls(".control-row", has=ann.page.locator("[data-do=done]"))
    expect(row.get_by_role("button")).to_have_text(["Ready: begin the round", "Nothing more from me this battle"])
    row.get_by_role("button", name="Nothing more").click()
    expect(ann.page.locator("#page-state")).to_have_attribute("data-turn", "no")
    ann.controls().get_by_role("button", name="Ask me again in this battle").click()
    expect(ann.controls().get_by_role("button", name="Nothing more from me this battle")).to_be_visible()
    assert ann.did == {"pass_battle": 1, "rejoin_battle": 1} and not ann.refused
