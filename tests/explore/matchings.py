# SPDX-License-Identifier: BSD-3-Clause
"""All ways in which a straight-line program can go when standard sends are buffered: an exhaustive simulation.

A program is a list of words for each rank, as straight_line.c reads them: s, y, r, j, w, b, a, o, p, l, h, u, and the tests and probes
that do not wait: t, q, e, n. Of a loop without a limit, it does not matter how many calls were unsuccessful after the first one."""

import dataclasses
import itertools
import re

ANY = None
POLLS = "tqen"
IN_VAIN = 3  # see interceptor/forcing/force_free_polls.c
COMPLETING = "aotqe"  # calls that say which requests they completed


@dataclasses.dataclass(frozen=True)
class Call:
    verb: str
    name: str
    peer: int = ANY
    tag: int = ANY
    requests: str = ""
    limit: int = 0  # of unsuccessful tests or probes; 0: none
    report: tuple = None  # destination and tag of a message after each of them


def number(text):
    return ANY if text == "*" else int(text or 0)


def parse(word):
    name, _, rest = word.partition("/")
    head, _, requests = name.partition(":")
    peer, _, tag = head[1:].partition(".")
    limit, _, report = rest.partition(">")
    to = re.fullmatch(r"(\d+)(?:\.(\d+))?", report)
    return Call(head[0], name, number(peer), number(tag), requests, int(limit or 0), to and (int(to[1]), int(to[2] or 0)))


