# SPDX-License-Identifier: BSD-3-Clause
"""Explorations of test programs, and what is expected of them.

`RANKS: 4` and lines like these stand in a program's head comment, one for each exploration:

    EXPLORE: 24 orders, 21 ended, 2 ended, 1 deadlock, exit 66
    EXPLORE (bounds symmetric=1-4,runs=9): 3+ orders, 1+ left, exit 0

`NIGHTLY` instead of `EXPLORE`: with --nightly only, as are replays of other outcomes than the last one.
In brackets: options without --must:, `bounds LIST` (--must:explore-bounds), `input TEXT` (standard input; `pipe TEXT`: from a pipe),
`variable NAME=VALUE`, `ranks N` instead of RANKS. Then, in any order: orders; the outcomes by kind, each with its runs; diverged, lost,
left, repeated (runs of an order that had been run): 0 if they are not named; `incomplete` or `perhaps incomplete`, or else every order was
run; the exit code. `3+`: at least so many.
`SAYS: REGEX` is to be found on stderr. Lines of output with `VARIES: REGEX` are other ones in each
run."""

import collections
import dataclasses
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "order"))
import orders  # noqa: E402

KINDS = ("ended", "lost", "warning", "finding", "exit", "signal", "hang", "deadlock")
COUNTS = ("orders", "left", "diverged", "lost", "repeated")


@dataclasses.dataclass(frozen=True)
class Count:
    least: int
    is_exact: bool = True

    def __str__(self):
        return str(self.least) if self.is_exact else f"{self.least} or more"

    def allows(self, number):
        return number == self.least if self.is_exact else number >= self.least


@dataclasses.dataclass
class Expected:
    title: str
    options: list  # (name, value) or (name,)
    counts: dict  # name -> Count
    outcomes: list  # (kind, Count)
    exit_code: int
    is_complete: bool = True
    input: bytes = None
    is_pipe: bool = False
    variables: dict = dataclasses.field(default_factory=dict)
    ranks: int = None

    def program(self):
        """What the runs do, whichever of its orders are run."""
        return self.input, tuple(sorted(self.variables.items())), self.ranks


def parse_count(text):
    number, plus = re.fullmatch(r"(\d+)(\+?)", text).groups()
    return Count(int(number), not plus)


def parse_expected(options, result):
    expected = Expected(f"({options or 'no options'})", [], {}, [], 0)
    for option in filter(None, re.split(r",\s+", options or "")):
        name, *value = option.split(None, 1)
        if name in ("input", "pipe"):
            expected.input, expected.is_pipe = value[0].encode().replace(b"\\n", b"\n"), name == "pipe"
        elif name == "ranks":
            expected.ranks = int(value[0])
        elif name == "variable":
            expected.variables.update([value[0].split("=", 1)])
        elif name == "bounds":
            expected.options.append(("explore-bounds", *value))
        else:
            expected.options.append((name, *value))
    for part in re.split(r",\s+", result):
        first, _, second = part.strip().partition(" ")
        if part.strip() in ("incomplete", "perhaps incomplete"):
            expected.is_complete = False if first == "incomplete" else None
        elif first == "exit":
            expected.exit_code = int(second)
        elif second in COUNTS or second == "order":
            expected.counts["orders" if second == "order" else second] = parse_count(first)
        elif second in KINDS:
            expected.outcomes.append((second, parse_count(first)))
        else:
            raise ValueError(f"{part}: what is that?")
    return expected


class Program(orders.Program):
    def __init__(self, source, executable, wanted=("EXPLORE",)):
        super().__init__(source, executable)
        with open(source, encoding="utf-8") as file:
            head = [re.sub(r'^[ *!]+|( \*/|""")$', "", line.rstrip("\n")) for line in file]
        lines = [re.fullmatch(r"(EXPLORE|NIGHTLY|SAYS|VARIES)(?: \((.*?)\))?: (.*)", line) for line in head]
        found = [line.groups() for line in lines if line]
        self.expected = [parse_expected(options, text) for word, options, text in found if word in wanted]
        self.says = [text for word, _, text in found if word == "SAYS"]
        self.varies = next((text for word, _, text in found if word == "VARIES"), "$^")


