"""A searcher for Gambit of Kings: iterative deepening alpha-beta with a budget of positions instead of a clock.

The same position, budget, history and jitter give the same answer on every machine: nothing here reads a clock or
depends on the order of a set or on how Python seeds its hashes.

Scores are in hundredths of a Soldier, from the side to move's point of view.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..gambit.board import BIT, PIECES, SIZE, SQUARES, Key, Position
from ..gambit.catalogue import DARK, KIND, LIGHT
from ..gambit.moves import CASTLE, QUIET_LIMIT, after, is_attacked, line_from, targets

LEVELS: dict[int, int] = {1: 10_000, 2: 50_000, 3: 170_000}
"""Positions looked at for one move, by level: about 0.2, 1 and 3 seconds."""

WIN = 100_000
SURE = WIN - 1_000
DEEPEST = 40

Move = tuple[int, int]
NO_MOVE: Move = (-1, -1)
CODE_COUNT = max(PIECES) + 1


@dataclass(frozen=True)
class SearchResult:
    """The move to make; `line` is the play expected from it, `nodes` what it cost."""

    move: Move
    score: int
    depth: int
    nodes: int
    line: tuple[Move, ...]


class Spent(Exception):
    """The budget is used up."""


def search(position: Position, nodes: int, history: Sequence[Key] = (), jitter: int = 0) -> SearchResult:
    """The best move found by looking at no more than this many positions.

    `history` has the keys of the positions already seen in this game. A `jitter` other than 0 shakes the worth of
    squares a little, so that games differ.
    """
    if not targets(position):
        raise ValueError("there is no move to search for")
    return Searcher(position, nodes, history, jitter).run()


# ---- what a position is worth

ADVANCE = (0, 0, 3, 6, 10, 16, 26, 45, 60, 30)
"""What a Soldier has gained by getting to a row: it promotes on the last, with a double step from the eighth."""

# Each kind's liking for a square, in hundredths of a Soldier: for each square it could go to from there on an empty
# board, for each square nearer to the opponent's Castle, and for standing next to its own.
LIKING: dict[str, tuple[int, int, int]] = {
    "soldier": (0, 0, 6),
    "elf": (4, 1, 8),
    "knight": (2, 7, 2),
    "promoted": (2, 7, 2),
    "lion": (3, 6, 0),
    "griffin": (1, 6, 0),
    "giant": (2, 4, 10),
    "paladin": (1, 4, 0),
}

SHAKE = 6
"""How far jitter may move the worth of a piece on a square, either way."""


def distance(one: int, other: int) -> int:
    return max(abs(one % SIZE - other % SIZE), abs(one // SIZE - other // SIZE))


def worth(kind: str, side: int, place: int, own_castle: int, other_castle: int) -> int:
    """What a piece is worth on a square: its value, room, and where the Castles are."""
    row = place // SIZE if side == LIGHT else SIZE - 1 - place // SIZE
    room, hunt, guard = LIKING[kind]
    total = KIND[kind].value
    total += room * sum(len(line_from(place, path, side)) for path in KIND[kind].paths)
    total += hunt * (SIZE - distance(place, other_castle))
    if distance(place, own_castle) == 1:
        total += guard
    if kind == "soldier":
        total += ADVANCE[row]
    return total


def shaken(jitter: int, code: int, place: int) -> int:
    """A number from -SHAKE to SHAKE that looks like chance and is the same everywhere."""
    mixed = (jitter * 0x9E3779B97F4A7C15 + code * 0xBF58476D1CE4E5B9 + place * 0x94D049BB133111EB) & (2**64 - 1)
    mixed ^= mixed >> 31
    mixed = mixed * 0xD6E8FEB86659FD93 & (2**64 - 1)
    return (mixed >> 40) % (2 * SHAKE + 1) - SHAKE


@functools.lru_cache(maxsize=16)
def plain_worths(castles: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    """By piece code and square; neither an empty square nor a Castle is worth anything."""
    table = [(0,) * SQUARES] * CODE_COUNT
    for code, (kind, side) in PIECES.items():
        if kind != "castle":
            table[code] = tuple(worth(kind, side, place, castles[side], castles[1 - side]) for place in range(SQUARES))
    return tuple(table)


def worths(castles: tuple[int, int], jitter: int) -> tuple[tuple[int, ...], ...]:
    """The same, shaken; a Castle and an empty square stay as they are."""
    plain = plain_worths(castles)
    if not jitter:
        return plain
    return tuple(
        tuple(each + shaken(jitter, code, place) for place, each in enumerate(row)) if any(row) else row
        for code, row in enumerate(plain)
    )


VALUE = tuple(KIND[PIECES[code][0]].value or WIN if code in PIECES else 0 for code in range(CODE_COUNT))
"""What taking a piece brings, by its code; a Castle brings the game."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

HOPE = (0, 120, 480)
"""By plies left: a side this far behind what it needs is not expected to catch up by a quiet move."""


