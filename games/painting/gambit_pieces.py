"""Gambit of Kings in a few words: the goal, and how each piece moves. The table and the rules page both show these."""

from __future__ import annotations

from dataclasses import dataclass

GOAL = (
    "Capture your opponent’s Castle, and you have won. There is no check: nobody stops you from leaving your own "
    "Castle unguarded."
)


@dataclass(frozen=True)
class Moves:
    """How a kind of piece moves, and the rule that says so."""

    rule: str
    text: str


HOW = {
    "soldier": Moves(
        "G5",
        "One step sideways or forward, with or without a capture. Or two steps forward over an empty square onto an "
        "empty square, from any row. Never backward, never diagonally.",
    ),
    "elf": Moves("G6", "One or two steps diagonally in any of the four directions. It can’t jump."),
    "knight": Moves("G6", "One to three steps in a straight line, in any of the eight directions. It can’t jump."),
    "promoted": Moves(
        "G9",
        "One to three steps in a straight line, in any of the eight directions. It can’t jump. It was promoted, and "
        "counts as a greater piece.",
    ),
    "lion": Moves(
        "G7",
        "One step forward, back or sideways. It can stop there, or continue one or two steps diagonally in the "
        "same general direction. To continue, the first square must be empty.",
    ),
    "griffin": Moves(
        "G4",
        "One to three squares along a row or a column, flying over any piece in between except a Giant or an Ogre.",
    ),
    "giant": Moves(
        "G8",
        "One to three steps sideways, forward or diagonally forward; never back. Soldiers, Skeletons, Elves "
        "and Orcs are too small to capture it, and nothing can fly over it.",
    ),
    "paladin": Moves(
        "G6", "Any distance in a straight line, in any of the eight directions. It is the strongest piece."
    ),
    "castle": Moves("G10", "It never moves and never captures. Lose it and you lose the game."),
}