class State:
    """How far each rank is; sends and receives that are not matched; which receive got which message."""

    def __init__(self, program):
        self.program = program
        self.at = [0] * len(program)
        self.begun = [False] * len(program)  # the call at `at`
        self.sends = []  # (rank, position, unsuccessful polls before it), in program order of each rank
        self.receives = []  # (rank, position)
        self.got = {}  # receive -> send
        self.granted = {}  # lock -> how many exclusive and how many conflicting shared ones of its target each rank had before
        self.failed = {}  # poll -> how many were unsuccessful
        self.outcome = {}  # call that completes requests -> these letters; probe -> send
        self.barriers = [0] * len(program)  # that a rank has entered

    def copy(self):
        other = State(self.program)
        other.at, other.begun, other.barriers = list(self.at), list(self.begun), list(self.barriers)
        other.sends, other.receives, other.got = list(self.sends), list(self.receives), dict(self.got)
        other.granted, other.failed, other.outcome = dict(self.granted), dict(self.failed), dict(self.outcome)
        return other

    def key(self):
        return tuple(frozenset(one.items()) for one in (self.got, self.granted, self.failed, self.outcome))

    def call(self, where):
        return self.program[where[0]][where[1]]

    # ---- requests ----

    def receive_of(self, rank, letter):
        """The receive into this request."""
        calls = self.program[rank]
        return rank, next(i for i in range(self.at[rank]) if calls[i].verb == "j" and calls[i].requests == letter)

    def is_null(self, rank, before, letter):
        """An earlier call of the rank has completed it."""
        calls = self.program[rank]
        return any(
            letter in (calls[i].requests if calls[i].verb == "w" else self.outcome.get((rank, i), ""))
            for i in range(before)
            if calls[i].verb in "w" + COMPLETING
        )

    def active(self, where):
        """Letters of the call that are not null."""
        return [letter for letter in self.call(where).requests if not self.is_null(*where, letter)]

    def completions(self, where):
        """Sets of letters that the call may complete."""
        verb, active = self.call(where).verb, self.active(where)
        complete = [letter for letter in active if self.receive_of(where[0], letter) in self.got]
        if verb == "e":
            return [tuple(active)] if active and complete == active else []
        most = 1 if verb in "at" else len(complete)
        return [some for size in range(1, most + 1) for some in itertools.combinations(complete, size)]

    # ---- what a rank does alone ----

    def begin(self, rank, call):
        here = (rank, self.at[rank])
        if call.verb in "sy":
            self.sends.append((*here, 0))
        elif call.verb in "rj":
            self.receives.append(here)
        elif call.verb == "b":
            self.barriers[rank] += 1

    def is_complete(self, rank, call):
        here = (rank, self.at[rank])
        if call.verb == "y":
            return (*here, 0) in self.got.values()
        if call.verb == "r":
            return here in self.got
        if call.verb == "w":
            return all(self.receive_of(rank, letter) in self.got for letter in self.active(here))
        if call.verb == "b":
            return min(self.barriers) >= self.barriers[rank]
        if call.verb in "lh":
            return here in self.granted
        if call.verb in "pn" + COMPLETING:
            is_open = here not in self.outcome and (call.verb in "pn" or self.active(here))
            return not is_open or 0 < call.limit == self.failed.get(here, 0)
        return True

    def step(self, rank):
        """True: something has changed."""
        if self.at[rank] >= len(self.program[rank]):
            return False
        call = self.program[rank][self.at[rank]]
        changed = not self.begun[rank]
        if changed:
            self.begin(rank, call)
            self.begun[rank] = True
        if self.is_complete(rank, call):
            self.at[rank] += 1
            self.begun[rank] = False
            changed = True
        return changed

    def run(self):
        """Until each rank waits for something that has several outcomes, or that others do, or has ended."""
        while any([self.step(rank) for rank in range(len(self.program))]):
            pass
        return self

    # ---- matches ----

    def message(self, send):
        """Destination and tag."""
        call = self.call(send)
        return call.report if call.verb in POLLS else (call.peer, call.tag)

    def fits(self, send, receive):
        (to, tag), r = self.message(send), self.call(receive)
        return to == receive[0] and r.peer in (ANY, send[0]) and r.tag in (ANY, tag)

    def is_next(self, send, receive):
        """No earlier message of the sender fits, and the message no earlier receive. Or a probe."""
        overtakes = any(x[0] == send[0] and x < send and self.fits(x, receive) for x in self.sends)
        late = any(x[0] == receive[0] and x < receive and self.fits(send, x) for x in self.receives)
        return self.fits(send, receive) and not overtakes and not late

    def match(self, send, receive):
        after = self.copy()
        after.sends.remove(send)
        after.receives.remove(receive)
        after.got[receive] = send
        return after.run()

    # ---- locks ----

    def locks_of(self, target, verbs):
        return [lock for lock in self.granted if self.call(lock).peer == target and self.call(lock).verb in verbs]

    def count_locks(self, target, verb):
        """By rank."""
        owners = [rank for rank, _ in self.locks_of(target, verb)]
        return tuple(owners.count(rank) for rank in range(len(self.program)))

    def is_held(self, lock):
        """Its unlock has not been made."""
        rank, position = lock
        calls = self.program[rank]
        unlock = next(i for i in range(position, len(calls)) if calls[i].verb == "u" and calls[i].peer == calls[position].peer)
        return self.at[rank] <= unlock

    def may_lock(self, lock):
        call = self.call(lock)
        return not any(map(self.is_held, self.locks_of(call.peer, "lh" if call.verb == "l" else "l")))

    def grant(self, lock):
        after = self.copy()
        call = self.call(lock)
        after.granted[lock] = tuple(self.count_locks(call.peer, verb) for verb in ("lh" if call.verb == "l" else "l"))
        return after.run()

    # ---- tests and probes ----

    def note_failure(self, poll):
        failed = self.failed.get(poll, 0)
        self.failed[poll] = failed + 1
        if self.call(poll).report:
            self.sends.append((*poll, failed))

    def fail(self, poll):
        after = self.copy()
        after.note_failure(poll)
        return after.run()

    def succeed(self, where, outcome):
        after = self.copy()
        after.outcome[where] = outcome
        return after.run()

    def may_fail(self, where):
        """An unsuccessful poll is another outcome than before."""
        call = self.call(where)
        return call.verb in POLLS and (call.limit > 0 or where not in self.failed)

    def next_of(self, where, polls_wait):
        """States after the call of a rank that is there."""
        call = self.call(where)
        if call.verb in "lh" and self.may_lock(where):
            yield self.grant(where)
        if self.may_fail(where) and not polls_wait:
            yield self.fail(where)
        if call.verb in "pn":
            yield from (self.succeed(where, send) for send in self.sends if self.is_next(send, where))
        if call.verb in COMPLETING:
            yield from (self.succeed(where, letters) for letters in self.completions(where))

    def next(self, polls_wait):
        """The states after one more thing that has several outcomes."""
        for receive in self.receives:
            yield from (self.match(send, receive) for send in self.sends if self.is_next(send, receive))
        for where in self.places():
            yield from self.next_of(where, polls_wait)

    def places(self):
        """The calls in which ranks are."""
        return [(rank, at) for rank, at in enumerate(self.at) if at < len(self.program[rank])]

    def expire(self):
        """No rank can go on: all polls that wait are unsuccessful."""
        polls = [where for where in self.places() if self.may_fail(where)]
        after = self.copy()
        for poll in polls:
            after.note_failure(poll)
        return [after.run()] if polls else []

    # ---- what was observed ----

    def has_ended(self):
        return all(at == len(calls) for at, calls in zip(self.at, self.program))

    def observed(self):
        """For each rank, what straight_line.c writes."""
        return tuple(tuple(self.observed_by(rank)) for rank in range(len(self.program)))

    def observed_by(self, rank):
        row = set()
        for i in range(self.at[rank]):
            here, call = (rank, i), self.program[rank][i]
            if call.verb in POLLS:
                yield from self.observed_polls(here, call, row)
            elif call.verb != "z":
                row.clear()
            if call.verb in "lh":
                yield "+".join(",".join(map(str, counts)) for counts in self.granted[here])
            if call.verb == "r":
                yield self.envelope(self.got[here])
            if call.verb in "pn" and here in self.outcome:
                yield self.envelope(self.outcome[here])
            if call.verb == "w":
                yield from (self.envelope(self.got[self.receive_of(rank, letter)]) for letter in self.active(here))
            if call.verb in COMPLETING and here in self.outcome:
                letters = call.requests if call.verb == "e" else self.outcome[here]
                yield "[" + ",".join(str(call.requests.index(letter)) for letter in letters) + "]"
                yield from (self.envelope(self.got[self.receive_of(rank, letter)]) for letter in self.outcome[here])

    def observed_polls(self, here, call, row):
        for _ in range(self.failed.get(here, 0)):
            if call.name not in row:
                yield "!" + call.name
            row.add(call.name)
            if call.report:
                row.clear()
        if here in self.outcome:
            yield ("+" if call.name in row else "=") + call.name
            row.clear()

    def envelope(self, send):
        return f"{send[0]}.{self.message(send)[1]}"


class TooMany(Exception):
    pass


def ends(program, limit, polls_wait):
    """The states in which no rank can go on, at the end of all runs. TooMany: there are more than `limit` states in all."""
    first = State([[parse(word) for word in words] for words in program])
    seen, work = set(), [first.run()]
    while work:
        state = work.pop()
        key = state.key()
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > limit:
            raise TooMany
        after = list(state.next(polls_wait)) or (state.expire() if polls_wait else [])
        work += after
        if not after:
            yield state


def explore(program, limit):
    """(set of what is observed, at the end of all runs; whether all of them end)."""
    states = list(ends(program, limit, polls_wait=False))
    return {state.observed() for state in states}, all(state.has_ended() for state in states)


def explore_waiting(program, limit):
    """Set of what is observed if each test or probe waits until it is successful, or no rank can go on; None: a rank polls in vain so
    often that its polls need not wait any more."""
    states = list(ends(program, limit, polls_wait=True))
    in_vain = max(sum(count for (rank, _), count in state.failed.items() if rank == r) for state in states for r in range(len(program)))
    return {state.observed() for state in states} if in_vain < IN_VAIN else None
