"""The rules and where they live: `python -m tests.rules_table` writes docs/rules.md from this table and the scenarios.

Each row: the paragraph of the book, a ruling, a hero, an event or an item; what it says in our words; the code. The
scenarios are found by their `rule:` lines, the mutants by their `rule`.
"""

# The table is a table: its lines are as long as they are.
# ruff: noqa: E501

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = ROOT / "tests" / "scenarios"
PAGE = ROOT / "docs" / "rules.md"
ENGINE = "games.engine.kings"

# id | in our words | code | ids of the seed
BOOK = """
2.11 | Forts, gold and markers wait in the bank | state:KingsState.forts_left | GR-SG-01
2.12 | All Things go into the cup | box:fill_cup | GR-SG-02
2.13 | Chance decides which side of each hero's counter is up | box:toss_heroes | GR-SG-03
2.14 | Sea is set aside, the rest is shuffled and laid in a spiral, face down | box:lay_hexes | GR-SG-04, GR-SG-05
2.15 | Two dice decide who picks a start first; starts make the player order; seas at a start are replaced | flow.setup:RollForFirst, flow.setup:ChooseStarts, flow.setup:SeasOfOne | GR-SG-06
2.16 | Twice round the table, everybody claims land next to their own and apart from others | flow.setup:claimable | GR-SG-07
2.17 | Ten gold, a tower, ten Things; placing them | flow.setup:SetUp, flow.setup:FirstTower, flow.place:placements | GR-SG-08
2.18 | Players may exchange counters, one for one, once | flow.setup:exchange |
2.19 | Tiles not on the map become the deck | flow.setup:SetUp.prepare_deck |
2.2 | Two or three players use the small map | map:map_for |
3.1 | Players act in order; the order shifts each turn | flow.turn:Turn.rotate, flow.base:InTurn | GR-SG-08
3.2 | A turn has nine phases | flow.turn:PHASES | GR-TS-01
3.21 | Everybody collects gold | flow.turn:GoldCollection | GR-TS-01
3.22 | One attempt to recruit a hero | flow.recruit:HeroAttempt | GR-TS-02
3.23 | Everybody draws Things | flow.recruit:DrawThings | GR-TS-03
3.24 | Each player may play one event | flow.events:RandomEvents | GR-TS-04
3.25 | Everybody may move | flow.march:Movement | GR-TS-05
3.26 | Battles and explorations | flow.combat:Combat | GR-TS-06
3.27 | Everybody may build | flow.build:Construction | GR-TS-07
3.28 | The Thief and the Assassin may act | flow.powers:SpecialPowers | GR-TS-08
3.29 | The second player becomes the first | flow.turn:Turn.rotate | GR-TS-09
4.1 | A citadel needs a castle, enough income and five gold | forts:why_not_higher | GR-GV-01, GR-GV-02
4.11 | Nobody builds a second citadel | forts:has_citadel | GR-GV-02
4.12 | For a citadel, income is counted, not paid out | income:income | GR-GV-03
4.13 | A citadel can be lost only by conquest | flow.aftermath:Aftermath.damage, flow.events:walls_of | GR-GV-04
4.2 | A citadel that stands alone from one Construction Phase to the next wins | victory:wins_with_one | GR-GV-05
4.21 | With two citadels on the map, owning two wins at once | victory:wins_with_two | GR-GV-06
4.22 | A player who captures the only citadel has to hold it as long as a new one | flow.capture:Capture.take | GR-GV-07
4.23 | A player who lost their citadel may build another | forts:has_citadel | GR-GV-08
5.1 | Income: land, forts, special income, heroes | income:income | GR-GC-01
5.2 | Gold is public, and never on a rack, on the map or in the cup | view:seat_view | GR-GC-02
5.3 | Treasures turn into gold at any time, and go back to the cup | :Kings.on_cash | GR-GC-03
5.4 | Ten special income counters with a terrain, twelve cities and villages | catalogue:INCOME, flow.place:placements | GR-GC-04
6 | One attempt at one hero a turn | flow.recruit:RecruitingHeroes | GR-SC-01
6.1 | Two dice against twice the hero's value | flow.recruit:HeroAttempt.settle | GR-SC-01
6.2 | Five gold before the roll or ten after it add one | flow.recruit:HeroAttempt.short | GR-SC-02
6.3 | Many heroes have a power | battle:creature_strikes |
6.4 | Heroes may be discharged before the roll, and are turned over | flow.recruit:HeroAttempt.on_discharge |
6.5 | An eliminated hero flees to the pool; the last owner may turn the counter over | flow.place:FledHeroes | GR-SC-03
7 | Free, paid and traded draws are taken at once | flow.recruit:DrawThings.on_draw, flow.recruit:DrawTogether | GR-RT-01
7.1 | One free draw for two land hexes, rounded up | flow.recruit:free_draws | GR-RT-01
7.2 | Five gold a draw, five draws at most | flow.recruit:MOST_PAID | GR-RT-02
7.3 | Two counters from the rack for one draw | flow.recruit:DrawThings.on_draw | GR-RT-03
7.4 | A rack holds ten | flow.place:FullRack | GR-RT-04
7.5 | Once the cup has been empty, used magic, treasure and events are gone | state:KingsState.use_up |
8.1 | A hero is placed at once, face up | flow.recruit:StationHero | GR-DT-01
8.2 | What may be placed | flow.place:placements | GR-DT-02
8.21 | Magic, events and treasure stay on the rack | flow.place:placements | GR-DT-02
8.22 | Cities and villages go into any hex of their owner without special income | flow.place:placements | GR-DT-03
8.23 | Other special income goes into its own terrain; Lords do not help | flow.place:placements | GR-DT-04
8.24 | Creatures are placed face down; land or a Lord in the hex supports them | support:is_supported | GR-DT-05, GR-DT-06
8.3 | A bluff stays until it lies face up | flow.bluffs:remove_bluffs | GR-DT-07, GR-DT-08
8.41 | Creatures cannot be taken off the map by choice | :Kings.gold_and_income |
8.42 | Special income may be returned to the cup, except in combat | :Kings.gold_and_income, flow.march:SaveIncome |
9 | Creatures and heroes move, nothing else | movement:stacks_of | GR-MP-01
9.1 | Four movement points a turn | movement:points_left | GR-MP-02
9.11 | Rough terrain costs two | movement:cost | GR-MP-02
9.12 | The first hex costs nothing, the last one counts | marches:Marches.price | GR-MP-03
9.13 | Stacks drop and pick up counters on their way | flow.march:Marching.on_march | GR-MP-03
9.21 | Players move only in their own part of the phase | flow.march:Movement.turn_of | GR-MP-04
9.22 | At most ten of one player end in a hex; any number with a citadel | stacks:most_in, stacks:room | GR-MP-05
9.23 | Enemies stop and pin; bluffs do not pin | stacks:enemies_in, flow.march:Proof | GR-MP-05
9.24 | One stack finishes before the next begins | flow.march:Marching.set_out | GR-MP-05
9.25 | Only flyers can cross the sea, nobody ends there | marches:Marches.why_no_path | GR-MP-05
9.3 | Flyers may pass enemies | flow.march:Marching.flights | GR-MP-06
9.31 | Passing flyers are shown, and each enemy flyer shown holds one back | flow.march:Passing | GR-MP-06
9.4 | Entering enemy or unexplored land | stacks:is_stopped_in | GR-MP-07
9.41 | Enemy land alone stops nobody | stacks:is_stopped_in | GR-MP-07
9.42 | Unexplored land stops everybody | stacks:is_stopped_in | GR-MP-07
9.43 | An undefended hex is taken without a battle | flow.march:Movement.conquests | GR-MP-07
10 | An army in unexplored land explores it in the Combat Phase | flow.combat:pending | GR-EP-01
10.1 | A die determines the defence | flow.explore:Explore | GR-EP-01
10.11 | On 1 or 6 the hex is taken, and counters stay face down | flow.explore:Explore.defenders | GR-EP-02
10.12 | Otherwise as many Things as rolled; what happens to each sort | flow.explore:Explore.income | GR-EP-03
10.2 | Defenders may be bribed | flow.explore:Bribes | GR-EP-03
10.21 | The price is the value, doubled where there is something to guard | flow.explore:prices | GR-EP-03
10.22 | A player who bribes all defenders gets what they guarded | flow.capture:Capture.loot | GR-EP-03
10.3 | The others are fought; survivors stay and take no bribes | flow.explore:Explore.look | GR-EP-03
10.4 | No die is rolled for defenders left from before | flow.explore:Explore.look | GR-EP-03
11 | A battle is fought where counters of several players meet | flow.battle:combatants |
11.1 | All battles are fought in the Combat Phase | flow.combat:Combat |
11.2 | One battle or exploration a segment | flow.combat:Segment |
11.21 | The hex's owner defends | flow.battle:Battle.take_sides |
11.22 | A player with nothing to resolve is skipped | flow.combat:pending |
11.23 | One per segment, however many there are | flow.combat:Segment |
11.24 | Nobody may pass | flow.combat:Segment |
11.25 | Segments repeat until none is left | flow.combat:Combat.finish |
11.3 | Rounds until one side is left | flow.battle:Battle |
11.31 | Magic, ranged, melee, retreat, and after the battle | flow.battle:Battle |
11.4 | All who fight in a step roll | flow.strike:Strike |
11.41 | A die not higher than the value hits; chargers roll two | battle:creature_strikes, flow.strike:Strike.count | GR-CP-11
11.5 | Losses are taken after both have rolled | flow.losses:Losses |
11.51 | The player who is hit chooses who takes the hit | offers:LossLists |
11.52 | One hit eliminates a creature; walls lose a point | flow.losses:strike_down |
11.53 | Walls at zero are neutralized, not destroyed | stacks:is_fortified |
11.6 | Attackers may retreat, then the defender, together, to adjacent land | stacks:refuges, flow.retreat:Retreating |
11.7 | After the battle | flow.aftermath:Aftermath |
11.71 | Who has the hex | flow.aftermath:Aftermath.decide | GR-CP-12, GR-CP-13, GR-CP-14
11.72 | 1 or 6 damages forts and special income; never citadels | flow.aftermath:Aftermath.damage | GR-CP-14
11.73 | Other damage from the battle is repaired | flow.aftermath:Aftermath.mend | GR-CP-14
11.74 | The player who captured a hex may place counters there at once | flow.capture:PlaceAfterCapture | GR-CP-14
11.8 | More than two sides | flow.battle:Battle.target_of | GR-CP-15
11.81 | Each names one side a round | flow.strike:Targets | GR-CP-15
11.82 | They retreat one after the other | flow.battle:Battle.take_sides, flow.retreat:Retreating | GR-CP-16
11.9 | Armies in the same unexplored hex fight before one explores | flow.aftermath:Aftermath.decide | GR-CP-16
11.91 | The player who begins is the attacker | flow.battle:Battle.take_sides | GR-CP-16
11.92 | The player to the attacker's right defends | flow.battle:Battle.first_to_the_right | GR-CP-16
12 | Forts are built, not drawn | flow.build:Building | GR-FP-01
12.1 | In any hex of one's own, in the Construction Phase | forts:sites | GR-FP-01
12.11 | A tower for five gold | flow.build:Building.on_build | GR-FP-02
12.12 | One more level for five gold, one per hex and turn | flow.build:Building | GR-FP-03
12.13 | One fort a hex, beside special income | forts:why_not_higher | GR-FP-04
12.14 | A fort that the bank does not have cannot be built | state:KingsState.forts_left | GR-FP-04
12.2 | Forts bring their level | income:income | GR-FP-05
12.3 | Forts fight; a castle shoots, a citadel uses magic | battle:fort_step | GR-FP-06
12.4 | Forts take as many hits as they have levels | battle:targets_of | GR-FP-06
13 | When heroes use their powers | flow.powers:SpecialPowers | GR-SCA-01, GR-LL-01
14 | One event from the rack | flow.events:EventChoice | GR-RE-01, GR-LL-02
15 | A magic item works once | flow.roll:Played | GR-ME-01, GR-LL-03
16 | The small map, two tiles of each land aside, citadel at 15, no rotation for two | catalogue:SMALL, income:needed_for_citadel, flow.turn:Turn.rotate |
"""

