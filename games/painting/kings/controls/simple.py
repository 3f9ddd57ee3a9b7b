"""Controls that pick one thing, or some of a list: what most questions come to."""

from __future__ import annotations

from django.utils.safestring import SafeString

from games.engine.core.actions import Action
from games.engine.core.offers import Exactly, OneOf, Some
from games.engine.core.plain import plain
from games.engine.core.view import Face
from games.engine.kings.actions import Bribe, Draw, Lose, March, PlayEvent, PlayItem, Recruit
from games.engine.kings.catalogue import CITADEL, FORTS, KINDS
from games.engine.kings.forts import FORT_PRICE
from games.engine.kings.offers import Attempts, Bribes, Charms, Defections, Draws, LossLists, Placements
from games.engine.kings.terms import is_hit

from ...markup import element, join
from ..counters import draw_counter
from ..handbook import cards
from ..lesson import asks_all
from .desk import MANY_HEXES, SUGGESTED, Control, as_json, chips, fold, hint, is_hex, key_of, line, roomy, staying

DONE = {
    "march": "Finish moving",
    "recruit": "Recruit nobody",
    "add_gold": "Let the hero go",
    "event": "Play no event",
    "ready": "Ready: begin the round",
    "retreat": "Stay and fight",
    "losses": "Let it fall",
    "build": "Finish building",
    "react": "Let it pass",
    "place": "Finish placing",
    "dust": "No dust",
    "warlord": "Call nobody",
    "assassinate": "Not this turn",
    "steal": "Not this turn",
    "endangered_income": "Leave it there",
    "replace_sea": "Keep the sea",
    "arm": "Nobody",
}
BARE = {
    "undo": "Take back the last step",
    "pass_battle": "Nothing more from me this battle",
    "rejoin_battle": "Ask me again in this battle",
    "agree_end": "Agree to end the game",
    "decline_end": "Play on",
    "play_item": "Play",
    "play_event": "Play",
}
GO = {
    "choose": "Choose",
    "engage": "Resolve",
    "build": "Build in",
    "replace_sea": "Replace",
    "assassinate": "Strike in",
    "steal": "Rob",
    "discharge": "Discharge",
    "challenge": "Challenge",
    "give": "Give it to",
    "play_item": "Play it on",
    "play_event": "Play it at",
    "ask_proof": "Ask for proof in",
    "cash": "Cash in",
    "remove_income": "Return",
}
NO_MORE = (
    "“Nothing more” passes magic and what comes before a round until this battle is over. Losses, targets and retreats "
    "are still asked."
)
STILL_ASKED = "Magic and what comes before a round is passed for you; losses, targets and retreats are still asked."
PASSED = ("react", "ready", "dust", "warlord", "losses")  # what "nothing more from me" answers where "done" does


class ExactlyControl(Control):
    offer: Exactly

    def draw(self) -> SafeString:
        """A row of its own; but "nothing more from me" stands beside the button that passes only this question."""
        offers, do = self.desk.view.offers, self.offer.do
        if do == "done" and any(isinstance(each, Attempts) for each in offers):
            return SafeString("")  # beside the button that rolls for a hero
        passes = [] if asks_all(self.desk.scene) else [each for each in offers if each.do == "pass_battle"]
        is_beside = self.desk.view.question in PASSED and any(each.do == "done" for each in offers)
        if do == "pass_battle" and (is_beside or not passes):
            return SafeString("")
        if do == "rejoin_battle":
            return join(hint(STILL_ASKED), line(self.button()))
        beside = passes if do == "done" and is_beside else []
        row = line(self.button(), *(ExactlyControl(self.desk, key_of(each), each).button() for each in beside))
        return join(row, roomy(NO_MORE)) if beside or do == "pass_battle" else row

    def button(self) -> SafeString:
        action, desk = self.offer.action, self.desk
        stands_out = action.do == "done" and not desk.picks.get("march", {}).get("stack") and self.is_sensible()
        stands_out = stands_out or action == desk.advice
        css = desk.standing_out() if stands_out else "small" if action.do in ("pass_battle", "rejoin_battle") else ""
        title = NO_MORE if action.do == "pass_battle" else None
        return desk.acts(self.name(), action, css=css, ask="", data_do=action.do, title=title)

    def is_sensible(self) -> bool:
        """Whether to go on is what a sensible player would do: nothing else is suggested, and nothing left to place."""
        advice = self.desk.advice
        if isinstance(advice, March) and not self.desk.scene.is_lesson:
            return self.desk.has_moved
        return not self.unplaced if advice is None else advice == self.offer.action

    @property
    def unplaced(self) -> int:
        return sum(len(each.creatures) for each in self.desk.view.offers if isinstance(each, Placements))

    def name(self) -> str:
        action = self.offer.action
        if action.do == "done":
            stay = f": {staying(self.unplaced)}" if self.unplaced else ""
            return DONE.get(self.desk.view.question, "Done") + stay
        about = getattr(action, "item", "") or getattr(action, "event", "")
        verb = BARE.get(action.do, action.do.replace("_", " ").capitalize())
        return f"{verb} the {self.desk.name(about)}" if about else verb


