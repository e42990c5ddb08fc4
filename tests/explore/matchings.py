# SPDX-License-Identifier: BSD-3-Clause
"""All ways in which a straight-line program can go when standard sends are buffered: an exhaustive simulation.

A program is a list of words for each rank, as straight_line.c reads them: s, y, r, j, w, b, l, h and u."""

import dataclasses

ANY = None


@dataclasses.dataclass(frozen=True)
class Call:
    verb: str
    peer: int = ANY
    tag: int = ANY
    requests: str = ""


def parse(word):
    head, _, requests = word.partition(":")
    verb, (peer, _, tag) = head[0], head[1:].partition(".")
    numbers = [ANY if text == "*" else int(text or 0) for text in (peer, tag)]
    return Call(verb, *numbers, requests)


class State:
    """How far each rank is; sends and receives that are not matched; which receive got which message."""

    def __init__(self, program):
        self.program = program
        self.at = [0] * len(program)
        self.begun = [False] * len(program)  # the call at `at`
        self.sends = []  # (rank, position), in program order of each rank
        self.receives = []  # the same
        self.got = {}  # receive -> send
        self.granted = {}  # lock -> how many exclusive and how many conflicting shared ones of its target each rank had before
        self.barriers = [0] * len(program)  # that a rank has entered

    def copy(self):
        other = State(self.program)
        other.at, other.begun, other.barriers = list(self.at), list(self.begun), list(self.barriers)
        other.sends, other.receives, other.got = list(self.sends), list(self.receives), dict(self.got)
        other.granted = dict(self.granted)
        return other

    def call(self, where):
        return self.program[where[0]][where[1]]

    def receive_of(self, rank, letter):
        """The latest receive into this request."""
        calls = self.program[rank]
        return rank, max(i for i in range(self.at[rank]) if calls[i].verb == "j" and calls[i].requests == letter)

    def begin(self, rank, call):
        here = (rank, self.at[rank])
        if call.verb in "sy":
            self.sends.append(here)
        elif call.verb in "rj":
            self.receives.append(here)
        elif call.verb == "b":
            self.barriers[rank] += 1

    def is_complete(self, rank, call):
        here = (rank, self.at[rank])
        if call.verb == "y":
            return here in self.got.values()
        if call.verb == "r":
            return here in self.got
        if call.verb == "w":
            return all(self.receive_of(rank, letter) in self.got for letter in call.requests)
        if call.verb == "b":
            return min(self.barriers) >= self.barriers[rank]
        if call.verb in "lh":
            return here in self.granted
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
        """Until each rank waits for a match, or has ended."""
        while any([self.step(rank) for rank in range(len(self.program))]):
            pass

    def fits(self, send, receive):
        s, r = self.call(send), self.call(receive)
        return s.peer == receive[0] and r.peer in (ANY, send[0]) and r.tag in (ANY, s.tag)

    def pairs(self):
        """Those that may be matched next: no earlier message of the sender fits, and no earlier receive."""
        for r in self.receives:
            for s in self.sends:
                overtakes = any(x[0] == s[0] and x < s and self.fits(x, r) for x in self.sends)
                late = any(x[0] == r[0] and x < r and self.fits(s, x) for x in self.receives)
                if self.fits(s, r) and not overtakes and not late:
                    yield s, r

    def match(self, send, receive):
        after = self.copy()
        after.sends.remove(send)
        after.receives.remove(receive)
        after.got[receive] = send
        after.run()
        return after

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

    def requests(self):
        """Locks that may be granted next."""
        for rank, calls in enumerate(self.program):
            here = (rank, self.at[rank])
            if here[1] == len(calls) or calls[here[1]].verb not in "lh" or not self.begun[rank] or here in self.granted:
                continue
            call = calls[here[1]]
            if not any(map(self.is_held, self.locks_of(call.peer, "lh" if call.verb == "l" else "l"))):
                yield here

    def grant(self, lock):
        after = self.copy()
        call = self.call(lock)
        after.granted[lock] = tuple(self.count_locks(call.peer, verb) for verb in ("lh" if call.verb == "l" else "l"))
        after.run()
        return after

    def has_ended(self):
        return all(at == len(calls) for at, calls in zip(self.at, self.program))

    def observed(self):
        """For each rank, source and tag of the messages that it got, and what it saw in the windows that it locked, in the order in which
        its calls said so, as straight_line.c writes them."""
        return tuple(tuple(self.observed_by(rank)) for rank in range(len(self.program)))

    def observed_by(self, rank):
        for i in range(self.at[rank]):
            call = self.program[rank][i]
            receives = [(rank, i)] if call.verb == "r" else []
            if call.verb == "w":
                receives = [(rank, self.latest(rank, i, letter)) for letter in call.requests]
            if call.verb in "lh":
                yield "+".join(",".join(map(str, counts)) for counts in self.granted[rank, i])
            for receive in receives:
                send = self.got[receive]
                yield f"{send[0]}.{self.call(send).tag}"

    def latest(self, rank, before, letter):
        calls = self.program[rank]
        return max(i for i in range(before) if calls[i].verb == "j" and calls[i].requests == letter)


class TooMany(Exception):
    pass


def explore(program, limit):
    """(set of what is observed, at the end of all runs; whether all of them end). TooMany: more than `limit` states."""
    first = State([[parse(word) for word in words] for words in program])
    first.run()
    seen, work, outcomes, all_end = set(), [first], set(), True
    while work:
        state = work.pop()
        key = frozenset(state.got.items()), frozenset(state.granted.items())
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > limit:
            raise TooMany
        pairs, locks = list(state.pairs()), list(state.requests())
        work += [state.match(*pair) for pair in pairs] + [state.grant(lock) for lock in locks]
        if not pairs and not locks:
            outcomes.add(state.observed())
            all_end &= state.has_ended()
    return outcomes, all_end