@dataclasses.dataclass
class Exploration:
    exit_code: int  # None: still running at the time limit
    stderr: str
    report: dict  # None: there is none
    folder: str  # with the report, and MUST_Exploration
    leftovers: list

    @property
    def result(self):
        return self.report["exploration"]

    @property
    def outcomes(self):
        return self.result["outcomes"]

    def path(self, path):
        """A path of the report: as seen by whoever started the exploration, in the folder of the lab."""
        return os.path.join(os.path.dirname(self.folder), path)


class Lab(orders.Lab):
    def explore(self, *options, expected=None, words=(), limit=orders.process.FAR, folder=None, interrupt=None):
        """With --must:explore. `folder`: of an earlier exploration, to be used again."""
        command, report = self.command("explore", *options, words=words, ranks=expected and expected.ranks)
        if folder is not None:
            command[command.index(report)] = folder
            report = folder
        variables, text = {}, None
        if expected is not None:
            variables, text = expected.variables, expected.input
            command = with_input(command, text, expected.is_pipe, self)
        done = orders.process.run(command, self.folder, limit=limit, variables=variables, interrupt=interrupt)
        stderr = done.stderr.decode(errors="replace")
        return Exploration(done.exit_code, stderr, orders.load(report), report, done.leftovers)

    def replay(self, exploration, outcome, expected=None):
        """The order of the first run of an outcome."""
        replay = ("replay", exploration.path(outcome["order"]))
        command, report = self.command(replay, "poll", ("probe", "off"), ranks=expected and expected.ranks)
        variables = {}
        if expected is not None:
            variables = expected.variables
            command = with_input(command, expected.input, expected.is_pipe, self)
        done = orders.process.run(command, self.folder, limit=orders.process.FAR, variables=variables)
        lines = sorted(done.stdout.decode(errors="replace").splitlines())
        return orders.Run(done.exit_code, lines, done.stderr.decode(errors="replace"), orders.load(report), report, done.leftovers)


def with_input(command, text, is_pipe, lab):
    if text is None:
        return command
    path = lab.path("input")
    with open(path, "wb") as file:
        file.write(text)
    words = shlex.join(command)
    return ["sh", "-c", f"cat {path} | {words}" if is_pipe else f"exec {words} < {path}"]


# ---- what is different from what is expected: sentences ----


def count(result, name):
    if name != "repeated":
        return result[name]
    # runs at the same time may turn out equal; a run that diverged may have any order
    return max(0, result["runs"] - result["orders"] - result["diverged"]) if result["jobs"] == 1 else 0


def check_counts(result, expected):
    for name in COUNTS:
        wanted = expected.counts.get(name, Count(0) if name != "orders" else Count(1, False))
        if not wanted.allows(count(result, name)):
            yield f"{name}: {count(result, name)}, expected {wanted}"
    if expected.is_complete is not None and result["complete"] != expected.is_complete:
        yield f"complete: {result['complete']}"


def check_outcomes(outcomes, expected):
    """Each expected outcome is there, the exact ones first, and no other."""
    left = [(outcome["kind"], outcome["runs"]) for outcome in outcomes]
    for kind, wanted in sorted(expected.outcomes, key=lambda item: not item[1].is_exact):
        found = next((one for one in left if one[0] == kind and wanted.allows(one[1])), None)
        if found is None:
            yield f"no outcome is {wanted} {kind}"
        else:
            left.remove(found)
    for kind, runs in left:
        yield f"not expected: {runs} {kind}"


def check(exploration, expected):
    if exploration.exit_code is None:
        yield "it did not end"
        return
    if exploration.leftovers:
        yield "left behind: " + "; ".join(exploration.leftovers)
    if exploration.report is None or "exploration" not in exploration.report:
        yield f"there is no report; exit code {exploration.exit_code}"
        return
    if exploration.exit_code != expected.exit_code:
        yield f"the exit code is {exploration.exit_code}"
    for outcome in exploration.outcomes:
        yield from check_switched(outcome, exploration.report["ranks"])
    yield from check_counts(exploration.result, expected)
    yield from check_outcomes(exploration.outcomes, expected)