class OneOfControl(Control):
    """A button for each choice; hexes are lit on the map, where it is clear what a hex would be picked for."""

    offer: OneOf

    def draw(self) -> SafeString:
        offer, desk = self.offer, self.desk
        about = offer.fixed.get("item") or offer.fixed.get("event")
        heading = desk.name(about) if about else ""
        go = GO.get(offer.do, offer.do.replace("_", " ").capitalize())
        hexes = [each for each in offer.choices if is_hex(desk, each)]
        if offer.do == "discharge":
            return fold("Discharge a hero", chips(*(self.button(each, go) for each in offer.choices)))
        has_rivals = bool(hexes) and self.has_rivals()
        is_folded = len(hexes) == len(offer.choices) > MANY_HEXES
        suggestion = self.suggestion(heading, go) if is_folded else None
        # The suggested choice comes first: it is in sight however many there are.
        choices = sorted(offer.choices, key=lambda each: self.of(each) != desk.advice) if desk.advice else offer.choices
        buttons = [self.button(each, f"{heading}: {go}" if heading else go) for each in choices]
        whose = f" for {heading}" if heading else ""
        return self.block(
            heading or ("" if offer.do == "choose" else go),  # the question itself is the heading of a choice
            hint(PROOF) if offer.do == "ask_proof" else "",
            line(aim_button(self.key)) if has_rivals else "",
            hint("Pick a lit hex on the map.") if is_folded and not has_rivals else "",
            line(suggestion) if suggestion else "",
            fold(f"All {len(buttons)} hexes{whose}", chips(*buttons)) if is_folded else chips(*buttons),
            data_rival="" if has_rivals else None,
            data_would=self.would() if hexes and offer.do != "ask_proof" else None,
        )

    def suggestion(self, heading: str, go: str) -> SafeString | None:
        """What is suggested among many hexes, which are folded away."""
        advice = self.desk.advice
        what = next((each for each in self.offer.choices if advice is not None and self.of(each) == advice), None)
        if advice is None or what is None:
            return None
        words, ask = f"As suggested: {self.desk.word(what)}", f"{heading}: {go}" if heading else go
        return self.desk.acts(words, advice, css=self.desk.standing_out(), ask=ask)

    def has_rivals(self) -> bool:
        """Whether another offer wants hexes as well, so that the player first says which of them they mean."""
        others = [each for each in self.desk.view.offers if each is not self.offer and not each.aside]
        return any(
            each.kind in ("march", "place")
            or (isinstance(each, OneOf) and any(is_hex(self.desk, what) for what in each.choices))
            for each in others
        )

    def button(self, what: object, go: str) -> SafeString:
        text = self.fort(str(what)) if self.offer.do == "build" else self.desk.word(what)
        place = str(what) if is_hex(self.desk, what) else None
        if self.offer.do == "add_gold":
            text = f"Pay {what} of {self.desk.gold} gold: the hero is yours"
            return self.desk.acts(text, self.of(what), css=self.desk.standing_out(), ask="")
        action = self.of(what)
        return self.desk.acts(text, action, css=self.desk.suggested(action), ask=go, data_hex=place)

    def fort(self, place: str) -> str:
        """What the next level costs there, and what it brings."""
        level = self.desk.land[place].fort + 1
        cost = "free" if self.desk.view.question == "tower" else f"{FORT_PRICE} gold"
        brings = "and a citadel can win" if level == CITADEL else f"defends with {level}"
        return f"{self.desk.word(place)}: {FORTS[level]}, {cost}, +1 income, {brings}"

    def of(self, what: object) -> Action:
        return self.offer.of(**self.offer.fixed, **{self.offer.open: what})

    def would(self) -> str:
        """The action that pressing another hex would be, to ask why it is not offered."""
        return as_json(self.of("?"))