PULL_OUT = """
13 Assassin Primus | Strikes down a hero or a face-down Thing without a battle | flow.powers:Assassination
13 Baron Munchausen | One hit on enemy forts, cities and villages before the first round | flow.battle:Battle.baron
13 Grand Duke | As the Baron | flow.battle:Battle.baron
13 Deerhunter | Every hex costs the stack one point, and it is not pinned | flow.march:Marching.slips_away
13 Dwarf King | Mines bring double | income:counters_worth
13 Marksman | Shoots with 5, or with 2 at a chosen target | flow.strike:Strike.marksmen, flow.strike:Strike.use_item
13 Master Thief | Steals gold or a counter | flow.powers:Theft
13 Sword Master | Parries one hit a round | flow.losses:Losses.is_saved
13 Warlord | Calls one enemy creature, against its value now | flow.before_rounds:WarlordCalls, battle:value_of
13 Desert Master | Supports desert creatures in the same hex | support:lords_in
13 Forest King | Supports forest creatures in the same hex | support:lords_in
13 Ice Lord | Supports frozen waste creatures in the same hex | support:lords_in
13 Jungle Lord | Supports jungle creatures in the same hex | support:lords_in
13 Mountain King | Supports mountain creatures in the same hex | support:lords_in
13 Plains Lord | Supports plains creatures in the same hex | support:lords_in
13 Swamp King | Supports swamp creatures in the same hex | support:lords_in
13 Arch Cleric | No power: magic, 5 | catalogue:HEROES
13 Arch Mage | No power: magic, 6 | catalogue:HEROES
13 Elf Lord | No power: ranged, 6 | catalogue:HEROES
13 Ghaog II | No power: flies, 6 | catalogue:HEROES
13 Lord of the Eagles | No power: flies, 5 | catalogue:HEROES
13 Sir Lance-A-Lot | No power: charges, 5 | catalogue:HEROES
14 Big JuJu | A hex becomes another terrain | flow.events:BigJuju
14 Dark Plague | Creatures are lost where forts, cities and villages are; all creatures are enough | flow.events:DarkPlague, offers:LossLists.why_not
14 Defection | A hero changes sides by a contest of dice | flow.events:Defection
14 Good Harvest | Income once more, without special income | powers.events:GoodHarvest
14 Mother Lode | Twice what special income is worth | powers.events:MotherLode
14 Teeniepox | One player's largest stack loses counters | flow.events:Teeniepox
14 Terrain Disaster | A hex of a chosen terrain loses counters | flow.events:TerrainDisaster
14 Vandals | A fort loses a level | flow.events:Vandals
14 Weather Control | The Black Cloud weakens a hex's owner there | powers.events:WeatherControl, battle:is_clouded
14 Willing Workers | A fort level for free | powers.events:WillingWorkers
15 Balloon | Carries three creatures three hexes, who fight from above | flow.march:Marching.land, battle:rides
15 Bow | One creature shoots with a value one higher | battle:creature_strikes
15 Dispel Magic Scroll | An item has no effect, magic creatures fight hand to hand; everybody but the user may answer | powers.magic:DispelItem, powers.magic:DispelCreatures, powers.magic:users_besides, flow.roll:Window.may_answer
15 Dust of Defense | An attacking army has to leave | flow.before_rounds:Dusting
15 Elixir | Plague and Teeniepox pass by | powers.magic:Elixir
15 Fan | Blows away Balloon, Dust and Cloud | powers.magic:FanOnItem, powers.magic:FanOnCloud
15 Firewall | A magic fort for one battle | flow.battle_magic:RaiseFirewall
15 Golem | Fights with 6, stops a ranged hit; leaves the battle when its army retreats | flow.strike:has_golem, flow.battle:Battle.drop_magic_of_an_army, flow.battle_magic:LastStand
15 Lucky Charm | One die, one higher or lower | powers.magic:LuckyCharm
15 Sword | One creature charges with a value one higher | battle:creature_strikes
15 Talisman | A saving throw for everybody until one fails, even against the last hit | flow.losses:Losses.is_saved, flow.losses:Losses.magic_that_helps
"""