class Searcher:
    """One search; all it learns is forgotten with it, so that no search depends on earlier ones."""

    def __init__(self, position: Position, budget: int, history: Sequence[Key], jitter: int) -> None:
        self.root = position
        self.budget = max(budget, 1)
        self.nodes = 0
        self.castles = (position.cells.find(CASTLE + LIGHT), position.cells.find(CASTLE + DARK))
        self.worth = worths(self.castles, jitter)
        # What has been found out about positions: plies looked ahead, kind of bound, score, best move.
        self.known: tuple[dict[bytes, tuple[int, int, int, Move]], ...] = ({}, {})
        # Quiet moves that refuted something: the last two for each ply, and how often each did by piece and target.
        self.killers: list[list[Move]] = [[NO_MOVE, NO_MOVE] for _ in range(3 * DEEPEST)]
        self.success = [[0] * SQUARES for _ in range(CODE_COUNT)]
        # Positions of the game and of the line being looked at; coming back to one is taken for a draw.
        self.seen: tuple[set[bytes], ...] = (set(), set())
        for key in (*history, position.key()):
            self.seen[key[-1:] == b"b"].add(key[:-1])
        self.longest = 0

    def run(self) -> SearchResult:
        """Look deeper and deeper until the budget is spent; what an unfinished round has found still counts."""
        position = self.root
        score = self.balance(position)
        found = targets(position)
        moves = [*self.captures(position, found), *self.quiets(position, found, 0)]
        best, value, reached = moves[0], score, 0
        try:
            for depth in range(1, DEEPEST):
                self.longest = depth * 2 + 6
                alpha = -WIN
                for number, move in enumerate(moves):
                    found_value = self.try_move(position, score, move, depth, alpha, WIN, 0, number, 0)
                    if found_value > alpha:
                        alpha = value = found_value
                        best = move
                moves.remove(best)
                moves.insert(0, best)
                reached = depth
                if abs(value) > SURE or len(moves) == 1:
                    break
        except Spent:
            pass
        return SearchResult(best, value, reached, self.nodes, self.line(best))

    def line(self, best: Move) -> tuple[Move, ...]:
        """The play expected, as far as it is remembered."""
        moves = [best]
        position = after(self.root, *best)
        passed = {self.root.key()}
        while position.key() not in passed and len(moves) < DEEPEST:
            passed.add(position.key())
            _, _, _, move = self.known[position.turn].get(position.cells, (0, 0, 0, NO_MOVE))
            if move == NO_MOVE:
                break
            moves.append(move)
            position = after(position, *move)
        return tuple(moves)

    def balance(self, position: Position) -> int:
        """What the side to move has more than the other."""
        light = sum(self.worth[code][place] for place, code in enumerate(position.cells) if code & 1 == LIGHT)
        dark = sum(self.worth[code][place] for place, code in enumerate(position.cells) if code & 1 == DARK)
        return dark - light if position.turn else light - dark

    def spend(self) -> None:
        self.nodes += 1
        if self.nodes > self.budget:
            raise Spent

    # ---- moves, likeliest first

    def captures(self, position: Position, found: list[tuple[int, int]]) -> list[Move]:
        """The fattest prey first, and of its hunters the least."""
        cells = position.cells
        other = position.light if position.turn else position.dark
        moves = []
        for source, reached in found:
            rest = reached & other
            while rest:
                target = rest.bit_length() - 1
                rest ^= BIT[target]
                moves.append((16 * VALUE[cells[target]] - VALUE[cells[source]], source, target))
        moves.sort(reverse=True)
        return [(source, target) for _, source, target in moves]

    def quiets(self, position: Position, found: list[tuple[int, int]], ply: int) -> list[Move]:
        """First the killers of this ply, then by how often such a move has helped and what it gains at once."""
        cells = position.cells
        empty = ~(position.light | position.dark)
        scored = []
        for source, reached in found:
            rest = reached & empty
            code = cells[source]
            success, worth = self.success[code], self.worth[code]
            here = worth[source]
            while rest:
                target = rest.bit_length() - 1
                rest ^= BIT[target]
                scored.append((success[target] + worth[target] - here, source, target))
        scored.sort(reverse=True)
        moves = [(source, target) for _, source, target in scored]
        for killer in reversed(self.killers[ply]):
            if killer in moves:
                moves.remove(killer)
                moves.insert(0, killer)
        return moves

    def staged(
        self, position: Position, found: list[tuple[int, int]], first: Move, ply: int, hopeless: bool
    ) -> Iterator[tuple[bool, Move]]:
        """Every move worth looking at and whether it is quiet: what was best before, captures, then the rest."""
        if first != NO_MOVE:
            yield False, first
        for move in self.captures(position, found):
            if move != first:
                yield False, move
        if not hopeless:
            for move in self.quiets(position, found, ply):
                if move != first:
                    yield True, move

    # ---- looking ahead

    def look(self, position: Position, score: int, depth: int, alpha: int, beta: int, ply: int, may_pass: bool) -> int:
        """What a position is worth to the side to move, looking `depth` plies ahead; `score` is its balance.

        Right if between alpha and beta, otherwise a bound. A threatened Castle is answered before anything is
        settled, so it costs no depth.
        """
        turn = position.turn
        cells = position.cells
        threatened = is_attacked(position, self.castles[turn], 1 - turn)
        if threatened and ply < self.longest:
            depth += 1
        if depth <= 0:
            return self.settle(position, score, alpha, beta, ply)
        self.spend()
        if position.quiet >= QUIET_LIMIT or cells in self.seen[turn]:
            return 0
        first = NO_MOVE
        known = self.known[turn].get(cells)
        if known is not None:
            first = known[3]
            if known[0] >= depth:
                value = from_here(known[2], ply)
                bound = known[1]
                if bound == EXACT or (value >= beta if bound == AT_LEAST else value <= alpha):
                    return value
        found = targets(position)
        if not found:
            return ply - WIN
        castle = BIT[self.castles[1 - turn]]
        for _, reached in found:
            if reached & castle:
                return WIN - ply - 1
        if may_pass and depth >= 2 and score >= beta and not threatened and beta < SURE:
            value = self.look_after_pass(position, score, depth - 3, beta, ply)
            if value >= beta:
                return value
        hopeless = depth < len(HOPE) and not threatened and score + HOPE[depth] <= alpha and alpha > -SURE
        return self.look_at_moves(position, found, first, score, depth, alpha, beta, ply, hopeless, threatened)

    def look_after_pass(self, position: Position, score: int, depth: int, beta: int, ply: int) -> int:
        """If even a pass is too good for the opponent to allow, a move is as well."""
        passed = Position(
            position.cells,
            position.light,
            position.dark,
            position.giants,
            1 - position.turn,
            position.quiet + 1,
            position.number,
        )
        value = -self.look(passed, -score, depth, -beta, 1 - beta, ply + 1, False)
        return min(value, SURE)

    def look_at_moves(
        self,
        position: Position,
        found: list[tuple[int, int]],
        first: Move,
        score: int,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        hopeless: bool,
        threatened: bool,
    ) -> int:
        cells = position.cells
        seen = self.seen[position.turn]
        seen.add(cells)
        best = score + HOPE[depth] if hopeless else -WIN
        best_move = NO_MOVE
        floor = alpha
        for number, (quiet, move) in enumerate(self.staged(position, found, first, ply, hopeless)):
            less = 0
            if quiet and depth >= 3 and number >= 4 and not threatened:
                less = 1 if number < 12 else 2
            value = self.try_move(position, score, move, depth, floor, beta, ply, number, less)
            if value > best:
                best, best_move = value, move
                if value > floor:
                    floor = value
                    if value >= beta:
                        break
        seen.discard(cells)
        if best >= beta and not cells[best_move[1]]:
            self.success[cells[best_move[0]]][best_move[1]] += depth * depth
            killers = self.killers[ply]
            if killers[0] != best_move:
                killers[:] = best_move, killers[0]
        bound = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
        self.known[position.turn][cells] = (depth, bound, from_root(best, ply), best_move)
        return best

    def try_move(
        self,
        position: Position,
        score: int,
        move: Move,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        number: int,
        less: int,
    ) -> int:
        """The worth of a move; all but the first are only asked whether they are better, and how much if they are.

        Unlikely moves are looked at `less` deep, and again in full if they surprise.
        """
        source, target = move
        cells, worth = position.cells, self.worth
        child = after(position, source, target)
        score += worth[child.cells[target]][target] - worth[cells[source]][source] + worth[cells[target]][target]
        depth -= 1
        ply += 1
        if number == 0:
            return -self.look(child, -score, depth, -beta, -alpha, ply, True)
        value = -self.look(child, -score, depth - less, -alpha - 1, -alpha, ply, True)
        if less and value > alpha:
            value = -self.look(child, -score, depth, -alpha - 1, -alpha, ply, True)
        if alpha < value < beta:
            value = -self.look(child, -score, depth, -beta, -alpha, ply, True)
        return value

    def settle(self, position: Position, score: int, alpha: int, beta: int, ply: int) -> int:
        """Captures only, until it is quiet; nobody has to capture."""
        self.spend()
        if score >= beta:
            return score
        turn = position.turn
        found = targets(position)
        if not found:
            return ply - WIN
        castle = BIT[self.castles[1 - turn]]
        for _, reached in found:
            if reached & castle:
                return WIN - ply - 1
        best = score
        alpha = max(alpha, score)
        cells, worth = position.cells, self.worth
        for source, target in self.captures(position, found):
            taken = VALUE[cells[target]]
            if score + taken + 100 <= alpha:
                break
            if VALUE[cells[source]] > taken + 50 and is_attacked(position, target, 1 - turn):
                continue
            child = after(position, source, target)
            gain = worth[child.cells[target]][target] - worth[cells[source]][source] + worth[cells[target]][target]
            value = -self.settle(child, -(score + gain), -beta, -alpha, ply + 1)
            if value > best:
                best = value
                if value >= beta:
                    break
                alpha = max(alpha, value)
        return best


# A win is worth less the further away it is. Positions are remembered with the distance from themselves, as the same
# one may be reached sooner or later.


def from_root(score: int, ply: int) -> int:
    if score > SURE:
        return score + ply
    return score - ply if score < -SURE else score


def from_here(score: int, ply: int) -> int:
    if score > SURE:
        return score - ply
    return score + ply if score < -SURE else score