PROOF = "Face-down enemies pin your counters there. Whoever can show no supported creature must let them go."


def aim_button(key: str) -> SafeString:
    return element(
        "button",
        "Pick on the map",
        type="button",
        class_="button small chip",
        data_aim=key,
        aria_pressed="false",
    )


class AsideControl(OneOfControl):
    """Beside whatever is asked: each counter with what would become of it."""

    def draw(self) -> SafeString:
        offer, desk = self.offer, self.desk
        buttons = []
        for tag in offer.choices:
            buttons.append(desk.acts(self.text(tag), self.of(tag), ask="", data_concerns=tag))
        if len(buttons) > 2 or offer.do == "remove_income":
            return fold(ASIDES[offer.do], chips(*buttons))
        return chips(*buttons)

    def text(self, tag: str) -> str:
        name, where = self.desk.name(tag), self.desk.where(tag)
        counter = self.desk.known.get(tag)
        kind = KINDS.get(getattr(counter, "kind", ""))
        if self.offer.do == "cash":
            return f"Cash in the {name} for {kind.gold if kind else 0} gold"
        if self.offer.do == "remove_income":
            return f"Return the {kind.name if kind else name}{where} to the cup"
        return f"Challenge the {name}{where}"


ASIDES = {"cash": "Cash in treasure", "remove_income": "Return special income", "challenge": "Challenge"}


class SomeControl(Control):
    offer: Some

    @property
    def mine(self) -> list[str]:
        """What was picked; at first what a sensible player would pick."""
        advised = self.desk.advised_fields(self.offer.do)
        if advised and not self.is_touched("counters"):
            return list(advised[self.offer.open])
        return self.picked("counters", self.offer.choices)

    def press(self, field: str, value: str) -> None:
        if field == "counters":
            self.picks["counters"] = self.mine
            self.toggle("counters", value, min(self.offer.most, len(self.offer.choices)))

    def action(self) -> Action:
        return self.of(tuple(self.mine))

    def of(self, picked: tuple[str, ...]) -> Action:
        return self.offer.of(**self.offer.fixed, **{self.offer.open: picked})

    def draw(self) -> SafeString:
        offer, mine = self.offer, self.mine
        go = line(self.go(self.text(len(mine))))
        picked = [self.chip(tag, tag in mine) for tag in offer.choices]
        if offer.do != "fly_past":
            return self.block("", chips(*picked), go, data_would_pick=as_json(self.of(("?",))))
        where = self.desk.where(offer.choices[0])
        picked = [self.chip(tag, tag in mine, self.desk.name(tag)) for tag in offer.choices]
        return self.block(f"Fly past enemies{where}", hint(FLY_PAST), chips(*picked), go)

    def text(self, count: int) -> str:
        return {
            "exchange": f"Exchange {count}" if count else "Exchange nothing",
            "discard": f"Give back {count}",
            "reveal": f"Show {count}" if count else "Show nothing",
            "fly_past": f"Fly on with {count}",
        }.get(self.offer.do, self.offer.do.capitalize())


FLY_PAST = "Enemies hold them there. Show flyers: each enemy flyer shown against them holds one, the others go on."