RULINGS = """
S1 | Which tiles are set aside | box:lay_hexes
S2 | Order of starts and of players | flow.setup:ChooseStarts
S3 | When a sea must or may be replaced | flow.setup:SeasOfOne
S4 | What may be claimed when nothing lies apart | flow.setup:claimable
S5 | Order of towers, draws, placing, exchange; together or in turn | flow.setup:SetUp, flow.place:PlaceTogether
H1 | What is public | view:seen_by
H2 | What is private or secret | view:counters
H3 | Counters turned face down again are mixed | state:KingsState.hide
H4 | A spectator sees what is public | view:counters
T1 | Rotation | flow.turn:Turn.rotate
T2 | When treasure and special income may be turned in | :Kings.gold_and_income, flow.march:SaveIncome
T3 | The order of a recruiting attempt | flow.recruit:HeroAttempt, flow.recruit:TooManyLords
T4 | Paid and traded announced together; a short cup | flow.recruit:DrawThings.on_draw
T5 | True elimination | state:KingsState.draw
T6 | When rack counters may be placed | flow.place:Deploy, flow.place:FullRack
T7 | One event a player | flow.events:RandomEvents
M1 | Points, and the sea | movement:cost
M2 | Dropping and picking up | flow.march:Marching.set_out
M3 | The limit of ten on the way | marches:Marches.why_no_path
M4 | Asking for proof | flow.march:Proof
M5 | Passing flyers | flow.march:Passing
M6 | Unowned land ends every move | stacks:is_stopped_in
M7 | Conquest at the end of the phase | flow.march:Movement.conquests
B1 | Bluffs: automatic or by challenge | flow.bluffs:remove_bluffs, :Kings.on_challenge
B2 | What was shown outside a battle is mixed again | flow.place:mix
E1 | Who runs wild defenders | flow.explore:Explore.look
E2 | A draw without defenders | flow.explore:Explore.take
E3 | What a bribe costs | flow.explore:prices
E4 | Defenders left behind | flow.explore:Explore.look
C1 | Segments | flow.combat:Combat
C2 | What comes before the first round; magic at every question of a battle | flow.battle:Battle, flow.battle_magic:BringsMagic
C3 | Losses at the same time; the order of saves | flow.losses:Losses
C4 | Walls lose a point a hit | flow.losses:strike_down
C5 | Retreat | flow.retreat:Retreating
C6 | When nobody is left | flow.aftermath:Aftermath.decide
C7 | Damage after every battle | flow.aftermath:Aftermath.damage
C8 | Targets with three or four sides | flow.strike:Targets
C9 | Exploring after a fight over unowned land | flow.aftermath:Aftermath.decide
C10 | Batches of dice and the Charm | flow.roll:Roll.charm
R1 | Windows | flow.roll:Window
R2 | Who is asked; sealed and holders; rolls the Charm could help in; nothing more from one player in a battle | flow.roll:Window.is_asked, orders:is_waited_for, powers.charm:could_help, orders:passes
R3 | Questions the game answers itself, and why; standing orders, in battle too | orders:ORDERS, orders:usual_order, flow.base:KingsFrame.foregone, orders:hides_choices, flow.base:tell_why, flow.losses:Losses.is_ordered, flow.retreat:is_outnumbered, flow.combat:Segment.comes_at
P1 | Where the Assassin can strike | flow.powers:victims_in
P2 | A full rack and the Thief | flow.place:FullRack
P3 | No event takes a citadel; unowned hexes suffer nothing | flow.events:walls_of, flow.events:TerrainDisaster.roll_losses
P4 | A hex that becomes sea | flow.events:BigJuju.sink
P5 | Dust and an army that cannot leave | flow.before_rounds:Dusting
P6 | Where the Balloon can go | flow.march:Marching.ascents
P7 | What wild defenders may use | flow.battle_magic:best_item, powers.magic:by_house
P8 | The Cloud weakens walls and heroes too | battle:is_clouded
X1 | What a creature is | stacks:army
X2 | Losses that nobody sees | flow.events:pay_losses
X3 | The caster of a spell | powers.events:Spell
X5 | Which items can be hit | battle:targets_of
X6 | The Golem; what holds a hex | stacks:holds
X7 | A named target that is gone | flow.battle:Battle.target_of
X8 | What the Cloud does not do | battle:is_clouded
X9 | What cities, villages and heroes pay | flow.events:walls_of
X10 | Exploring with an empty cup | flow.explore:Explore.defenders
X11 | Used, traded, discarded | state:KingsState.use_up
X13 | More than ten | flow.place:TooMany
X15 | All dead in an unowned hex | flow.aftermath:Aftermath.decide
X17 | The Balloon's passengers and its retreat | flow.march:Marching.ascents, flow.retreat:ways_out
X18 | Assassinated heroes; those who are caught | flow.powers:Contest.be_caught
X19 | Willing Workers, disasters on land, tiles changed by JuJu | flow.events:BigJuju.change
X20 | Players who are out | state:KingsState.order, victory:put_out
X21 | Living losses first | flow.events:HexLosses
X22 | What a Dispel does not do | powers.magic:DispelItem, powers.magic:DispelCreatures
X23 | One item a creature; gold in fives and tens | flow.battle_magic:empty_hands, offers:Attempts
X24 | Passing a full hex; a Balloon blown elsewhere | marches:Marches.why_no_path, flow.march:Marching.land
X25 | Possible victims of the Assassin | flow.powers:victims_in
X26 | Forts just built count; a second citadel | forts:why_not_higher, victory:wins_with_one
X27 | When elimination is checked | victory:see_who_is_out
W1 | The sole citadel | victory:wins_with_one
W2 | Out of the game | victory:has_nothing
W3 | Resigning | leaving:remove_player, :Kings.on_resign
W4 | A last turn; agreeing on an end, on which bots and stand-ins have no vote | victory:ends_with_last_turn, leaving:settle_proposal, leaving:voters, leaving:possible_winners
"""

