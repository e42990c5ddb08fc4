#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random straight-line programs (straight_line.c): the exploration runs each order that the exhaustive simulation (matchings.py) knows,
each once, and no other, and no run diverges.

Standard sends are buffered, so that how the programs end depends on the matches only. Half of the programs end in each order; of those
that hang in some order, what a rank saw until then is compared."""

import argparse
import os
import random
import re
import shutil
import sys

import exploring
import budget  # noqa: E402 (in the folder of the programs, which exploring knows)
import matchings

SKIPPED = 77
STATES = 20000  # of a simulation; programs with more are left out, and those with ..
FEWEST, MOST = 2, 24  # .. other numbers of orders
TAGS = (0, 1)
REQUESTS = "abcdefghijklmnopqrstuvwxyz"


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the executable of straight_line.c")
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--first", type=int, default=1, help="seed")
    parser.add_argument("--count", type=int, default=30, help="programs")
    budget.add_argument(parser)
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first program that fails")
    return parser.parse_args(argv)


# ---- programs ----


def add_message(rng, ranks, calls, requests, nonblocking):
    """A message, and a receive that may get it or another one; so many receives are nonblocking."""
    sender, receiver = rng.sample(range(ranks), 2)
    tag = rng.choices(TAGS, (6, 1))[0]
    calls[sender].append(f"{rng.choices('sy', (6, 1))[0]}{receiver}.{tag}")
    source = "*" if rng.random() < 0.65 else sender
    pattern = f"{source}.{'*' if rng.random() < 0.1 else tag}"
    if rng.random() >= nonblocking:
        calls[receiver].append(f"r{pattern}")
    else:
        calls[receiver].append(f"j{pattern}:{next(requests[receiver])}")


def add_waits(rng, calls):
    """Behind each nonblocking receive one for it, sometimes for several of them."""
    waiting = ""
    for call in list(calls):
        if call[0] != "j":
            continue
        waiting += call[-1]
        if rng.random() < 0.7:
            calls.insert(rng.randint(calls.index(call) + 1, len(calls)), f"w:{waiting}")
            waiting = ""
    if waiting:
        calls.append(f"w:{waiting}")


def open_requests(own, position):
    """Those that were posted before it, and that no call before it waits for, or tests without a limit."""
    letters = [call[-1] for call in own[:position] if call[0] == "j"]
    over = "".join(call.partition(":")[2] for call in own[:position] if call[0] == "w")
    over += "".join(call.partition(":")[2] for call in own if call[0] in matchings.POLLS and "/" not in call)
    return [letter for letter in letters if letter not in over]


def draw_limit(rng, rank, calls):
    """Of a loop that gives up; sometimes it sends a message after each unsuccessful test or probe."""
    limit = f"/{rng.choice((1, 1, 2, 3))}"
    if rng.random() < 0.7:
        return limit
    other = rng.choice([one for one in range(len(calls)) if one != rank])
    if rng.random() < 0.5:
        calls[other].insert(rng.randint(0, len(calls[other])), "r*.0")
    return f"{limit}>{other}.0"


def add_poll(rng, rank, calls):
    """Tests of requests, or probes, with a limit or without. RATIONALE: not the same ones with and without: if they go on in the end, they
    are a loop that does not give up, of which only the first call and a later one are tried."""
    own = calls[rank]
    first = next((i + 1 for i, call in enumerate(own) if call[0] == "j"), 0)
    position = rng.randint(first, len(own))
    letters = open_requests(own, position)
    if letters and rng.random() < 0.75:
        some = sorted(rng.sample(letters, rng.randint(1, len(letters))))
        poll = f"{rng.choice('tqe')}:{''.join(some)}"
    else:
        senders = [one for one, words in enumerate(calls) if any(re.match(f"[sy]{rank}\\b", word) for word in words)]
        if not senders:
            return
        poll = f"n{rng.choice(['*', *senders])}.{rng.choice(('*', 0, 0, 0, 1))}"
    same = [call for call in own if call.partition("/")[0] == poll]
    has_limit = rng.random() < 0.75 or tests_later(own[position:], poll)
    if any(("/" in call) != has_limit for call in same):
        return
    own.insert(position, poll + (draw_limit(rng, rank, calls) if has_limit else ""))


def tests_later(calls, poll):
    """Does one of these calls test a request of this poll, too? It would be null if the poll had no limit."""
    letters = set(poll.partition(":")[2])
    return any(letters & set(call.partition(":")[2].partition("/")[0]) for call in calls if call[0] in matchings.POLLS)


def add_other_waits(rng, own):
    """Calls that wait for some of the requests, and probes that wait."""
    for position in range(len(own), 0, -1):
        letters = open_requests(own, position)
        if len(letters) > 1 and rng.random() < 0.15:
            own.insert(position, f"{rng.choice('ao')}:{''.join(sorted(letters))}")
        elif own[position - 1][0] == "r" and rng.random() < 0.1:
            own.insert(position - 1, "p" + own[position - 1][1:])


def add_section(rng, own, targets):
    """Behind the last section of the rank; sometimes with another one in it."""
    least = max((i + 1 for i, word in enumerate(own) if word[0] == "u"), default=0)
    first = rng.randint(least, len(own))
    last = min(len(own), first + rng.choice((0, 0, 1, 2)))
    outer, inner = ((f"{rng.choices('lh', (3, 1))[0]}{target}", f"u{target}") for target in targets)
    own.insert(last, outer[1])
    if rng.random() < 0.2:
        at = rng.choice((first, last))
        own[at:at] = inner
    own.insert(first, outer[0])


def add_sections(rng, calls):
    """Calls of some ranks become critical sections, most of them of one target."""
    ranks = rng.sample(range(len(calls)), rng.randint(2, len(calls)))
    targets = rng.sample(range(len(calls)), 2)
    for rank in ranks + rng.sample(ranks, rng.choice((0, 0, 1))):
        add_section(rng, calls[rank], targets if rng.random() < 0.75 else targets[::-1])


def draw(seed):
    """Words for each rank."""
    rng = random.Random(seed)
    ranks = rng.choice((3, 3, 4))
    calls = [[] for _ in range(ranks)]
    requests = [iter(REQUESTS) for _ in range(ranks)]
    polls, locks = rng.choice(((False, False), (True, False), (True, False), (True, True), (False, True)))
    for _ in range(rng.randint(2, 7)):
        add_message(rng, ranks, calls, requests, 0.7 if polls else 0.4)
    barriers = rng.choice((0, 0, 1))
    for own in calls:
        rng.shuffle(own)
        add_waits(rng, own)
        add_other_waits(rng, own)
        for _ in range(barriers):
            own.insert(rng.randint(0, len(own)), "b")
    for _ in range(rng.randint(1, 4) if polls else 0):
        add_poll(rng, rng.randrange(ranks), calls)
    if locks:
        add_sections(rng, calls)
    return calls


def has_polls(calls, has_limit):
    return any(word[0] in matchings.POLLS and ("/" in word) == has_limit for own in calls for word in own)


class RandomProgram:
    """As orders.Program."""

    def __init__(self, executable, seed, calls, waiting):
        self.name = f"program {seed}"
        self.ranks = len(calls)
        self.words = [os.path.realpath(executable), *(" ".join(own) for own in calls)]
        self.is_endless = has_polls(calls, has_limit=False)
        self.waiting = waiting


def fit_programs(arguments):
    """(program, what its orders show, whether all of them end), as many as are wanted."""
    wanted = {True: (arguments.count + 1) // 2, False: arguments.count // 2}
    seed = arguments.first
    while any(wanted.values()):
        calls = draw(seed)
        try:
            outcomes, all_end = matchings.explore(calls, STATES)
        except matchings.TooMany:
            outcomes, all_end = set(), True
        # RATIONALE: a loop for ever may be no deadlock that is proved, but a hang.
        is_endless = not all_end and has_polls(calls, has_limit=False)
        if FEWEST <= len(outcomes) <= MOST and wanted[all_end] > 0 and not is_endless:
            wanted[all_end] -= 1
            yield RandomProgram(arguments.program, seed, calls, matchings.explore_waiting(calls, STATES)), outcomes, all_end
        seed += 1


# ---- what the runs saw ----


def read_observed(folder, ranks):
    """For each run, in the order of their starts, what each rank saw."""
    columns = []
    for rank in range(ranks):
        with open(os.path.join(folder, str(rank)), encoding="utf-8") as file:
            lines = file.read().split("begin")[1:]
        columns.append([tuple(line.split()) for line in lines])
    return columns


def test(arguments, program, outcomes, all_end):
    with exploring.Lab(arguments.mustrun, program) as lab:
        folder = lab.path("observed")
        os.mkdir(folder)
        expected = exploring.Expected("", [], {"orders": exploring.Count(len(outcomes))}, [], 0)
        if program.is_endless:
            # RATIONALE: that the loop gives up is tried, and comes to nothing.
            expected.counts["repeated"] = exploring.Count(0, False)
        if not all_end:
            # RATIONALE: which message an incomplete receive took is not always known of a run that hangs: then it can be made again.
            expected.counts["repeated"] = exploring.Count(0, False)
        expected.variables["OBSERVED"] = folder
        exploration = lab.explore(("sends", "buffered"), ("explore-jobs", arguments.jobs), expected=expected)
        if exploration.report is None or "exploration" not in exploration.report:
            yield f"there is no report; exit code {exploration.exit_code}"
            yield exploration.stderr
            return
        # RATIONALE: nor are its alternatives, so orders can be missed then. But the report must say so.
        complete = all_end or exploration.result["complete"]
        if not all_end:
            # orders may also differ in what was taken by receives that were not complete
            expected.counts["orders"] = exploring.Count(len(outcomes) if complete else 1, False)
            expected.is_complete = None
        if not complete:
            # RATIONALE: a deadlock may not be proved, and then the ranks that wait for a decided outcome are released.
            expected.counts["diverged"] = exploring.Count(0, False)
        problems = list(exploring.check_counts(exploration.result, expected))
        if all_end and exploration.exit_code != 0:
            problems.append(f"the exit code is {exploration.exit_code}")
        if arguments.jobs == 1:
            columns = read_observed(folder, program.ranks)
            problems += check_observed(columns, exploration.result["runs"], outcomes, complete)
            if all_end and program.waiting is not None:
                problems += check_waiting(columns, exploration.result["waiting"]["orders"], program.waiting)
        yield from problems
        if problems:
            yield exploration.stderr


def check_observed(columns, runs, outcomes, complete):
    """The first runs are those of the exploration; others look for the choices that lead to an outcome."""
    seen = set(list(zip(*columns))[:runs])
    for outcome in outcomes - seen if complete else ():
        yield f"no run saw {outcome}"
    for outcome in seen - outcomes:
        yield f"a run saw {outcome}"


def check_waiting(columns, orders, waiting):
    """All orders in which tests and probes wait are among the first runs. RATIONALE: there can be others: what comes after a poll that was
    unsuccessful, because no rank could go on, could have come before what the others did until then."""
    for outcome in waiting - set(list(zip(*columns))[:orders]):
        yield f"not among the first runs: {outcome}"


def main(argv):
    arguments = read_arguments(argv)
    if shutil.which("mpirun") is None:
        print("skipped: mpirun is not there")
        return SKIPPED
    failed = tried = orders = 0
    for program, outcomes, all_end in budget.within(arguments.seconds, fit_programs(arguments)):
        problems = list(test(arguments, program, outcomes, all_end))
        tried += 1
        orders += len(outcomes)
        if not problems:
            continue
        failed += 1
        print(f"{program.name}, {program.ranks} ranks: {program.words[1:]}")
        for problem in problems:
            print(f"  {problem}")
        if not arguments.keep_going:
            break
    print(f"{tried} programs with {orders} orders, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
