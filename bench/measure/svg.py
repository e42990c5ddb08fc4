# SPDX-License-Identifier: BSD-3-Clause
"""Charts as SVG text: lines over a number, and points with their ranges for each of some names."""

import html
import math

WIDTH, HEIGHT = 680, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 40, 55
# Okabe and Ito: told apart by everybody.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
MARKS = ("circle", "square", "diamond", "triangle")


def _text(x, y, words, anchor="middle", size=12, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{more}>{html.escape(words)}</text>'


def _line(x1, y1, x2, y2, colour="#ccc", more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'


def _mark(x, y, number):
    colour = COLOURS[number % len(COLOURS)]
    shape = MARKS[number % len(MARKS)]
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'
    if shape == "square":
        return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"/>'
    corners = ((0, -4.5), (4.5, 0), (0, 4.5), (-4.5, 0)) if shape == "diamond" else ((0, -4.5), (4, 3.5), (-4, 3.5))
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" fill="{colour}"/>'


def number(value):
    """1500 -> "1500", 0.25 -> "0.25", 100000 -> "100k"."""
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    if value >= 10000:
        return f"{value / 1000:g}k"
    return f"{value:g}"


def _round_steps(low, high, wanted):
    step = 10 ** math.floor(math.log10((high - low) / wanted))
    step *= next(f for f in (1, 2, 5, 10) if (high - low) / (step * f) <= wanted)
    first = math.floor(low / step)
    return [step * i for i in range(first, math.ceil(high / step) + 1)]


class _Axis:
    """From values to places; log or linear."""

    def __init__(self, values, log, begin, end):
        values = [v for v in values if v > 0 or not log]
        self.log, self.begin, self.end = log, begin, end
        low, high = min(values), max(values)
        if log:
            decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            self.ticks = [10.0 ** d for d in decades]
            if len(self.ticks) < 4:
                self.ticks = sorted(f * t for t in self.ticks for f in (1, 2, 5))
            self.low = max((t for t in self.ticks if t <= low), default=low)
            self.high = min((t for t in self.ticks if t >= high), default=high)
            if self.low == self.high:
                self.high = 10 * self.low
        else:
            low = min(low, 0.0)
            high = high if high > low else low + 1
            self.ticks = _round_steps(low, high, 6)
            self.low, self.high = self.ticks[0], self.ticks[-1]
        self.ticks = [t for t in self.ticks if self.low <= t <= self.high]

    def at(self, value):
        low, high = self.low, self.high
        if self.log:
            value, low, high = math.log10(max(value, low)), math.log10(low), math.log10(high)
        return self.begin + (value - low) / (high - low) * (self.end - self.begin)


def _frame(title, parts, height=HEIGHT):
    return "\n".join([
        "<!-- SPDX-License-Identifier: BSD-3-Clause -->",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif" fill="#222">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        _text(LEFT, 22, title, "start", 14),
        *parts, "</svg>", ""])


def lines(title, across, up, series, log_across=True, log_up=True):
    """series: {name: [(x, y, least, greatest)]}"""
    points = [p for row in series.values() for p in row]
    x = _Axis([p[0] for p in points], log_across, LEFT, WIDTH - RIGHT)
    y = _Axis([v for p in points for v in p[1:4]], log_up, HEIGHT - BOTTOM, TOP)
    parts = []
    for tick in y.ticks:
        parts += [_line(LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick)), _text(LEFT - 6, y.at(tick) + 4, number(tick), "end", 11)]
    for tick in x.ticks:
        parts += [_line(x.at(tick), TOP, x.at(tick), HEIGHT - BOTTOM), _text(x.at(tick), HEIGHT - BOTTOM + 16, number(tick), size=11)]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, across))
    parts.append(_text(16, (TOP + HEIGHT - BOTTOM) / 2, up, more=f' transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2:.1f})"'))
    for i, (name, row) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        path = " ".join(f"{x.at(p[0]):.1f},{y.at(p[1]):.1f}" for p in row)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for p in row if len(row) <= 50 else ():
            parts.append(_line(x.at(p[0]), y.at(p[2]), x.at(p[0]), y.at(p[3]), colour))
            parts.append(_mark(x.at(p[0]), y.at(p[1]), i))
        top = TOP + 8 + 20 * i
        parts += [_line(WIDTH - RIGHT + 12, top, WIDTH - RIGHT + 34, top, colour, ' stroke-width="1.6"'),
                  _mark(WIDTH - RIGHT + 23, top, i), _text(WIDTH - RIGHT + 40, top + 4, name, "start", 11)]
    return _frame(title, parts)


def points(title, across, rows, reference=None, log=False):
    """rows: [(name, value, least, greatest)], from top to bottom. `reference`: a line at that value."""
    left, right = 190, 40
    height = TOP + BOTTOM + 22 * len(rows)
    known = [v for row in rows for v in row[1:4]] + ([reference] if reference is not None else [])
    x = _Axis(known, log, left, WIDTH - right)
    parts = []
    for tick in x.ticks:
        parts += [_line(x.at(tick), TOP, x.at(tick), height - BOTTOM), _text(x.at(tick), height - BOTTOM + 16, number(tick), size=11)]
    if reference is not None:
        parts.append(_line(x.at(reference), TOP, x.at(reference), height - BOTTOM, "#222", ' stroke-dasharray="4 3"'))
    for i, (name, value, least, greatest) in enumerate(rows):
        y = TOP + 14 + 22 * i
        parts += [_text(left - 8, y + 4, name, "end", 11), _line(x.at(least), y, x.at(greatest), y, COLOURS[0], ' stroke-width="2"'),
                  _mark(x.at(value), y, 0)]
    parts.append(_text((left + WIDTH - right) / 2, height - 14, across))
    return _frame(title, parts, height)