# Printed examples of the book, by the paragraph they belong to.
EXAMPLES = """
2.15 example | Starting positions of the diagram | flow.setup:ChooseStarts
2.16 example | Six picks of two players, one of which is not allowed | flow.setup:claimable
2.17 example | The Elephants' Graveyard needs a jungle | flow.place:placements
4.1 example | Building a citadel | forts:why_not_higher
5.1 example | A kingdom with an income of 11 | income:income
6.2 example | The Dwarf King for ten gold and seven pips | flow.recruit:HeroAttempt.short
7.3 example | Three free, five paid, two traded | flow.recruit:DrawThings
7.4 example | The Thief with a full rack | flow.place:FullRack
8.23 example | Oil fields do not follow the Ice Lord | flow.place:placements
8.24 example | Three supported counters and one bluff | support:is_supported
8.3 example | Bluffs that become real, and real ones that become bluffs | support:is_supported
9.11 example | Two rough hexes, one and two others, four others | movement:cost
9.31 example | Four flyers, two of which are held | flow.march:Passing
10.12 example | Five counters in a swamp | flow.explore:Explore.income
10.21 example | A force for 18 gold | flow.explore:prices
11.41 example | Walrus and White Knight | battle:creature_strikes
11.5 example | Magic first: the dead do not shoot | flow.losses:Losses
14 Big JuJu example | A range of one and a range of five | powers.events:Spell.offers
14 Dark Plague example | Five losses from castle, city and creatures | flow.events:DarkPlague.offer
14 Weather Control example | Roc, ogre and goblin under the Cloud | battle:is_clouded
15 Firewall example | A wall of 4 | flow.battle_magic:RaiseFirewall
15 Golem example | Three ranged hits become two | flow.strike:has_golem
15 Lucky Charm example | An 8 becomes a 7 or a 9 | flow.roll:Roll.charm
"""

