# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of one-sided accesses to the same bytes of rank 2: for each kind of access and of synchronisation a case that conflicts and one
that does not, which differ in one thing. MPI-3.1: what is complete when, section 11.5; what conflicts, sections 11.3 and 11.7; accumulates,
section 11.7.1.

A case is a list of steps for each rank; a step is a tuple of its name and its arguments. Accesses are the steps with a name of READS or
UPDATES, of which a case has two; the others are calls that synchronise."""

import dataclasses

READS = ("get", "rget")
UPDATES = ("put", "rput", "sum", "max", "rsum", "fetch", "swap")
ATOMIC = ("sum", "max", "rsum", "fetch", "swap")
OPERATION = {"sum": "SUM", "rsum": "SUM", "fetch": "SUM", "max": "MAX"}
TARGET = 2

# Each of them by rank 0, and then by rank 1 or 0.
KINDS = (("put", "put"), ("put", "get"), ("get", "put"), ("put", "sum"), ("sum", "get"), ("sum", "max"), ("fetch", "put"), ("swap", "put"))
NEVER = (("get", "get"), ("sum", "sum"), ("sum", "fetch"), ("swap", "sum"))


@dataclasses.dataclass
class Case:
    name: str
    conflicts: bool
    steps: dict  # by rank


def may_conflict(first, second):
    """Do two accesses of different ranks conflict if nothing orders them?"""
    if first in READS and second in READS:
        return False
    if first in ATOMIC and second in ATOMIC:
        operations = {OPERATION.get(first), OPERATION.get(second)}
        return None not in operations and len(operations) > 1
    return True


# ---- the synchronisations: cases of two kinds of access ----


def fence(first, second):
    a, b = (first,), (second,)
    both = {r: [("fence",), *own, ("fence_last",)] for r, own in ((0, [a]), (1, [b]), (2, []))}
    between = {r: [("fence",), *own[0], ("fence",), *own[1], ("fence_last",)] for r, own in ((0, ([a], [])), (1, ([], [b])), (2, ([], [])))}
    yield True, both
    yield False, between


def pscw(first, second):
    def origin(access):
        return [("start", TARGET), (access,), ("complete",)]

    yield True, {0: origin(first), 1: origin(second), 2: [("post", 0, 1), ("wait_win",)]}
    yield False, {0: origin(first), 1: origin(second), 2: [("post", 0), ("wait_win",), ("post", 1), ("wait_win",)]}


def lock(first, second):
    def locked(kind, access):
        return [(kind, TARGET), (access,), ("unlock", TARGET)]

    yield True, {0: locked("lock_shared", first), 1: locked("lock_shared", second)}
    yield False, {0: locked("lock_exclusive", first), 1: locked("lock_shared", second)}
    yield False, {0: locked("lock_shared", first), 1: locked("lock_exclusive", second)}


def told(first, second, *complete):
    """Rank 0 makes an access and these calls, tells rank 1, and that one makes the other access."""
    return {
        0: [("lock_all",), (first,), *complete, ("send", 1), ("unlock_all",)],
        1: [("lock_all",), ("recv", 0), (second,), ("unlock_all",)],
    }


def lock_all(first, second):
    yield True, {0: [("lock_all",), (first,), ("unlock_all",)], 1: [("lock_all",), (second,), ("unlock_all",)]}
    yield True, told(first, second)
    yield False, {
        0: [("lock_all",), (first,), ("unlock_all",), ("send", 1)],
        1: [("recv", 0), ("lock_all",), (second,), ("unlock_all",)],
    }


def flush(first, second):
    yield False, told(first, second, ("flush", TARGET))
    yield False, told(first, second, ("flush_all",))
    yield True, told(first, second, ("flush", 0))  # of another target
    yield first not in READS, told(first, second, ("flush_local", TARGET))
    yield first not in READS, told(first, second, ("flush_local_all",))


def request(first, second):
    first = {"put": "rput", "get": "rget", "sum": "rsum"}.get(first)
    if first is None:
        return
    yield first not in READS, told(first, second, ("wait",))
    yield False, told(first, second, ("wait",), ("flush", TARGET))
    yield True, {
        0: [("lock_all",), (first,), ("send", 1), ("wait",), ("unlock_all",)],
        1: [("lock_all",), ("recv", 0), (second,), ("unlock_all",)],
    }


def win_sync(first, second):
    """MPI_Win_sync completes nothing."""
    unsynced = told(first, second, ("sync",))
    synced = told(first, second, ("flush", TARGET), ("sync",))
    for steps in (unsynced, synced):
        steps[1].insert(2, ("sync",))
    yield True, unsynced
    yield False, synced


def same_rank(first, second):
    """Accumulates of one rank are ordered; a get is complete at the target when it is at the origin."""
    both_atomic = first in ATOMIC and second in ATOMIC

    def own(*between):
        return {0: [("lock_shared", TARGET), (first,), *between, (second,), ("unlock", TARGET)]}

    yield not both_atomic, own()
    yield not both_atomic and first not in READS, own(("flush_local", TARGET))
    yield False, own(("flush", TARGET))
    yield False, own(("unlock", TARGET), ("lock_shared", TARGET))


FAMILIES = {
    "fence": fence,
    "pscw": pscw,
    "lock": lock,
    "lock_all": lock_all,
    "flush": flush,
    "request": request,
    "win_sync": win_sync,
    "same_rank": same_rank,
}


def cases_of(family):
    """All cases; those of kinds that never conflict do not, whatever the synchronisation."""
    for first, second in KINDS + NEVER:
        for conflicts, steps in FAMILIES[family](first, second):
            expected = conflicts and (family == "same_rank" or may_conflict(first, second))
            if family == "same_rank" and first in READS and second in READS:
                expected = False
            yield Case(f"{first}, {second}", expected, steps)
