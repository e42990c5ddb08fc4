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


# ---- loads and stores of the owner ----

# A load, a store, both, and a loop over two words. Flags are set with an accumulate, after which rank 2 may have seen the value.
OWN = ("load", "store", "increment", "array")
REMOTE = ("put", "sum", "fetch")


def active_owner(remote, own):
    a, b = (remote,), (own,)

    def origin(access):
        return [("start", TARGET), access, ("complete",)]

    yield True, {0: [("fence",), a, ("fence_last",)], 1: [("fence",), ("fence_last",)], 2: [("fence",), b, ("fence_last",)]}
    fences = [("fence",), ("fence",), ("fence_last",)]
    yield False, {0: [fences[0], a, *fences[1:]], 1: fences, 2: [*fences[:2], b, fences[2]]}
    yield False, {0: [*fences[:2], a, fences[2]], 1: fences, 2: [fences[0], b, *fences[1:]]}
    yield True, {0: origin(a), 2: [("post", 0), b, ("wait_win",)]}
    yield False, {0: origin(a), 2: [b, ("post", 0), ("wait_win",)]}
    yield False, {0: origin(a), 2: [("post", 0), ("wait_win",), b]}


def passive_owner(remote, own):
    a, b = (remote,), (own,)
    locked = [("lock_shared", TARGET), a, ("unlock", TARGET)]
    alone = [("lock_exclusive", TARGET), a, ("unlock", TARGET)]

    def all_locked(*between):
        return [("lock_all",), *between, ("unlock_all",)]

    yield True, {0: locked, 2: [b]}
    yield True, {0: locked, 2: [("lock_shared", TARGET), b, ("unlock", TARGET)]}
    yield True, {0: locked, 2: all_locked(("sync",), b)}
    yield False, {0: alone, 2: [("lock_shared", TARGET), b, ("unlock", TARGET)]}
    yield False, {0: locked, 2: [("lock_exclusive", TARGET), b, ("unlock", TARGET)]}
    yield False, {0: [*locked, ("send", 2)], 2: [("recv", 0), b]}
    yield False, {0: [("recv", 2), *locked], 2: [b, ("send", 0)]}
    yield False, {0: all_locked(a, ("flush", TARGET), ("send", 2)), 2: [("recv", 0), b]}
    yield True, {0: all_locked(a, ("flush_local", TARGET), ("send", 2)), 2: [("recv", 0), b]}
    yield False, {0: all_locked(a, ("flush", TARGET), ("set_flag", TARGET)), 2: all_locked(("wait_flag",), b)}
    yield True, {0: all_locked(a, ("set_flag", TARGET)), 2: all_locked(("wait_flag",), b)}


def hand_over(remote, own):
    """Rank 2 waits for the value, and then changes it; a single look may be such a wait, too."""
    yield False, {0: [("lock_all",), (remote,), ("unlock_all",)], 2: [("lock_all",), ("wait_and_" + own,), ("unlock_all",)]}
    yield False, {0: [("lock_all",), (remote,), ("unlock_all",)], 2: [("lock_all",), ("if_then_" + own,), ("unlock_all",)]}


OWNERS = {"active_owner": active_owner, "passive_owner": passive_owner}

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
    if family in OWNERS:
        for remote in REMOTE:
            for own in OWN:
                for conflicts, steps in OWNERS[family](remote, own):
                    yield Case(f"{remote}, {own}", conflicts, steps)
        return
    if family == "hand_over":
        for remote in REMOTE[:2]:
            for conflicts, steps in hand_over(remote, "store"):
                yield Case(f"{remote}, {list(steps[2])[1][0]}", conflicts, steps)
        return
    for first, second in KINDS + NEVER:
        for conflicts, steps in FAMILIES[family](first, second):
            expected = conflicts and (family == "same_rank" or may_conflict(first, second))
            if family == "same_rank" and first in READS and second in READS:
                expected = False
            yield Case(f"{first}, {second}", expected, steps)