class LoseControl(Control):
    """Hits or losses in order. Walls are named as often as they take hits; a city that is lost pays for two (X9)."""

    offer: LossLists

    @property
    def everything(self) -> list[str]:
        return [tag for tag, most in self.offer.targets.items() for _ in range(most)]

    @property
    def mine(self) -> list[str]:
        """What was picked; where everything is hit there is nothing to pick."""
        mine = self.picked("counters", self.offer.targets)
        is_forced = self.desk.view.question == "losses" and len(self.everything) <= self.offer.count
        return mine or (self.everything if is_forced else [])

    def press(self, field: str, value: str) -> None:
        if field != "counters" or value not in self.offer.targets:
            return
        offer, mine = self.offer, self.mine
        if value in offer.whole and value not in mine and self.is_next(value):
            mine = self.with_whole(value)
        elif mine.count(value) < offer.targets[value] and len(mine) < offer.count and self.is_next(value):
            mine = [*mine, value]
        else:
            mine = [each for each in mine if each != value and (value not in offer.first or each in offer.first)]
        self.picks["counters"] = list(offer.enough) if self.is_enough(mine) else mine

    def is_next(self, tag: str) -> bool:
        """Whether those that must be used up first are (X21)."""
        mine = self.mine
        first = self.offer.first
        return tag in first or all(mine.count(each) == self.offer.targets[each] for each in first)

    def is_enough(self, mine: list[str]) -> bool:
        return bool(self.offer.enough) and set(self.offer.enough) <= set(mine)

    def with_whole(self, tag: str) -> list[str]:
        mine, first = self.mine, self.offer.first
        kept, rest = [each for each in mine if each in first], [each for each in mine if each not in first]
        whole = [tag] * self.offer.targets[tag]
        return [*kept, *rest[: max(0, self.offer.count - len(kept) - len(whole))], *whole]

    def action(self) -> Action:
        return Lose(tuple(self.mine))

    def draw(self) -> SafeString:
        mine = self.mine
        many = f"{len(mine)} of {self.offer.count}"
        if self.is_enough(mine):
            many = f"All {len(mine)} creature{'' if len(mine) == 1 else 's'}"
        buttons = [self.target(tag, mine) for tag in self.offer.targets]
        go = line(self.as_suggested(), self.go(f"{many}: confirm", key="lose"))
        return self.block("", chips(*buttons), go, data_would_pick=as_json(Lose(("?",))))

    def suggested_action(self) -> Action | None:
        return self.desk.advised_losses

    def as_suggested(self) -> SafeString:
        """One press for what a sensible player would lose, as long as there is a choice."""
        action = self.suggested_action()
        if action is None or (self.mine and not self.is_touched("counters")):
            return SafeString("")
        tags = plain(action)["counters"]
        counts = {tag: tags.count(tag) for tag in tags}
        names = [self.desk.name(tag) + (f" ×{count}" if count > 1 else "") for tag, count in counts.items()]
        css = "small" if self.picks.get("counters") else self.desk.standing_out()
        return element(
            "button",
            f"As suggested: {', '.join(names)}",
            name="control",
            value=f"{self.key} {SUGGESTED}",
            class_=f"button {css}",
            data_key="suggested",
            data_points=self.desk.hexes_of(action),
            data_action=as_json(action),
        )

    def target(self, tag: str, mine: list[str]) -> SafeString:
        order = ", ".join(str(number) for number, each in enumerate(mine, start=1) if each == tag)
        most = self.offer.targets[tag]
        text = self.desk.name(tag) + (f" ×{most}" if most > 1 else "")
        is_shut = not order and (not self.is_next(tag) or self.is_enough(mine))
        return self.chip(tag, bool(order), text, data_order=order, disabled="" if is_shut else None)


class BribeControl(Control):
    offer: Bribes

    @property
    def mine(self) -> list[str]:
        """What was picked; at first whom a sensible player would pay."""
        advised = self.desk.advised_fields("bribe")
        if advised and not self.is_touched("counters"):
            return list(advised["counters"])
        return self.picked("counters", self.offer.prices)

    def press(self, field: str, value: str) -> None:
        if field == "counters":
            self.picks["counters"] = self.mine
            self.toggle("counters", value, len(self.offer.prices))

    def action(self) -> Action:
        return Bribe(tuple(self.mine))

    def draw(self) -> SafeString:
        mine, prices = self.mine, self.offer.prices
        cost = sum(prices[tag] for tag in mine)
        buttons = [self.chip(tag, tag in mine, f"{self.desk.name(tag)}: {price} gold") for tag, price in prices.items()]
        text = f"Pay {cost} of {self.offer.gold} gold" if mine else "Bribe nobody: fight"
        return self.block("", chips(*buttons), line(self.go(text)), data_would_pick=as_json(Bribe(("?",))))


