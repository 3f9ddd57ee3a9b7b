"""What the page of Kings & Things* says: each question in our own words, and labels for buttons."""

from __future__ import annotations

# The phases of a turn as the track at the top of the page calls them; their whole names stand in the rule book's terms.
SHORT_PHASES = {
    "income": "Gold",
    "heroes": "Heroes",
    "things": "Things",
    "events": "Events",
    "march": "Move",
    "combat": "Combat",
    "build": "Build",
    "powers": "Powers",
    "rotate": "Order",
}

# question -> (title, how to go about it)
QUESTIONS: dict[str, tuple[str, str]] = {
    "start": ("Choose your start", "Pick one of the lit hexes; the map is turned up when everybody has one."),
    "replace_sea": (
        "Sea beside your start",
        "You may swap a lit sea hex for a hidden tile: it may turn out to be land.",
    ),
    "claim": ("Claim a hex", "Pick land beside your own, away from the others."),
    "tower": ("Place your tower", "Pick one of your hexes. A tower brings one gold a turn and helps to defend."),
    "place": ("Place counters", "Pick counters on your rack, then a hex of yours. Creatures lie face down."),
    "exchange": ("Exchange counters", "Pick what you want to give back; you get as many new ones, once."),
    "recruit": ("Recruit a hero?", "Two dice must reach twice the hero’s value. Five gold before the roll add one."),
    "add_gold": ("Just short", "Pay, or let the hero go."),
    "station_hero": ("Your new hero", "Pick a hex of yours for the hero."),
    "which_lord": ("Two Terrain Lords", "They do not serve together: say which of them leaves."),
    "draw": ("Draw Things", "Some are free; five gold buy one more, two counters from your rack another."),
    "full_rack": ("Your rack is too full", "It holds ten: place something or give it back."),
    "too_many": ("Too many in one hex", "Ten is the limit: say who leaves."),
    "event": ("Play an event?", "Play one random event, or go on without."),
    "event_losses": ("Losses", "Choose your losses."),
    "plague_losses": (
        "The Dark Plague",
        "Choose your losses. A fort level, a city or a village can be lost instead of a creature.",
    ),
    "which_stack": ("Which stack suffers?", "Some of yours are equally large: pick one."),
    "disaster": ("Where does it strike?", "Point to the next hex of that terrain."),
    "vandals": ("Vandals!", "Say which of your forts loses a level."),
    "which_terrain": ("Big JuJu", "Pick what your hex becomes."),
    "march": ("Move your counters", "Pick a stack, then a lit hex. When you have moved everything, finish."),
    "proof": ("Show who pins them?", "Show one supported creature, or let the stack go."),
    "hold_flyers": ("Flyers want to pass", "Each flyer you show holds one of them."),
    "who_stays": ("Some of your flyers are held", "Say which of them stay."),
    "escape": ("Save your counters", "Pick the hex they escape to."),
    "endangered_income": ("Enemies in your hex", "You may return the counter to the cup before they take it."),
    "engage": ("Choose a battle", "Pick the battle or exploration to be resolved now."),
    "bribe": ("Bribe them?", "Pick defenders to pay off; the others you fight."),
    "arm": ("Arm a defender?", "You run the wild defenders: give the weapon to one of them."),
    "which_income": ("Which stays?", "Only one special income counter can be here: pick it."),
    "dust": ("Dust of Defense?", "It makes an attacking army leave before the battle."),
    "warlord": ("The Warlord calls", "Pick an enemy creature: it joins you if your die is not below its value now."),
    "ready": ("Before the round", "Bring magic into the battle, or begin."),
    "target": ("Whom do you fight?", "Your hits of this round go to one side. Nobody sees it before all have chosen."),
    "aim": ("The Marksman", "Five to hit as usual, or two to choose who is hit."),
    "aimed_hit": ("The Marksman hits", "Pick who is hit."),
    "losses": ("Take the hits", "Pick who is hit, in that order."),
    "retreat": ("Stay or retreat?", "A retreat takes the whole force to one neighbouring hex."),
    "build": ("Build?", "Five gold for a tower, or for one level more. One level a hex and turn."),
    "assassinate": ("The Assassin", "Pick a hex to strike in, or leave it."),
    "victim": ("Pick the victim", "A die decides: 1 to 3 is the Assassin’s choice, 4 to 6 the owner’s."),
    "steal": ("The Thief", "Pick whom to rob, or leave it."),
    "loot": ("The Thief succeeds", "All the gold, or one counter unseen."),
    "turn_hero": ("Your hero fled", "You may turn the counter over before others can recruit."),
    "react": ("Do you answer this?", "Play an item, or let it pass."),
}

