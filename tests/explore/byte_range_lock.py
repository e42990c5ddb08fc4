#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""All ways in which programs/byte_range_lock.c can go, counted by an exhaustive simulation of its protocol: orders of its critical
sections, which an exploration runs one by one, and interleavings of its calls, which it would have to run without reduction.

Without options: the expectation in the head comment of the program is compared with the orders. With --mustrun, the program is explored
and compared. With --csv, the numbers are printed."""

import argparse
import collections
import csv
import functools
import os
import sys

sys.dont_write_bytecode = True
import exploring  # noqa: E402

RANKS = 2
TABLE = ((1, 1), (2, 1), (2, 2), (3, 2))  # rounds of each rank
ENDS = ("ended", "waits", "told_twice")  # both waiting is a deadlock; a message that is left is one if it is not buffered

# What a rank does next. CLAIM, BACK and RELEASE are critical sections of so many calls: lock, put, perhaps get, unlock.
CLAIM, BACK, RELEASE, TELL, WAIT, END = range(6)
CALLS = {CLAIM: 4, BACK: 3, RELEASE: 4}

# Of both ranks: (round, what is next, calls made of it), flags, ranges that are known, messages to it; and who holds the window.
State = collections.namedtuple("State", "at flag range told holder")
Rank = collections.namedtuple("Rank", "round next calls")


def replaced(values, index, value):
    return values[:index] + (value,) + values[index + 1 :]


def go(state, me, then, **changes):
    return state._replace(at=replaced(state.at, me, then), **changes)


class Protocol:
    """`by_calls`: each call is a step, and a lock waits while the other rank has it; else a critical section is."""

    def __init__(self, rounds, by_calls):
        self.rounds = rounds
        self.by_calls = by_calls

    def next_round(self, me, at):
        done = at.round + 1
        return Rank(done, CLAIM if done < self.rounds[me] else END, 0)

    def finish(self, state, me):
        """The critical section is over. RATIONALE: what it reads and writes cannot change while it lasts."""
        at, other = state.at[me], 1 - me
        if at.next == CLAIM:
            is_used = state.flag[other] and state.range[other]
            after = Rank(at.round, BACK if is_used else RELEASE, 0)
            return go(state, me, after, flag=replaced(state.flag, me, 1), range=replaced(state.range, me, 1), holder=None)
        if at.next == BACK:
            return go(state, me, Rank(at.round, WAIT, 0), flag=replaced(state.flag, me, 0), holder=None)
        after = Rank(at.round, TELL, 0) if state.range[other] else self.next_round(me, at)
        return go(state, me, after, flag=replaced(state.flag, me, 0), range=replaced(state.range, me, 0), holder=None)

    def send_or_receive(self, state, me):
        at, other = state.at[me], 1 - me
        if at.next == TELL:
            return go(state, me, self.next_round(me, at), told=replaced(state.told, other, state.told[other] + 1))
        if at.next == WAIT and state.told[me] > 0:
            return go(state, me, Rank(at.round, CLAIM, 0), told=replaced(state.told, me, state.told[me] - 1))
        return None

    def advance(self, state, me):
        """One step of the rank; None: it cannot go on."""
        at = state.at[me]
        if at.next not in CALLS:
            return self.send_or_receive(state, me) if self.by_calls else None
        if at.calls == 0 and state.holder is not None:
            return None
        if self.by_calls and at.calls + 1 < CALLS[at.next]:
            return go(state, me, at._replace(calls=at.calls + 1), holder=me)
        return self.finish(state, me)

    def settle(self, state):
        """Messages are no steps of their own if critical sections are."""
        moved = not self.by_calls
        while moved:
            after = [self.send_or_receive(state, me) for me in range(RANKS)]
            moved = any(after)
            state = after[0] or after[1] or state
        return state

    def count(self):
        """How many ways lead to each end."""

        @functools.lru_cache(None)
        def ways(state):
            after = filter(None, (self.advance(state, me) for me in range(RANKS)))
            total = [sum(numbers) for numbers in zip(*(ways(self.settle(one)) for one in after))]
            return tuple(total) if total else end_of(state)

        start = tuple(Rank(0, CLAIM, 0) for _ in range(RANKS))
        return dict(zip(ENDS, ways(State(start, (0, 0), (0, 0), (0, 0), None))))


def end_of(state):
    if any(at.next != END for at in state.at):
        return 0, 1, 0
    return (0, 0, 1) if any(state.told) else (1, 0, 0)


def orders_of(rounds):
    return Protocol(rounds, False).count()


def print_table():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("first", "second", "orders", "orders_that_wait", "orders_told_twice", "interleavings"))
    for rounds in TABLE:
        orders, calls = orders_of(rounds), Protocol(rounds, True).count()
        out.writerow((*rounds, sum(orders.values()), orders["waits"], orders["told_twice"], sum(calls.values())))


def expected_of(rounds):
    orders = orders_of(rounds)
    deadlocks = [("deadlock", exploring.Count(orders[end])) for end in ENDS[1:] if orders[end] > 0]
    expected = exploring.Expected(
        f"(rounds {rounds})",
        [],
        {"orders": exploring.Count(sum(orders.values()))},
        [("ended", exploring.Count(orders["ended"])), *deadlocks],
        66 if deadlocks else 0,
    )
    expected.variables["ROUNDS"] = ",".join(map(str, rounds))
    return expected


def check_comment(program, rounds):
    wanted = expected_of(rounds)
    for expected in program.expected:
        if (expected.counts, sorted(expected.outcomes, key=str)) != (wanted.counts, sorted(wanted.outcomes, key=str)):
            yield f"EXPLORE says {expected.counts} {expected.outcomes}, but the simulation {wanted.counts} {wanted.outcomes}"


def check_exploration(program, mustrun, rounds, limit):
    expected = expected_of(rounds)
    with exploring.Lab(mustrun, program) as lab:
        exploration = lab.explore(expected=expected, limit=limit)
        problems = list(exploring.check(exploration, expected))
    return problems + ([exploration.stderr] if problems else [])


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", action="store_true")
    parser.add_argument("--program", help="the executable")
    parser.add_argument("--mustrun", help="the tool's launcher")
    parser.add_argument("--rounds", default="2,1", help="how often each rank takes the lock")
    parser.add_argument("--limit", type=float, default=exploring.orders.process.FAR, help="seconds")
    arguments = parser.parse_args(argv)
    rounds = tuple(map(int, arguments.rounds.split(",")))
    if arguments.csv:
        print_table()
        return 0
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs/byte_range_lock.c")
    program = exploring.Program(source, arguments.program or "")
    if arguments.mustrun:
        problems = check_exploration(program, arguments.mustrun, rounds, arguments.limit)
    else:
        problems = list(check_comment(program, rounds))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
