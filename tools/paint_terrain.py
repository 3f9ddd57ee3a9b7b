"""Paint static/art/terrain.svg for Kings & Things*: three tiles of each terrain, and the back of a tile.

The file is checked in; run this only to change a tile:

    python tools/paint_terrain.py

Every tile is a hexagon of radius 100 around 0 0 with a flat side up. Light comes from above and from the left. Shapes
of one colour are one path: a browser draws thirty-seven of these tiles, and few large paths are quicker than many.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

TERRAIN = Path(__file__).resolve().parents[1] / "static" / "art" / "terrain.svg"
VARIANTS = 3
RADIUS, HALF_HEIGHT = 100, 100 * math.sqrt(3) / 2

Point = tuple[float, float]


# ---- where things stand


def half_width(y: float, radius: float = RADIUS) -> float:
    """From the middle to the edge of a hexagon, at this height."""
    return radius - abs(y) / math.sqrt(3)


def is_inside(x: float, y: float, radius: float) -> bool:
    return abs(y) <= radius * math.sqrt(3) / 2 and abs(x) <= half_width(y, radius)


def scattered(chance: random.Random, count: int, apart: float, radius: float = 88) -> list[Point]:
    """At most so many places that keep apart from each other, the farthest ones first."""
    found: list[Point] = []
    for _ in range(count * 40):
        x, y = chance.uniform(-radius, radius), chance.uniform(-radius, radius)
        if is_inside(x, y, radius) and all(math.hypot(x - a, (y - b) * 1.25) >= apart for a, b in found):
            found.append((x, y))
        if len(found) == count:
            break
    return sorted(found, key=lambda at: at[1])


# ---- paths


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0").replace("-0.", "-.").removeprefix("0") or "0"


def drawn(pattern: str, *values: float) -> str:
    """A path with these numbers in the places of its question marks."""
    parts = pattern.split("?")
    assert len(parts) == len(values) + 1, pattern
    return parts[0] + "".join(number(value) + part for value, part in zip(values, parts[1:]))


def ellipse(x: float, y: float, rx: float, ry: float) -> str:
    return drawn("M? ?a? ? 0 1 0 ? 0a? ? 0 1 0 ? 0z", x - rx, y, rx, ry, 2 * rx, rx, ry, -2 * rx)


def circle(x: float, y: float, r: float) -> str:
    return ellipse(x, y, r, r)


def polygon(*corners: Point) -> str:
    first, *others = corners
    return drawn("M? ?", *first) + "".join(drawn("L? ?", *each) for each in others) + "z"


def filled(colour: str, *paths: str, opacity: float = 1) -> str:
    see_through = f' opacity="{opacity:.3g}"' if opacity < 1 else ""
    return f'<path fill="{colour}"{see_through} d="{"".join(paths)}"/>' if paths else ""


def lined(colour: str, width: float, *paths: str, opacity: float = 1) -> str:
    see_through = f' opacity="{opacity:.3g}"' if opacity < 1 else ""
    line = f'fill="none" stroke="{colour}" stroke-width="{number(width)}"{see_through}'
    return f'<path {line} stroke-linecap="round" stroke-linejoin="round" d="{"".join(paths)}"/>' if paths else ""


def hexagon(radius: float = RADIUS) -> str:
    return polygon(*((radius * math.cos(n * math.pi / 3), radius * math.sin(n * math.pi / 3)) for n in range(6)))


def below(y: float) -> str:
    """The part of a tile below this height."""
    edge, bottom = half_width(y), HALF_HEIGHT
    corners: list[Point] = [(-edge, y), (edge, y)]
    if y < 0:
        corners.append((RADIUS, 0))
    corners += [(RADIUS / 2, bottom), (-RADIUS / 2, bottom)]
    if y < 0:
        corners.append((-RADIUS, 0))
    return polygon(*corners)


def ground(colour: str, shade: str, steps: float = 0.07) -> list[str]:
    """The tile itself, darker towards the near side. In steps: a page that uses a tile does not get its gradients."""
    edges = range(-72, 84, 13)
    return [filled(colour, hexagon()), *(filled(shade, below(y), opacity=steps * 5 / len(edges)) for y in edges)]


def across(y: float, rise: float, wave: float, margin: float = 3) -> str:
    """A wavy line from edge to edge."""
    left, right = -half_width(y) + margin, half_width(y + rise) - margin
    third = (right - left) / 3
    return drawn("M? ?c? ? ? ? ? ?", left, y, third, -wave, 2 * third, rise + wave, right - left, rise)


# ---- the terrains


def forest(chance: random.Random) -> list[str]:
    shadows, dark, light, crowns, shine = [], [], [], [], []
    for x, y in scattered(chance, 46, 14.5, 84):
        size = chance.uniform(0.85, 1.15)
        if chance.random() < 0.66:
            w, h = 7 * size, 21 * size
            shadows.append(ellipse(x + 4, y + 6, 8 * size, 3))
            for top, wide in ((-h, 0.62), (-h * 0.72, 0.82), (-h * 0.42, 1.0)):
                foot = top + h * 0.55
                dark.append(polygon((x, y + 6 + top), (x + w * wide, y + 6 + foot), (x - w * wide, y + 6 + foot)))
                light.append(polygon((x, y + 6 + top), (x - w * 0.1, y + 6 + foot), (x - w * wide, y + 6 + foot)))
        else:
            r = 7.5 * size
            shadows.append(ellipse(x + 4, y + 6, r, 3.5))
            crowns.append(circle(x, y, r))
            shine.append(circle(x - r * 0.25, y - r * 0.3, r * 0.62))
    return [
        *ground("#6a9f50", "#1d3b18"),
        filled("#1d3b18", *shadows, opacity=0.35),
        filled("#35682f", *crowns),
        filled("#5e9a3f", *shine),
        filled("#21512c", *dark),
        filled("#3c7d42", *light),
    ]


def jungle(chance: random.Random) -> list[str]:
    dark, middle, light = [], [], []
    for x, y in scattered(chance, 52, 13, 88):
        r = chance.uniform(7.5, 11)
        dark.append(circle(x + 1.2, y + 2, r))
        middle.append(circle(x - 0.6, y - 0.8, r * 0.84))
        light.append(circle(x - r * 0.3, y - r * 0.38, r * 0.36))
    trunks, fronds, tips = [], [], []
    for x, y in scattered(chance, 9, 34, 70):
        lean = chance.uniform(-4, 4)
        top_x, top_y = x + lean, y - 15
        trunks.append(drawn("M? ?q? ? ? ?", x, y + 9, lean, -8, lean, -24))
        for reach, drop in ((-15, 5), (-11, -5), (12, -5), (15, 5), (-5, 9), (6, 9)):
            path = drawn("M? ?q? ? ? ?", top_x, top_y, reach * 0.55, min(drop, 0) - 5, reach, drop)
            (tips if drop < 0 else fronds).append(path)
    return [
        *ground("#1f7a5c", "#062a20", 0.09),
        filled("#0d4634", *dark),
        filled("#1b6a4c", *middle),
        filled("#35946a", *light, opacity=0.75),
        lined("#5b4526", 2.6, *trunks),
        lined("#58b183", 3, *fronds),
        lined("#8fd9a8", 2.4, *tips),
    ]


def mountain(chance: random.Random) -> list[str]:
    found = ground("#a8978a", "#3a2d25", 0.08)
    boulders, tops = [], []
    for x, y in scattered(chance, 16, 20, 86):
        boulders.append(ellipse(x, y, 3.4, 2.2))
        tops.append(ellipse(x - 0.7, y - 0.8, 2, 1.1))
    found += [filled("#6e5d51", *boulders), filled("#c3b5aa", *tops)]
    for x, y in scattered(chance, 8, 37, 70):
        w, h = chance.uniform(19, 25), chance.uniform(32, 43)
        peak = (x + chance.uniform(-3, 3), y + 14 - h)
        foot, left, right = y + 14, (x - w, y + 14), (x + w, y + 14)
        ridge = (peak[0] + w * 0.22, foot)
        snow = 0.36
        mid_left, mid_right = between(peak, left, snow), between(peak, right, snow)
        notch = between(peak, ridge, snow * 0.72)
        found += [
            filled("#2f241d", ellipse(x + 6, foot, w * 1.05, 5), opacity=0.32),
            filled("#b09d8e", polygon(peak, ridge, left)),
            filled("#655448", polygon(peak, right, ridge)),
            lined("#8d7a6c", 1.4, drawn("M? ?L? ?", *between(peak, left, 0.62), *between(ridge, left, 0.36))),
            filled("#fdfcfa", polygon(peak, notch, between(notch, mid_left, 0.45), mid_left)),
            filled("#cdd4dc", polygon(peak, mid_right, between(notch, mid_right, 0.4), notch)),
        ]
    return found


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def plains(chance: random.Random) -> list[str]:
    fields = [ellipse(x, y, chance.uniform(20, 30), chance.uniform(7, 10)) for x, y in scattered(chance, 4, 42, 58)]
    grass, blades, bushes, shine, shadows, flowers = [], [], [], [], [], []
    for x, y in scattered(chance, 44, 14, 88):
        grass.append(drawn("M? ?q-.5-5-3-7m3 7q.5-5 3-7", x, y + 4))
        blades.append(drawn("M? ?v-8", x, y + 4))
    for x, y in scattered(chance, 5, 44, 72):
        shadows.append(ellipse(x + 2.5, y + 4, 7, 3))
        bushes.append(circle(x, y, 6) + circle(x + 5, y + 1.6, 4.2))
        shine.append(circle(x - 1.6, y - 1.8, 3.4))
    for x, y in scattered(chance, 14, 20, 82):
        flowers.append(circle(x, y, 1.3))
    return [
        *ground("#d3d878", "#5d6a12", 0.05),
        filled("#e6d98a", *fields, opacity=0.55),
        lined("#8f9f37", 1.5, *grass),
        lined("#a9b84c", 1.5, *blades),
        filled("#fffbe6", *flowers),
        filled("#4d5a18", *shadows, opacity=0.35),
        filled("#5d8a34", *bushes),
        filled("#86b24c", *shine),
    ]


def desert(chance: random.Random) -> list[str]:
    crests, slopes = [], []
    for y in range(-70, 74, 18):
        height = y + chance.uniform(-3, 3)
        wave, rise = chance.uniform(5, 11) * chance.choice((-1, 1)), chance.uniform(-4, 4)
        crests.append(across(height, rise, wave))
        slopes.append(across(height + 3.2, rise, wave))
    cacti, lights, shadows, stones = [], [], [], []
    for x, y in scattered(chance, 4, 50, 64):
        shadows.append(ellipse(x + 4, y + 9, 8, 2.4))
        cacti.append(drawn("M? ?v-18m0 11h-5v-6m5 2h5v-7", x, y + 9))
        lights.append(drawn("M? ?v-15", x - 0.9, y + 7))
    for x, y in scattered(chance, 12, 22, 84):
        stones.append(ellipse(x, y, chance.uniform(1.2, 2.4), 1.1))
    return [
        *ground("#eecf8c", "#8a5a14", 0.055),
        lined("#c99a4c", 3.4, *slopes, opacity=0.5),
        lined("#fbe9bd", 2.2, *crests),
        filled("#a87b3a", *stones, opacity=0.7),
        filled("#6d4510", *shadows, opacity=0.3),
        lined("#3f6b34", 3.8, *cacti),
        lined("#79a356", 1.2, *lights),
    ]


def swamp(chance: random.Random) -> list[str]:
    rims, water, glints, moss = [], [], [], []
    ponds = scattered(chance, 9, 36, 74)
    for x, y in ponds:
        rx, ry = chance.uniform(13, 19), chance.uniform(5, 7.5)
        rims.append(ellipse(x, y + 1.4, rx + 2.6, ry + 2))
        water.append(ellipse(x, y, rx, ry))
        glints.append(drawn("M? ?h?m? ?h?", x - rx * 0.5, y - 1.6, rx * 0.6, -rx * 0.2, 3.4, rx * 0.7))
    for x, y in scattered(chance, 26, 17, 88):
        moss.append(ellipse(x, y, chance.uniform(4, 8), 2.2))
    reeds, heads = [], []
    for x, y in scattered(chance, 30, 15, 86):
        for lean in (-4.2, -0.6, 3.4):
            reeds.append(drawn("M? ?q? ? ? ?", x, y + 6, lean * 0.2, -9, lean, -14 - abs(lean)))
        heads.append(drawn("M? ?l-.4-4.6", x - 0.6, y - 9))
    return [
        *ground("#8a8c5c", "#2a2d14", 0.08),
        filled("#6f7a44", *moss, opacity=0.8),
        filled("#4a4f2b", *rims),
        filled("#5f8288", *water),
        lined("#a9c7c4", 1.5, *glints),
        lined("#3f4a22", 1.5, *reeds),
        lined("#7a4f2a", 2.8, *heads),
    ]


def frozen_waste(chance: random.Random) -> list[str]:
    drifts = [
        drawn("M? ?q? ? ? 0q? ? ? 0z", x - 17, y, 17, -9, 34, -17, 4.5, -34) for x, y in scattered(chance, 9, 32, 72)
    ]
    cracks = []
    for x, y in scattered(chance, 6, 34, 72):
        cracks.append(drawn("M? ?l? ?l? ?l? ?", x - 9, y, 7, 3, 5, -4, 8, 3))
    shadows, lit, shaded = [], [], []
    for x, y in scattered(chance, 12, 28, 78):
        for dx, size in ((-5, chance.uniform(0.8, 1.1)), (4.5, chance.uniform(0.55, 0.85))):
            h, w, foot = 17 * size, 7 * size, y + 6
            shadows.append(ellipse(x + dx + 3, foot, w, 1.9))
            lit.append(polygon((x + dx, foot - h), (x + dx + w * 0.2, foot), (x + dx - w, foot)))
            shaded.append(polygon((x + dx, foot - h), (x + dx + w, foot), (x + dx + w * 0.2, foot)))
    return [
        *ground("#eff5fb", "#3f78ad", 0.055),
        filled("#ffffff", *drifts, opacity=0.9),
        lined("#9fc3de", 1.5, *cracks),
        filled("#4a7aa3", *shadows, opacity=0.28),
        filled("#ffffff", *lit),
        filled("#9cc0de", *shaded),
    ]


def sea(chance: random.Random) -> list[str]:
    deep = [ellipse(x, y, chance.uniform(22, 34), chance.uniform(7, 11)) for x, y in scattered(chance, 4, 46, 56)]
    crests, small, foam = [], [], []
    for x, y in scattered(chance, 30, 19, 84):
        if chance.random() < 0.5:
            crests.append(drawn("M? ?q4-5.5 8 0t8 0", x - 8, y))
        else:
            small.append(drawn("M? ?q3-4 6 0t6 0", x - 6, y))
    for x, y in scattered(chance, 9, 30, 80):
        foam.append(circle(x, y, 1))
    return [
        *ground("#62a8de", "#0a2f66", 0.1),
        filled("#1d5f9f", *deep, opacity=0.22),
        lined("#b9def6", 2, *crests),
        lined("#8fc4ea", 1.6, *small),
        filled("#eaf6ff", *foam),
    ]


def unknown(chance: random.Random) -> list[str]:
    """The back of a tile: a compass rose on worn leather."""
    turn = chance.uniform(-6, 6)
    spots = [circle(x, y, chance.uniform(0.8, 1.8)) for x, y in scattered(chance, 26, 15, 86)]
    scratches = [
        drawn("M? ?l? ?", x, y, chance.uniform(7, 15), chance.uniform(-3, 3)) for x, y in scattered(chance, 8, 30, 76)
    ]
    long_rays, short_rays = rose(turn, 50, 11), rose(turn + 45, 32, 10)
    return [
        *ground("#b79a72", "#4d3412", 0.07),
        filled("#7d6138", *spots, opacity=0.35),
        lined("#8f7248", 1.2, *scratches, opacity=0.6),
        lined("#7a5c32", 2.4, hexagon(87), opacity=0.75),
        lined("#e2cba2", 1.1, hexagon(82), opacity=0.7),
        lined("#7a5c32", 1.8, circle(0, 0, 36), circle(0, 0, 31), opacity=0.8),
        *(filled("#8a6a3c", right) + filled("#d9c096", left) for left, right in short_rays),
        *(filled("#5c4120", right) + filled("#ecd9b4", left) for left, right in long_rays),
        filled("#5c4120", circle(0, 0, 4)),
    ]


def rose(turn: float, reach: float, wide: float) -> Iterator[tuple[str, str]]:
    """Four rays of a compass, each a light and a dark half."""
    for quarter in range(4):
        along = math.radians(turn + 90 * quarter)
        tip = (reach * math.sin(along), -reach * math.cos(along))
        sides = [
            (wide * math.sin(along + side), -wide * math.cos(along + side)) for side in (-math.pi / 4, math.pi / 4)
        ]
        yield polygon((0, 0), sides[0], tip), polygon((0, 0), tip, sides[1])


PAINTED: dict[str, Callable[[random.Random], list[str]]] = {
    "desert": desert,
    "forest": forest,
    "frozen-waste": frozen_waste,
    "jungle": jungle,
    "mountain": mountain,
    "plains": plains,
    "swamp": swamp,
    "sea": sea,
    "unknown": unknown,
}


# ---- the file


def tile(name: str, variant: int) -> str:
    body = "".join(PAINTED[name](random.Random(f"{name} {variant}")))
    return f'<symbol id="{name}-{variant}" viewBox="-100 -87 200 174">{body}</symbol>'


def terrain() -> str:
    tiles = "\n".join(tile(name, variant) for name in PAINTED for variant in range(VARIANTS))
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{tiles}\n</svg>\n'


if __name__ == "__main__":
    TERRAIN.write_text(terrain())
    print(f"{TERRAIN}: {TERRAIN.stat().st_size} bytes")
