"""Tables of figures: medians over the rounds, with the range where there was more than one."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import TYPE_CHECKING

from .driving import Measured

if TYPE_CHECKING:
    from .runs import Counted, Idle, Soaked

COLUMNS: dict[str, Callable[[Measured], float]] = {
    "actions/s": lambda each: each.rate,
    "p50 ms": lambda each: each.at(0.5),
    "p95 ms": lambda each: each.at(0.95),
    "p99 ms": lambda each: each.at(0.99),
    "cpu ms": lambda each: each.processor,
    "B/action": lambda each: bytes_per_action(each),
    "MB/table": lambda each: each.extra.get("MB/table", math.nan),
    "kB/socket": lambda each: each.extra.get("kB/socket", math.nan),
    "others": lambda each: each.others,
}

# By rate is what counts. By cost (actions a second of the server's own processor time) holds on a busy machine, too.
RATIOS: tuple[Callable[[Measured], float], ...] = (lambda each: each.rate, lambda each: 1 / max(each.processor, 1e-9))
YARDSTICK = "yardstick"


def bytes_per_action(each: Measured) -> float:
    return (each.counts.get("socket bytes", 0) + each.counts.get("answer bytes", 0)) / max(1, each.actions)


def number(value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def told(values: list[float]) -> str:
    values = [value for value in values if not math.isnan(value)]
    if not values:
        return ""
    found = number(statistics.median(values))
    return found if len(values) == 1 else f"{found} ({number(min(values))}–{number(max(values))})"


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def brief(each: Measured) -> str:
    """One run, as soon as it is over."""
    figures = ", ".join(f"{name} {number(value(each))}" for name, value in COLUMNS.items() if number(value(each)))
    noise = {name: each.counts[name] for name in ("misfits", "copies", "pulses") if each.counts.get(name)}
    noise |= {"waiting": each.waiting} if each.waiting else {}
    rest = f"generator {each.generator:.0%} {noise or ''} {each.problems or ''}"
    return f"{each.name} {each.tables} × {each.mode}: {figures}, {rest}"


def table(found: list[Measured]) -> str:
    """All runs; a closed loop also as a share of the yardstick at the same number of tables, by rate and by cost."""
    rows = [line(["", "tables", "", *COLUMNS, "yardstick, rate", "yardstick, cpu", "failed"])]
    rows.append(line(["---"] * (len(COLUMNS) + 6)))
    groups: dict[tuple[str, int, str], list[Measured]] = {}
    for each in found:
        groups.setdefault((each.mode, each.tables, each.name), []).append(each)
    for (mode, tables, name), runs in sorted(groups.items(), key=lambda item: item[0][:2]):
        yardstick = groups.get((mode, tables, YARDSTICK), []) if mode == "closed" and name != YARDSTICK else []
        ratios = [number(middle(runs, each) / middle(yardstick, each)) if yardstick else "" for each in RATIOS]
        figures = [told([value(run) for run in runs]) for value in COLUMNS.values()]
        failed = sum(sum(run.problems.values()) for run in runs)
        rows.append(line([name, str(tables), mode, *figures, *ratios, str(failed)]))
    return "\n".join(rows)


def middle(runs: list[Measured], value: Callable[[Measured], float]) -> float:
    return statistics.median(map(value, runs))


def counts(found: list[Counted]) -> str:
    heads = ["per action", "statements", "BEGIN, COMMIT …", "thread hops", "connections", "bytes", "of it copies"]
    rows = [line([*heads, "bytes of a page"]), line(["---"] * 8)]
    for each in found:
        figures = [each.statements, each.brackets, each.hops, each.connections, each.bytes, each.copied_bytes]
        rows.append(line([f"{each.name}, {each.actions} actions", *map(number, [*figures, each.page_bytes])]))
    return "\n".join(rows)


def idle(found: Idle) -> str:
    return f"{found.pages} idle pages: {100 * found.share:.1f} % of a core, {found.pulses} pulses"


def soaked(found: Soaked) -> str:
    first, last = next(each for each in found.samples if each.at >= found.warm), found.samples[-1]
    rows = [brief(found.measured), f"{found.reloads} pages loaded anew, {len(found.samples)} samples"]
    for name in ("memory", "descriptors"):
        was, now = getattr(first, name), getattr(last, name)
        verdict = "flat" if found.is_flat(name) else "grows"
        rows.append(f"{name}: {was:,.0f} after warming up, {now:,.0f} at the end, {found.growth(name):+.1%}, {verdict}")
    return "\n".join(rows)