class DrawControl(Control):
    offer: Draws

    @property
    def traded(self) -> list[str]:
        return self.picked("traded", self.offer.tradable)

    @property
    def counts(self) -> dict[str, str]:
        price = self.offer.price
        paid = {str(count): f"{count} paid ({price * count} gold)" for count in range(1, self.offer.most_paid + 1)}
        return {"0": "none paid", **paid}

    def press(self, field: str, value: str) -> None:
        if field == "traded":
            self.toggle("traded", value, self.offer.most_traded)

    def action(self) -> Draw:
        return Draw(int(self.first("paid", list(self.counts))), tuple(self.traded))

    def draw(self) -> SafeString:
        offer, traded, action = self.offer, self.traded, self.action()
        can_trade = len(offer.tradable) > 1
        buttons = [self.chip(tag, tag in traded, field="traded") for tag in offer.tradable]
        return self.block(
            "",
            line(f"{offer.free} free", self.choice("Paid draws", "paid", self.counts, str(action.paid))),
            hint(TRADE) if can_trade else "",
            chips(*buttons) if can_trade else "",
            line(self.go(f"Draw {offer.drawn(action)}")),
        )


TRADE = "Two counters from your rack buy one more draw; everybody sees what you trade in."


class RecruitControl(Control):
    """Every hero with the odds; the likeliest is picked at first. "Recruit nobody" stands beside the roll."""

    offer: Attempts

    MOST_SHOWN = 60  # gold; more never helps
    WAYS = 36  # of two dice
    HOPELESS = 6  # a roll with fewer ways to succeed is not suggested

    @property
    def amounts(self) -> dict[str, str]:
        most = min(self.offer.most_gold, self.MOST_SHOWN)
        step = self.offer.step
        return {str(gold): f"{gold} gold: +{gold // step}" if gold else "No gold" for gold in range(0, most + 1, step)}

    @property
    def gold(self) -> int:
        return int(self.first("gold", list(self.amounts)))

    def press(self, field: str, value: str) -> None:
        if field == "hero":
            self.picks["hero"] = [value]

    def action(self) -> Recruit:
        likeliest = sorted(self.offer.heroes, key=lambda tag: -self.ways(Recruit(tag, self.gold)))
        return Recruit(self.first("hero", likeliest), self.gold)

    def ways(self, action: Recruit) -> int:
        """How many of the 36 rolls of two dice win the hero."""
        need = self.offer.needs(action)
        return sum(one + other >= need for one in range(1, 7) for other in range(1, 7))

    def chance(self, action: Recruit) -> str:
        return f"{100 * self.ways(action) / self.WAYS:.0f} %"

    def draw(self) -> SafeString:
        action = self.action()
        kind = KINDS[self.face(action.hero).kind]
        _, powers, _ = cards()[kind.slug]
        return self.block(
            "",
            chips_of_heroes(*(self.hero(tag, action) for tag in self.offer.heroes)),
            hint(f"{kind.name}: {' '.join(powers)}"),
            hint(self.odds(action)),
            line(
                self.roll(action),
                self.choice("Gold before the roll", "gold", self.amounts, str(action.gold)),
                *self.nobody(),
            ),
        )

    def roll(self, action: Recruit) -> SafeString:
        """Stands out unless it is hopeless; but whoever has picked knows what they want."""
        paid = f", {action.gold} gold" if action.gold else ""
        text = f"Roll for {KINDS[self.face(action.hero).kind].name}{paid}: {self.chance(action)}"
        return self.go(text, key="roll", stands_out=bool(self.picks) or self.ways(action) >= self.HOPELESS)

    def nobody(self) -> list[SafeString]:
        found = [offer for offer in self.desk.view.offers if isinstance(offer, Exactly) and offer.do == "done"]
        return [ExactlyControl(self.desk, key_of(offer), offer).button() for offer in found]

    def face(self, tag: str) -> Face:
        """Heroes never lie face down."""
        found = self.desk.known[tag]
        assert isinstance(found, Face)
        return found

    def hero(self, tag: str, picked: Recruit) -> SafeString:
        """The hero's own counter, to be picked, and the odds."""
        is_on = tag == picked.hero
        counter = draw_counter(self.face(tag), class_="picked" if is_on else "")
        odds = element("span", self.chance(Recruit(tag, picked.gold)), class_="hero-odds number")
        press, pressed = (self.key, "hero", tag), "true" if is_on else "false"
        return self.desk.presses(join(counter, odds), press, css="hero", aria_pressed=pressed)

    def odds(self, action: Recruit) -> str:
        need, left = max(2, self.offer.needs(action)), self.desk.gold - action.gold
        free = "A try without gold costs nothing." if not action.gold else f"Leaves {left} of {self.desk.gold} gold."
        return f"Needs {need} on two dice: {self.chance(action)}. {free}"


