"""What the JSON API takes and gives, field by field. ninja checks it and describes it at /api/v1/docs."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict, StrictBool, StrictInt, StrictStr

from .clocks import CLOCKS, PACES
from .registry import ENTRIES

MOST_SAMPLES = 50
LARGEST_PAGE = 50
LARGEST = 2**31 - 1


# ---- what comes in


class Body(Schema):
    """Only what is named here: a misspelt field is refused, not ignored."""

    model_config = ConfigDict(extra="forbid")


class SeatIn(Body):
    kind: Literal["me", "open", "link", "bot", "same_device"] = Field(
        description="me; open to anyone; by invitation link; a bot; or somebody on the host's own device"
    )
    level: StrictStr = Field("", max_length=20, description="which bot, by its name in GET games")
    name: StrictStr = Field("", max_length=60, description="who sits there, on the host's own device")


class TableIn(Body):
    game: StrictStr = Field(max_length=20, examples=list(ENTRIES))
    options: dict[StrictStr, StrictStr] = Field(default_factory=dict, max_length=40)
    seats: list[SeatIn] = Field(max_length=8)
    public: StrictBool = True
    hand_over: StrictBool = Field(True, description="hide the table between two seats of one device")
    pace: StrictStr = Field(
        "", max_length=10, description="live, evening or days; empty for no hurry", examples=[*PACES]
    )
    clock: StrictStr = Field(
        "", max_length=20, description="none, or one that fits the pace; the usual one if empty", examples=[*CLOCKS]
    )
    least_reliability: StrictInt = Field(
        0, ge=0, le=100, description="whoever joins has answered so many per cent of their questions in time"
    )


class JoinIn(Body):
    seat: StrictInt | None = Field(default=None, ge=0, le=99, description="any free one if left out")
    invite: StrictStr = Field(default="", max_length=64, description="the key in an invitation link")


class SeatChoice(Body):
    seat: StrictInt | None = Field(None, ge=0, le=99, description="the first one if left out")


class SeatNumber(Body):
    seat: StrictInt = Field(ge=0, le=99)


class PauseIn(Body):
    hours: StrictInt | None = Field(
        ge=0, le=1000, description="1, 24, 72 or 168; 0 for the end of a pause; null to refuse what was asked for"
    )


class LostLinkIn(SeatNumber):
    answer: Literal["agree", "refuse"]


class ActionIn(Body):
    action: dict[str, Any] = Field(examples=[{"do": "move", "source": "a2", "target": "a4"}])
    revision: StrictInt = Field(ge=0, le=LARGEST, description="the revision you looked at")
    token: StrictStr = Field(
        max_length=64, description="8 to 64 characters, new for every action; the same again repeats nothing"
    )
    decision: StrictStr = Field("", max_length=64, description="the question you answer, if you were told one")
    seat: StrictInt | None = Field(None, ge=0, le=99, description="if several seats are yours")


Show = Literal["mine", "waiting", "open", "watch", "finished"]


class ListQuery(Schema):
    show: Show = Field("mine", description="waiting: for you; open: to join; watch: being played in public")
    page: int = Field(1, ge=1, le=100_000)
    size: int = Field(20, ge=1, le=LARGEST_PAGE)


class SeatQuery(Schema):
    seat: int | None = Field(None, ge=0, le=99, description="if several seats are yours")


class LookQuery(SeatQuery):
    sample: int = Field(0, ge=0, le=MOST_SAMPLES, description="how many legal actions to pick for you")
    invite: str = Field("", max_length=64, description="an invitation's key, to look before you sit down")


class LogQuery(SeatQuery):
    since: int = Field(-1, ge=-1, le=LARGEST, description="only what happened after this revision")


# ---- what goes out


class Refusal(Schema):
    code: str
    sentence: str
    rule: str


class Stale(Refusal):
    revision: int | None = Field(None, description="for code stale: how the game stands now")


class OptionOut(Schema):
    name: str
    label: str
    choices: dict[str, str] = Field(description="value: what it means; none for a free text")
    default: str
    help: str


class LevelOut(Schema):
    name: str
    title: str
    help: str


class GameOut(Schema):
    game: str
    name: str
    version: str
    players: list[int] = Field(description="how many can play")
    seats: list[str]
    options: list[OptionOut]
    bots: list[LevelOut]


class SeatOut(Schema):
    number: int
    title: str = Field(description="the side this seat plays; empty before the start, when seats may still change")
    name: str = Field(description="who sits there; empty for nobody yet")
    kind: Literal["player", "bot", "free"]
    bot: str = Field(description="the bot's level; empty for people")
    held_for: str = Field(description="who a free seat waits for: anyone, link, host")
    mine: bool
    asked: bool
    due_at: str | None = Field(
        description="when a bot takes over unless the question is answered; null if nothing runs"
    )
    bank: int | None = Field(
        description="seconds in reserve, beside the time of the present question; null without a clock"
    )


class TableOut(Schema):
    id: str
    url: str
    game: str
    status: Literal["open", "running", "finished", "cancelled"]
    revision: int
    options: dict[str, Any]
    pace: str = Field(description="live, evening or days; empty for no hurry")
    clock: str = Field(description="the clock's name, e.g. live-30 or days-8; empty for none")
    least_reliability: int = Field(description="in per cent; 0 for anybody")
    deadline: str | None = Field(
        description="when time runs out next, for a seat or for hidden reactions; null for never"
    )
    paused_until: str | None = Field(description="no clock runs before this moment, as everybody agreed")
    pause_asked: int | None = Field(description="somebody asks for a pause of so many hours, or for its end (0)")
    public: bool
    lesson: bool
    host: str
    seats: list[SeatOut]
    created_at: str
    moved_at: str | None


class WantedOut(Schema):
    seat: int
    name: str
    code: str = Field(description="four letters that the browser that asks shows as well")
    yours: bool = Field(description="it is your own seat: you may refuse")
    may_agree: bool = Field(description="false where nobody has to agree, as in a game of two")
    opens_at: str | None = Field(description="when the seat opens unless refused; null where all others must agree")


class DetailOut(TableOut):
    seat: int | None = Field(description="the seat looked from; null for a spectator")
    asked: list[int] = Field(description="the seats the game waits for")
    decision: str = Field(description="names the question put to this seat; empty when there is none")
    offers: list[dict[str, Any]] = Field(description="everything this seat may do now")
    view: dict[str, Any] | None = Field(description="what this seat sees; null before the start")
    result: dict[str, Any] | None
    dice: dict[str, str] = Field(description="the published commitments of the two streams of chance")
    may_go_on: bool = Field(description="a wait for answers has taken days, and you may end it: POST go-on")
    invite_url: str = Field(description="for the host; empty for others")
    wanted: list[WantedOut] = Field(description="seats that guests who lost their link ask for, told to the players")
    sample: list[dict[str, Any]] | None = Field(None, description="actions that are legal now, if asked for")


class TablesOut(Schema):
    tables: list[TableOut]
    page: int
    pages: int
    count: int


class LineOut(Schema):
    revision: int
    event: str
    text: str
    rule: str
    facts: dict[str, Any]
    taken_back: bool


class LogOut(Schema):
    revision: int
    lines: list[LineOut]


class OutcomeOut(Schema):
    revision: int
    repeated: bool = Field(description="this token's action had been done before; nothing was done again")


class LeftOut(Schema):
    id: str
    status: str
