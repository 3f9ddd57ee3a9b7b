"""Draw static/art/gambit.svg and static/art/ui.svg from two icon packages.

The sprites are checked in; run this only to change a picture:

    cd /tmp && npm pack @iconify-json/game-icons@1.2.4 @iconify-json/lucide@1.2.137
    mkdir game lucide
    tar xzf iconify-json-game-icons-1.2.4.tgz -C game
    tar xzf iconify-json-lucide-1.2.137.tgz -C lucide
    python tools/build_sprite.py game/package/icons.json lucide/package/icons.json

Use: <use href="{% static 'art/gambit.svg' %}#lion-dark" width="100" height="100"/>
     <svg class="icon" aria-hidden="true"><use href="{% static 'art/ui.svg' %}#flag"/></svg>
"""

import json
import sys
from pathlib import Path

ART = Path(__file__).resolve().parent.parent / "static" / "art"

# Both castles are our own drawings: the one piece that decides the game should be unmistakable.
CASTLE_LIGHT = (
    "M64 464V128h32v28h16v-28h32v28h16v-28h32V64h32v28h16V64h32v28h16V64h32v64h32v28h16v-28h32v28h16"
    "v-28h32v336H304v-88a48 48 0 0 0-96 0v88zM112 228v64h32v-64zM240 164v64h32v-64zM368 228v64h32v-64z"
)
CASTLE_DARK = (
    "M72 472V232H48l64-144 64 144h-24v64h48V168h-28l84-144 84 144h-28v128h48v-64h-24l64-144 64 144h-24"
    "v240H304v-56l-48-64-48 64v56zM240 208v56h32v-56zM100 272v56h24v-56zM388 272v56h24v-56z"
)

# kind: (light icon, dark icon, size of the icon on its base, is it a greater piece)
PIECES = {
    "soldier": ("swordman", "skull-crossed-bones", 63, False),
    "elf": ("elf-helmet", "orc-head", 64, False),
    "knight": ("visored-helm", "black-knight-helm", 55, True),
    "promoted": ("visored-helm", "black-knight-helm", 55, True),
    "lion": ("lion", "wolf-head", 60, True),
    "griffin": ("griffin-symbol", "wyvern", 60, True),
    "giant": ("giant", "ogre", 60, True),
    "paladin": ("winged-sword", "crowned-skull", 60, True),
    "castle": (CASTLE_LIGHT, CASTLE_DARK, 52, True),
}

DISC = '<circle cx="50" cy="{y}" r="{r}" {paint}/>'
OCTAGON = '<path d="M{a} {t}h{s}l{c} {c}v{s}l-{c} {c}h-{s}l-{c}-{c}v-{s}z" {paint}/>'


def disc(radius, paint, down=0):
    return DISC.format(y=50 + down, r=radius, paint=paint)


def octagon(radius, paint, down=0):
    cut = round(radius * 0.5, 1)
    side = round(2 * radius - 2 * cut, 1)
    return OCTAGON.format(a=50 - side / 2, t=50 - radius + down, s=side, c=cut, paint=paint)


# side: (shape, field, edge, inner line, inner line of the castle, charge)
SIDES = {
    "light": (disc, "#fdf6e3", "#5b4420", "#c9a65a", "#d39a1e", "#1f3d74"),
    "dark": (octagon, "#33202c", "#6b4250", "#a2533f", "#e0a93b", "#fbdcc0"),
}

STAR = "M82 8.5l3.4 6.9 7.6 1.1-5.5 5.4 1.3 7.6-6.8-3.6-6.8 3.6 1.3-7.6-5.5-5.4 7.6-1.1z"


def piece(kind, side, game_icons):
    """One symbol: shadow, base, inner line, charge; lesser pieces stand on a smaller base."""
    light, dark, size, greater = PIECES[kind]
    shape, field, edge, line, castle_line, charge = SIDES[side]
    icon = light if side == "light" else dark
    radius = (42 if side == "light" else 40.5) if greater else (35.5 if side == "light" else 34.5)
    size = size if greater else size * 0.82
    is_castle = kind == "castle"
    parts = [
        shape(radius + 1, 'fill="#000" opacity=".25"', down=3),
        shape(radius, f'fill="{field}" stroke="{edge}" stroke-width="3" stroke-linejoin="round"'),
    ]
    if greater:
        colour, width = (castle_line, 4.5) if is_castle else (line, 1.8)
        inset = 4.2 if is_castle else 4
        paint = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
        parts.append(shape(radius - inset, paint))
    body = f'<path fill-rule="evenodd" d="{icon}"/>' if is_castle else game_icons[icon]["body"]
    body = body.replace('fill="currentColor"', "").replace("<path  ", "<path ")
    scale, at = round(size / 512, 4), round(50 - size / 2, 2)
    parts.append(f'<g fill="{charge}" transform="translate({at} {at}) scale({scale})">{body}</g>')
    if kind == "promoted":
        parts.append('<circle cx="82" cy="19" r="15.5" fill="#7d1f22" stroke="#fff3d6" stroke-width="2.5"/>')
        parts.append(f'<path d="{STAR}" fill="#ffd873"/>')
    return f'<symbol id="{kind}-{side}" viewBox="0 0 100 100">{"".join(parts)}</symbol>'


# our name: lucide's name
UI = {
    "turn": "hourglass",
    "flag": "flag",
    "handshake": "handshake",
    "undo": "undo-2",
    "chat": "message-circle",
    "send": "send",
    "sound-on": "volume-2",
    "sound-off": "volume-x",
    "eye": "eye",
    "robot": "bot",
    "person": "user",
    "people": "users",
    "crown": "crown",
    "trophy": "trophy",
    "link": "link",
    "copy": "copy",
    "settings": "settings",
    "dice": "dices",
    "clock": "clock",
    "first": "chevrons-left",
    "prev": "chevron-left",
    "next": "chevron-right",
    "last": "chevrons-right",
    "down": "chevron-down",
    "flip": "arrow-up-down",
    "sun": "sun",
    "moon": "moon",
    "auto": "sun-moon",
    "close": "x",
    "check": "check",
    "warning": "triangle-alert",
    "info": "info",
    "menu": "menu",
    "more": "ellipsis",
    "plus": "plus",
    "key": "key",
    "mail": "mail",
    "bell": "bell",
    "lock": "lock",
    "globe": "globe",
    "play": "play",
    "swords": "swords",
    "rematch": "repeat",
    "reload": "rotate-ccw",
    "book": "book-open",
    "log-in": "log-in",
    "log-out": "log-out",
    "offline": "wifi-off",
    "pencil": "pencil",
    "list": "list",
    "join": "user-plus",
    "device": "monitor-smartphone",
    "download": "download",
    "castle": "castle",
}


def ui_icon(name, body):
    return f'<symbol id="{name}" viewBox="0 0 24 24">{body}</symbol>'


def sprite(symbols, credit):
    body = "\n".join(symbols)
    return f'<!-- {credit} -->\n<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'


def main(game_path, lucide_path):
    game_icons = json.loads(Path(game_path).read_text())["icons"]
    lucide = json.loads(Path(lucide_path).read_text())["icons"]
    pieces = [piece(kind, side, game_icons) for kind in PIECES for side in SIDES]
    (ART / "gambit.svg").write_text(sprite(pieces, "Icons from game-icons.net, CC BY 3.0; see CREDITS.md"))
    icons = [ui_icon(name, lucide[source]["body"]) for name, source in UI.items()]
    (ART / "ui.svg").write_text(sprite(icons, "Lucide icons, ISC licence; see CREDITS.md"))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