def chips_of_heroes(*children: object) -> SafeString:
    return element("div", *children, class_="counters heroes-to-pick")


class CharmControl(Control):
    offer: Charms

    def draw(self) -> SafeString:
        """Changes that matter stand first."""
        choices = sorted(self.offer.choices, key=lambda each: not self.effect(*each))
        return self.block(self.desk.name(self.offer.item), chips(*(self.button(*each) for each in choices)))

    def button(self, thrower: int, die: int, change: int) -> SafeString:
        text = " ".join(filter(None, (self.text(thrower, die, change), self.effect(thrower, die, change))))
        action = PlayItem(self.offer.item, thrower=thrower, die=die, change=change)
        return self.desk.acts(text, action, css=self.desk.suggested(action), ask="Lucky Charm:")

    def text(self, thrower: int, die: int, change: int) -> str:
        """The die, or the total where only that counts, before and after."""
        roll = self.desk.view.under_way("roll")
        faces = roll["faces"][thrower]
        names = roll.get("names") or []
        thrown = names[thrower][die] if thrower < len(names) and die < len(names[thrower]) else ""
        seat = roll["throwers"][thrower]
        is_me = seat == self.desk.view.seat and not self.desk.scene.is_shared
        who = thrown or ("You" if is_me else self.desk.scene.names.get(seat, "Wild defenders"))
        if len(self.offer.choices) <= 4 and len(faces) > 1 and not roll.get("needs"):
            total = sum(faces) + roll["bonus"][thrower]
            return f"{who}: total {total} → {total + change}"
        return f"{who}: {faces[die]} → {faces[die] + change}"

    def effect(self, thrower: int, die: int, change: int) -> str:
        """What the change makes of the roll, where that can be told: a hit, a miss, enough, or too little."""
        roll = self.desk.view.under_way("roll")
        faces, needs = roll["faces"][thrower], roll.get("needs") or []
        if thrower < len(needs) and die < len(needs[thrower]):
            was, is_ = (is_hit(face, needs[thrower][die]) for face in (faces[die], faces[die] + change))
            return "" if was == is_ else "(hit)" if is_ else "(miss)"
        if thrower == 0 and (wish := roll.get("wish")):
            total = sum(faces) + roll["bonus"][thrower]
            was, is_ = total >= wish, total + change >= wish
            return "" if was == is_ else "(enough)" if is_ else "(too little)"
        return ""


class DefectionControl(Control):
    offer: Defections

    @property
    def advised(self) -> PlayEvent | None:
        advice = self.desk.advice
        return advice if isinstance(advice, PlayEvent) and advice in self.offer else None

    def action(self) -> PlayEvent:
        """What was picked; at first whom a sensible player would try to win."""
        advised = self.advised
        if advised is not None and not self.picks:
            return advised
        hero = self.first("hero", (*self.offer.pool, *self.offer.owned))
        roller = self.first("roller", self.offer.rollers) if hero in self.offer.pool else ""
        return PlayEvent(self.offer.event, hero, roller)

    def draw(self) -> SafeString:
        offer, desk, action = self.offer, self.desk, self.action()
        heroes = {tag: desk.name(tag) + desk.where(tag) for tag in (*offer.pool, *offer.owned)}
        rollers = {seat: f"{desk.scene.name(int(seat))} rolls for the hero" for seat in offer.rollers}
        name = desk.name(offer.event)
        stands_out = bool(self.picks) or desk.advice is None or self.advised is not None
        roller = self.choice("Who rolls for the hero", "roller", rollers, action.caster)
        go = self.go(
            "Play", key=f"play {offer.event}", ask=f"{name}: {desk.name(action.target)}.", stands_out=stands_out
        )
        hero = self.choice("Hero to defect", "hero", heroes, action.target)
        return self.block(name, line(hero, roller if action.caster else "", go))