# question -> what to say to somebody who is asked without having anything to answer with
IDLE: dict[str, str] = {
    "event": "You have no playable event. Others can’t tell – just continue.",
    "dust": "You have no Dust of Defense. Others can’t tell – just continue.",
    "ready": "You have no magic for this battle. Others can’t tell – just begin.",
    "add_gold": "You cannot pay that now; who has treasure may cash it in first.",
    "build": "Nothing can be built now: a tower or one level more costs five gold, once a turn in each hex.",
    "react": "You have nothing to answer with. Others can’t tell – just let it pass.",
    "place": "Nothing on your rack can be placed there: go on.",
}

# Where counters can be placed only in a hex just taken.
IN_ONE_HEX = "Pick counters on your rack; creatures lie face down."

# Where the Dust is asked about, and the player has other magic only.
NO_DUST = "You have no Dust of Defense, but you can bring other magic into the battle."

# Where hits leave no choice, and are asked about only because magic could answer them.
LAST_HIT = "Everything that can be hit there is hit. Play magic first, or confirm."
IDLE_LAST_HIT = (
    "Everything that can be hit there is hit. You have no magic to answer with. Others can’t tell – just confirm."
)

# question -> what picking on the board or in the panels means there
ASKED: dict[str, str] = {"losses": "hit", "event_losses": "lost", "plague_losses": "lost"}

LABELS: dict[str, str] = {
    "done": "Done",
    "recruit": "recruiting",
    "explore": "exploration",
    "magic": "magic",
    "ranged": "ranged",
    "melee": "melee",
    "save": "saving throws",
    "damage": "damage after the battle",
    "warlord": "the Warlord’s call",
    "firewall": "the Firewall’s strength",
    "first player": "who is first",
    "contest": "contest",
    "contest again": "contest, once more",
    "assassination": "whose victim",
    "teeniepox": "Teeniepox",
    "disaster": "disaster",
    "losses": "losses",
    "defection": "defection",
    "keep": "Leave as it is",
    "turn": "Turn over",
    "gold": "All the gold",
    "counter": "A counter from the rack",
    "off": "Off the map",
    "fort": "Fort",
}

# why dice were thrown -> what decides, for whoever may answer the roll; battles and totals say theirs by numbers
DECIDES: dict[str, str] = {
    "first player": "The highest total plays first.",
    "explore": "On a 1 or a 6 nobody defends the hex; else as many Things as rolled come out of the cup.",
    "save": "2 to 5 saves; a 1 or a 6 does not.",
    "damage": "On a 1 or a 6 a fort loses a level, and special income goes back to the cup.",
    "firewall": "The die is the Firewall’s strength.",
    "contest": "The attempt succeeds with the higher total; on a tie both roll again.",
    "contest again": "The attempt has failed. If the other total is higher, the hero is caught.",
    "assassination": "1 to 3: the Assassin’s choice falls. 4 to 6: the owner’s.",
    "teeniepox": "A 1 or a 6 does no harm; else as many are lost as rolled.",
    "disaster": "It strikes with a total of 6, 7 or 8.",
    "losses": "A 1 or a 6 does no harm; else as many are lost as rolled.",
    "defection": "The hero changes sides if the first total is higher.",
}

# sort of a counter -> what it is called on its help card, and the paragraph of the rules about such counters
SORTS: dict[str, tuple[str, str]] = {
    "creature": ("Creature", "8.3"),
    "income": ("Special income", "5.4"),
    "treasure": ("Treasure", "5.3"),
    "magic": ("Magic item", "15"),
    "event": ("Random event", "14"),
    "hero": ("Hero", "heroes"),
}