OWN = """
undo | Back to the last die, draw, reveal or other seat's action | :is_final
"""

# Where book and rulings leave a doubt: what we chose.
CHOICES = """
If a fort has to drop to a level for which the bank has no counter left, it drops to the next lower level that the bank has (12.14).
A Sword Master with a Talisman parries first. The Talisman rolls only for further hits in the same round.
If there are more hits than counters to take them, the rest fall on counters that were saved in the same step.
Players can turn in treasures and special income whenever the game asks them anything, except in reaction windows, where it would show who is asked.
A Dispel Magic Scroll played at the start of a Magic step also removes that side's Firewall. Played against an item in a battle, it also makes that side's magic creatures fight in the Melee step.
Every other player may answer magic with the Dispel Magic Scroll, even from outside the battle ("any time another player uses"): an item when it is played, and the magic creatures of one side, including wild ones, at the start of a Magic step. The player who runs wild defenders uses their magic, so that player can't answer it. Standing orders play the Scroll only in your own battles.
For an army that retreats, the battle is over: its Golem, Talisman, Bow and Sword go to the cup, even if a fort, city or village fights on alone (11.6). A Firewall counts as a fort and stays with them. The owner of a fort, city or village that fights on may play other magic from the rack.
The Golem cancels one ranged hit against its whole side in each Ranged step, no matter who would have taken it, even a castle or other fort.
Golem and Talisman can be played even against a hit on the last counter, or hits that would take all. The game asks every player who might hold one (sealed), or those who do (holders), unless a standing order says otherwise. Bow and Sword may also be played there, but the game does not ask for them. Before the Baron's or the Grand Duke's hit takes a hex's last fort, city or village, its owner may play the Golem.
Golem, Talisman, Bow and Sword can be played whenever a battle asks you something: also about Dust of Defense, whom the Warlord calls, how the Marksman shoots and whom the Marksman's 2 hits, and where an army goes that Dust sends away. Such a question stays open until you answer it. A Golem played before a Marksman's hit is placed still stops a ranged hit against its own side. A Marksman who is given the Sword before shooting doesn't shoot.
The game asks for the Elixir after the Teeniepox die, when it is known that somebody would lose counters.
Dust of Defense works only for a defender in their own hex, or for wild defenders; not in a battle between players over unowned land.
After a battle won by wild defenders, no damage is rolled, because nobody has won the hex.
Baron Munchausen and the Grand Duke on the same side score one hit each.
Creatures that have used Deerhunter's movement can't be left behind in that turn.
If the bearer of a Bow or Sword is eliminated, the item goes to its owner's best creature, unless the owner chooses another before the next round.
Each player may propose an agreed end once a turn.
Bots and stand-ins have no vote on an agreed end. While a bot plays for a person, or if only one person votes, an agreed end has no winner.
The Black Cloud lowers what a die needs to hit, the Warlord's number and the range of a spell. What the Balloon can carry, and what the Dark Plague and Teeniepox count, depend on the printed value (X8).
A city lost to Teeniepox or a Terrain Disaster pays for two losses if two are still owed; a fort loses no level that the city could have paid for (X9).
The game asks about the Lucky Charm only where one more or one less could turn a roll in the player's favour, as far as everybody can see: a hero won (with the gold they have), fewer defenders, no damage, an own miss that becomes a hit, an enemy's hit on them that becomes a miss, a contest decided otherwise. Treasures on a rack don't count, for nobody can see them. Whoever has nothing to do with the roll and wants to be asked is asked where the Charm could change anything. About some dice it is always asked: saves, the Warlord's call, the strength of a Firewall, the Assassin's blow. A standing order asks about every roll (R2).
An answer in a reaction window can't be undone, because the undo would show who gave the last answer (R4).
When a reaction window has been open for days (three, unless the site says otherwise), anybody at the table may press "Go on". Standing orders then answer for the players who have not answered; where there is no order, the answer is a pass. Nobody is shown for whom or for how many (R4).
Special income may be returned to the cup even while the Dark Plague's losses are being chosen, and the losses owed there become fewer (T2, taken literally).
Whoever faces only bots is never asked a question with one possible answer. Among people it is asked, so that a pause tells nothing; a table around one screen skips it. It is still asked if cashing in a treasure, or returning special income, would open another answer. At a table with bots, a person who has moved, built or placed says themselves that they are done, even if nothing more is possible: once a bot has acted, the last step can't be taken back (R3).
Whoever has no choice where they would expect one (a start, a claim, recruiting, drawing, placing, an event, moving, bribing, building) is told why, in their own log only; of reactions and the rounds of a battle nothing is said (R3).
"Nothing more from me this battle" passes every reaction, every question before a round (Dust of Defense and the Warlord too) and every question about magic against a hit, whether or not the player holds anything, until what follows from the battle is settled. Standing orders rest as well, and whoever runs wild defenders passes for them. Losses, targets, a Marksman's shots and retreats are still asked. The player may take it back while the battle lasts (R2).
Standing orders can also say which battle comes first, who takes hits, how much is paid for bribes, and when an army retreats. They never play for wild defenders that the player runs, and they don't say where a Balloon goes: its owner is asked. An army that retreats by order goes to the highest fort beside the battle, or else to the hex with most room. At a table with the option "Small questions: answered by usual orders" some orders are in force from the start, but none that plays magic, bribes or retreats: its players are asked about a retreat when an enemy has twice as many counters, about building when they have 5 gold, and place nothing in a hex just captured (R3).
Further orders name the enemy in a battle of three or four (the one with most counters; of equal ones the first to the defender's left), keep the Marksman from aiming, let the Warlord call the creature for which combat value times chance is highest, and pass random events, building and the powers of Assassin and Thief. Vandals get a level of the lowest fort by the order about losses. Whoever builds nothing below 5 gold by order cashes in a treasure before the Construction Phase, or not at all (R3).
A plan is a list of actions that a player prepares for a question that has not been put yet. Each step is an ordinary action, taken when the question is put; it knows what the player's own screen shows at that moment and nothing else. A step whose condition fails stops the plan, or is left out if the player has chosen so. Whoever takes back a step of a plan is asked themselves for the rest of that turn. "Nothing more this phase" and "this turn" pass what can be passed; losses, targets, bribes and retreats are still asked (R2, R3).
A house rule lets all players announce their draws of Things at the same time, unseen; they draw in player order, and then all place at the same time, unseen. It is off unless the table chooses it (7, as S5).
A bot that took over at a deadline gives the seat back at any time. After its second takeover all other people may agree to a new person, who gets the seat as it is; the former player's standing orders are forgotten, and nobody but them reads of them any more. Until somebody comes, the former player may still return, and the vote then begins anew.
A player's reliability counts open questions with a clock, one for each time the game came to them; hidden reactions and games without a clock count for nothing. A game was left when a bot ended it for them, or a new person got their seat.
"""


