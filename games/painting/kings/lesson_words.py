"""What the cards of the guided lesson say, and what they point at."""

from __future__ import annotations

from dataclasses import dataclass

GOAL = "goal"  # points at the hex that the suggested action is about
LATER = ".later"  # after a card's name: its idea in other words, when it did not come up by itself
END = "lesson_end"


@dataclass(frozen=True)
class Step:
    """One idea: the questions it goes with, what it says, and what it points at. `deed` shows that its moment is over
    as well as `phase` does; `later` tells the same where it did not come up."""

    questions: tuple[str, ...]
    phase: str
    deed: str
    title: str
    words: str
    tip: str
    rule: str
    point: str = ""
    later: str = ""
    later_point: str = ""


BATTLE = ("ready", "target", "losses", "retreat", "arm")

STEPS: dict[str, Step] = {
    "lesson_placing": Step(
        ("place",),
        "things",
        "",
        "Placing your Things",
        "These are yours. Creatures with ✓ come from land you own. Put them on your hexes; others see only backs.",
        "Press the bright button: it plans a good place for each.",
        "8",
        "#rack-panel",
        "New Things lie on your rack. Put creatures with ✓ on your hexes: others see only backs.",
        "#rack-panel",
    ),
    "lesson_bluff": Step(
        ("place",),
        "things",
        "",
        "A bluff",
        "A creature with ? has no home in your land. You may still put it on the map: others can’t tell. If it has to "
        "fight, it is found out and lost.",
        "Bluffs frighten. Put one beside a real creature.",
        "8.3",
        "#rack-panel",
        "When you place creatures, you may also place one with ?, which has no home in your land. Others can’t tell. "
        "If it has to fight, it is found out and lost.",
        "#rack-panel",
    ),
    "lesson_gold": Step(
        ("recruit", "draw"),
        "income",
        "",
        "Gold",
        "You were just paid: one gold for each hex, more for your tower. Here is your purse.",
        "More land brings more gold.",
        "5",
        "#purse",
        "Each turn begins with pay: one gold for each hex, more for a fort. Here is your purse.",
        "#purse",
    ),
    "lesson_recruiting": Step(
        ("draw",),
        "things",
        "drew",
        "New Things from the cup",
        "Your land lets you draw Things for free. Five gold buy one more. You never know what comes.",
        "Press the bright button to draw.",
        "7",
        "#rack-panel",
        "Each turn your land brings new Things from the cup for free. Five gold buy one more.",
        "#rack-panel",
    ),
    "lesson_event": Step(
        ("event",),
        "events",
        "event_played",
        "A random event",
        "One of your Things is an event. It is played from your rack, works once, and goes back to the cup.",
        "Press it on your rack to read what it does.",
        "14",
        "#rack-panel",
        "Some Things from the cup are events. In the Events phase you may play one from your rack. It works once, "
        "and goes back to the cup.",
        "#phases [data-lesson=events]",
    ),
    "lesson_moving": Step(
        ("march",),
        "march",
        "marched",
        "Move your army",
        "Press the ringed hex to pick up the stack there, then the hex that is ringed next. It goes there.",
        "A large stack is safer than a small one.",
        "9",
        GOAL,
        "In the Move phase your armies go out. Press a stack of yours, then one of the lit hexes: it goes there.",
        "#phases [data-lesson=march]",
    ),
    "lesson_exploring": Step(
        ("march", "engage", "bribe"),
        "combat",
        "explored",
        "Into the unknown",
        "Nobody owns the hex you went to. A die tells who lives there: on 1 or 6 nobody. Otherwise that many Things "
        "come out of the cup and defend it.",
        "You may pay them to leave. Whoever you don’t pay, you fight.",
        "10.1",
        "here",
        "Send a stack into land that nobody owns, and a die tells who lives there: on 1 or 6 nobody. Otherwise that "
        "many Things come out of the cup and defend it.",
        "#phases [data-lesson=combat]",
    ),
    "lesson_battle": Step(
        BATTLE,
        "combat",
        "battled",
        "A battle",
        "Each round has three steps: first magic strikes, then those who shoot, then all others in the melee. "
        "Whoever falls early strikes no more.",
        "The symbols on a counter tell when it strikes.",
        "11.3",
        "#arena .battle-steps, #arena .battle-side",
        "Enemies in one hex fight in the Combat phase. In each round magic strikes first, then those who shoot, then "
        "all others in the melee. Whoever falls early strikes no more.",
        "#phases [data-lesson=combat]",
    ),
    "lesson_dice": Step(
        BATTLE,
        "combat",
        "battled",
        "Dice, hits, retreat",
        "Each fighter rolls a die: its own number or less is a hit. Who is hit chooses who falls. After each round "
        "you stay, or retreat to land of yours beside it.",
        "A fighter with 5 misses only with a 6.",
        "11.4",
        "#arena .battle-side",
        "In a battle each fighter rolls a die: its own number or less is a hit. Who is hit chooses who falls. After "
        "each round you stay or retreat.",
        "#phases [data-lesson=combat]",
    ),
    "lesson_building": Step(
        ("build",),
        "build",
        "built",
        "Build",
        "Five gold build a tower, or raise one you have. It defends its hex and pays you each turn.",
        "In a battle a fort can take hits for your creatures.",
        "12",
        GOAL,
        "In the Build phase five gold build a tower, or raise one you have. It defends its hex and pays you each turn.",
        "#phases [data-lesson=build]",
    ),
}

ENDING = Step(
    (),
    "",
    "",
    "You know the game now",
    "That was the lesson. Play on here against two gentle bots, or begin a new game; the bright button is always a "
    "sound choice.",
    "You win when you hold the only citadel for a whole turn.",
    "about",
    "",
)