def sender(words):
    found = re.match(r"(?:took|found) the message of rank (\d+)", words or "")
    return found and int(found[1])


def is_drawn(choice):
    """Does a drawing show what changed: another message, or another outcome of another call?"""
    took, instead = sender(choice["outcome"]), sender(choice["instead"])
    if choice["instead"] is None or (took is None) != (instead is None):
        return False
    return took is None and "cancelled" not in choice["outcome"] + choice["instead"] or took != instead


def check_switched(outcome, number_of_ranks):
    """The calls that decide, as far as a drawing shows them."""
    wanted = {choice["rank"] for choice in outcome["choices"] if is_drawn(choice)}
    shown = outcome["switched"]
    if len(outcome["choices"]) <= 8 and not wanted <= {switched["receive"]["rank"] for switched in shown}:
        yield f"outcome {outcome['number']}: not all choices are shown that decide"
    for switched in shown:
        is_message = switched["outcome"] is None
        ends = [switched[key] for key in ("receive", "took", "first_took")]
        known = [end for end in ends if end is not None]
        if any(end["rank"] >= number_of_ranks for end in known):
            yield f"outcome {outcome['number']}: {switched}"
        if is_message and (None in ends or ends[1] == ends[2] or any(end["where"] is None for end in ends)):
            yield f"outcome {outcome['number']}: {switched}"


# ---- replays ----


def errors(report):
    return collections.Counter((finding["id"], finding.get("class")) for finding in report["findings"] if finding["severity"] == "error")


def output(folder):
    """Lines of standard output of all ranks of a run, sorted."""
    lines = []
    for place, _, names in os.walk(os.path.join(folder, "output")):
        for name in names:
            if name == "stdout":
                with open(os.path.join(place, name), encoding="utf-8", errors="replace") as file:
                    lines += file.read().splitlines()
    return sorted(lines)


def without(lines, regex):
    return [line for line in lines if not re.search(regex, line)]


def check_replay(run, exploration, outcome, varies):
    """The order of an outcome leads to that outcome again."""
    folder = exploration.path(outcome["folder"])
    own = orders.load(folder)
    if run.exit_code is None or run.report is None:
        yield f"the replay did not end well: exit code {run.exit_code}"
        return
    if own.get("replay") != outcome["replay"]:
        yield f"the report of the run repeats it with {own.get('replay')}, the exploration with {outcome['replay']}"
    if run.findings(orders.DIVERGENCE):
        yield "the replay diverged"
    if errors(run.report) != errors(own):
        yield f"the replay found {dict(errors(run.report))}, the run {dict(errors(own))}"
    got, wanted = without(run.stdout, varies), without(output(folder), varies)
    if outcome["kind"] == "ended" and got != wanted:
        yield f"the replay printed {got}, the run {wanted}"


def crashed_at_end(run):
    """Ranks were killed in MPI_Finalize, and nothing else is wrong: as by Open MPI 4.1 itself, now and then, on a busy machine."""
    findings = [] if run.report is None else [f for f in run.report["findings"] if f["severity"] == "error"]
    return bool(findings) and all(
        finding["id"] == "abnormal-end" and all(row["call"] == "MPI_Finalize" for row in finding["waits"]) for finding in findings
    )


def check_replays(lab, exploration, expected, varies="$^", is_nightly=False):
    """Of the last outcome; each night, of all. RATIONALE: the first run's order is one that the program takes by itself, and the
    exploration has repeated parts of the others."""
    replayed = [outcome for outcome in exploration.outcomes if outcome["order"] is not None and outcome["kind"] != "hang"]
    for outcome in replayed if is_nightly else replayed[-1:]:
        run = lab.replay(exploration, outcome, expected)
        if outcome["kind"] == "ended" and crashed_at_end(run):
            run = lab.replay(exploration, outcome, expected)
        for problem in check_replay(run, exploration, outcome, varies):
            yield f"outcome {outcome['number']}: {problem}"
            yield run.stderr
