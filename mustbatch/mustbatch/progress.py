# SPDX-License-Identifier: BSD-3-Clause
"""One line for each case that is over; below it, on a terminal only, a bar."""

import shutil
import time

WIDTH = 24  # of the bar, in characters
MARKS = {"pass": "32", "fail": "31", "error": "31", "timeout": "33", "skipped": "2"}  # colours


def seconds(value):
    if value < 99.95:
        return f"{value:.1f} s"
    return f"{int(value) // 60}:{int(value) % 60:02d} min"


def ratio(slowdown):
    if slowdown is None:
        return ""
    turns = f" ({slowdown['low']:.2f} to {slowdown['high']:.2f})" if slowdown["low"] != slowdown["high"] else ""
    return f"{slowdown['ratio']:.2f} times as long{turns}"


def printable(text):
    """No control characters reach the terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)


def sentence(result):
    time_ = result["times"]["tool"]
    parts = [result["verdict"] or "", "" if time_ is None else seconds(time_), ratio(result["slowdown"])]
    if result["result"] == "pass":
        return ", ".join(part for part in parts if part)
    return result["reason"]


class Progress:
    def __init__(self, stream, total, width):
        self.stream = stream
        self.total = total
        self.width = width  # of the names
        self.is_terminal = stream.isatty()
        self.results = []
        self.running = {}
        self.drawn = False

    def start(self, case, launch):
        self.running[case.case.name] = (launch.run.name, time.monotonic())
        self.draw()

    def finish(self, result):
        self.running.pop(result["name"], None)
        self.results.append(result["result"])
        self.clear()
        word = f"{result['result']:8}"
        if self.is_terminal:
            word = f"\033[{MARKS[result['result']]}m{word}\033[0m"
        line = f"{result['name']:{self.width}}  {printable(sentence(result))}"
        self.stream.write(f"{word}{line.rstrip()}\n")
        self.draw()
        self.stream.flush()

    def bar(self):
        over = len(self.results)
        filled = WIDTH * over // max(1, self.total)
        bad = sum(word in ("fail", "error", "timeout") for word in self.results)
        text = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {over}/{self.total}"
        if bad:
            text += f", {bad} not as expected"
        for name, (run, since) in self.running.items():
            text += f"  {name} {run} {time.monotonic() - since:.0f} s"
        return text

    def draw(self):
        if not self.is_terminal:
            return
        columns = shutil.get_terminal_size().columns
        self.stream.write("\r\033[K" + self.bar()[: columns - 1])
        self.stream.flush()
        self.drawn = True

    def clear(self):
        if self.drawn:
            self.stream.write("\r\033[K")
            self.drawn = False

    def say(self, text):
        self.clear()
        self.stream.write(text + "\n")
        self.stream.flush()