def rows(text: str) -> Iterator[tuple[str, str, list[str], str]]:
    for line in text.strip().splitlines():
        rule, words, code, *more = (part.strip() for part in line.split("|"))
        yield rule, words, [each.strip() for each in code.split(",")], more[0] if more else ""


PARTS = {
    "The book, section by section": BOOK,
    "Heroes, events and magic (pull-out)": PULL_OUT,
    "Examples printed in the book": EXAMPLES,
    "Rulings": RULINGS,
    "Ours": OWN,
}


def scenarios_by_rule() -> dict[str, list[str]]:
    """rule -> scenario files that say they show it."""
    found: dict[str, list[str]] = {}
    for path in sorted(SCENARIOS.rglob("*.txt")):
        for line in path.read_text().splitlines():
            if match := re.match(r"rule:\s*(.*)", line.strip()):
                for rule in match[1].split(","):
                    name = str(path.relative_to(SCENARIOS))
                    if name not in found.setdefault(rule.strip(), []):
                        found[rule.strip()].append(name)
    return found


def resolved(code: str) -> object:
    module, _, path = code.partition(":")
    found: object = importlib.import_module(f"{ENGINE}.{module}" if module else ENGINE)
    for name in path.split("."):
        found = getattr(found, name)
    return found


def page() -> str:
    from tests.mutants import all_mutants, all_survivors

    scenarios, mutants, survivors = scenarios_by_rule(), {m.rule for m in all_mutants()}, all_survivors()
    out = [
        "# The rules and where they are",
        "",
        "Written by `python -m tests.rules_table`; `tests/engine/test_rules_table.py` fails when a row lacks a scenario or its",
        "code, or when this page is not up to date. “Mutant” says whether `make mutants` switches the rule off to see its",
        "scenarios fail. Code is below `games/engine/kings`, scenarios below `tests/scenarios`.",
        "",
        "## What we chose where book and rulings leave a doubt",
        "",
        *(f"- {line}" for line in CHOICES.strip().splitlines()),
    ]
    for title, text in PARTS.items():
        out += [
            "",
            f"## {title}",
            "",
            "| rule | in our words | scenarios | code | seed | mutant |",
            "|---|---|---|---|---|---|",
        ]
        for rule, words, code, seed in rows(text):
            files = ", ".join(f"`{name}`" for name in scenarios.get(rule, []))
            places = ", ".join(f"`{each.lstrip(':')}`" for each in code)
            mark = "yes" if rule in mutants else survivors.get(rule, "")
            out.append(f"| {rule} | {words} | {files} | {places} | {seed} | {mark} |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"{PAGE.relative_to(ROOT)} written")
