#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Iterations that differ in a choice: a model of what folding them takes (docs/explanation/folding.md, detector/fold/walk.c).

The invariant: strict analysis of determined matches is a function of the state without positions. So a step of one rank, which is
a call with what it has chosen, is a transition between such states, which is analysed once; what was seen is a graph, and the run
a walk in it. To analyse a step that is new, the detector has to be in the present state: it is led there on the shortest known
way from the state in which it is, not on that of the run. Positions are sums of what the transitions add. What only says what
happened last is no part of the state, and kept beside it. Steps of a rank that is in a call wait, so there are few states, however
far a rank is ahead.

Streams are loops of farms (the source of each task is a choice) and of Testsome (the indices are), with phases in which the
values come from other sets. They are cut anywhere and arrive in any order. At random moments all that waits is fed, and where
each rank is, what it is in, and the latest messages that it has chosen are compared with a detector that gets every record.
usage: fold_choices.py [PROGRAMS] [SEED]"""

import collections
import random
import sys


class Strict:
    """An op is ('S', destination, tag), ('R', source, tag), ('IR', source, tag, slot), or ('T', slot), which waits for a slot.
    A receive from any source, ('A', source, tag), is one from the source that was observed."""

    LATEST = 3

    def __init__(self, n):
        self.n, self.queue, self.inside, self.done = n, [[] for _ in range(n)], [None] * n, [0] * n
        self.latest = [[] for _ in range(n)]  # messages that receives from any source took
        self.slots = [{} for _ in range(n)]  # slot: False: the receive is not complete
        self.sends, self.receives = {}, {}

    def feed(self, rank, op):
        self.queue[rank].append(op)
        self.run(rank)

    def is_free(self, rank):
        return self.inside[rank] is None and not self.queue[rank]

    def _meet(self, channel):
        sends, receives = self.sends.setdefault(channel, []), self.receives.setdefault(channel, [])
        while sends and receives:
            sender, (receiver, slot) = sends.pop(0), receives.pop(0)
            self.inside[sender] = None
            if slot is None:
                if self.inside[receiver][0] == "A":
                    self.latest[receiver] = (self.latest[receiver] + [channel])[-self.LATEST:]
                self.inside[receiver] = None
            else:
                self.slots[receiver][slot] = True
            yield from (sender, receiver)

    def run(self, first):
        todo = [first]
        while todo:
            r = todo.pop()
            while True:
                call = self.inside[r]
                if call is not None and call[0] == "T" and self.slots[r][call[1]]:
                    del self.slots[r][call[1]]
                    self.inside[r] = None
                if self.inside[r] is not None or not self.queue[r]:
                    break
                op = self.queue[r].pop(0)
                self.done[r] += 1
                if op[0] == "T":
                    self.inside[r] = op
                    continue
                is_send = op[0] == "S"
                channel = (r, op[1], op[2]) if is_send else (op[1], r, op[2])
                if op[0] == "IR":
                    self.slots[r][op[3]] = False
                else:
                    self.inside[r] = op
                if is_send:
                    self.sends.setdefault(channel, []).append(r)
                else:
                    self.receives.setdefault(channel, []).append((r, op[3] if op[0] == "IR" else None))
                todo += [x for x in self._meet(channel) if x != r]

    def state(self):
        """All that the future depends on, without positions."""
        return (tuple(map(tuple, self.queue)), tuple(self.inside), tuple(tuple(sorted(s.items())) for s in self.slots),
                tuple(sorted((c, tuple(q)) for c, q in self.sends.items() if q)),
                tuple(sorted((c, tuple(q)) for c, q in self.receives.items() if q)))


class Walk:
    """The folded detector."""

    def __init__(self, n):
        self.detector, self.done, self.analysed, self.walked = Strict(n), [0] * n, 0, 0
        self.waiting, self.latest = [collections.deque() for _ in range(n)], [[] for _ in range(n)]
        self.now = self.at = self.detector.state()  # of the run; in which the detector is
        self.free = {self.now: [True] * n}
        # state: {(rank, step): (next state, what it adds to `done`, what it adds to `latest`)}
        self.ways = collections.defaultdict(dict)

    def _lead(self):
        """The detector to the state of the run, on the shortest way."""
        came, todo = {self.at: None}, collections.deque([self.at])
        while self.now not in came:
            state = todo.popleft()
            for step, (after, *_) in self.ways[state].items():
                if after not in came:
                    came[after] = (state, step)
                    todo.append(after)
        steps, state = [], self.now
        while came[state] is not None:
            state, step = came[state]
            steps.append(step)
        for rank, op in reversed(steps):
            self.detector.feed(rank, op)
            self.analysed += 1
        assert self.detector.state() == self.now, "what leads to a state is all that it is"
        self.at = self.now

    def _analyse(self, rank, op):
        self._lead()
        before, self.detector.latest = list(self.detector.done), [[] for _ in self.latest]
        self.detector.feed(rank, op)
        self.analysed += 1
        self.at = self.detector.state()
        self.free[self.at] = [self.detector.is_free(r) for r in range(len(before))]
        added = [b - a for a, b in zip(before, self.detector.done)]
        self.ways[self.now][rank, op] = (self.at, added, list(self.detector.latest))

    def _step(self, rank):
        op = self.waiting[rank].popleft()
        if (rank, op) in self.ways[self.now]:
            self.walked += 1
        else:
            self._analyse(rank, op)
        self.now, added, latest = self.ways[self.now][rank, op]
        self.done = [a + b for a, b in zip(self.done, added)]
        self.latest = [(a + b)[-Strict.LATEST:] for a, b in zip(self.latest, latest)]

    def feed(self, rank, op):
        self.waiting[rank].append(op)
        while any(may := [w and f for w, f in zip(self.waiting, self.free[self.now])]):
            self._step(next(r for r, m in enumerate(may) if m))

    def unfold(self):
        """The detector becomes one that got every record."""
        self._lead()
        self.detector.done, self.detector.latest = list(self.done), [list(x) for x in self.latest]
        for rank, ops in enumerate(self.waiting):
            while ops:
                self.detector.feed(rank, ops.popleft())
        self.now = self.at = self.detector.state()
        self.free[self.now] = [self.detector.is_free(r) for r in range(len(self.done))]
        self.done, self.latest = list(self.detector.done), [list(x) for x in self.detector.latest]


def farm(draw, n, tasks, tag):
    """The iterations of each rank: a master hands out tasks in an order that the run has chosen."""
    streams = [[] for _ in range(n)]
    workers = draw.sample(range(1, n), draw.randrange(1, n))
    for _ in range(tasks):
        w = draw.choice(workers)
        streams[0] += [("A", w, tag), ("S", w, tag + 1)]
        streams[w] += [("S", 0, tag), ("R", 0, tag + 1)]
    return streams


def testsome(draw, n, messages, tag):
    """The master keeps a receive from each other rank, and starts anew what is complete."""
    streams = [[] for _ in range(n)]
    streams[0] += [("IR", w, tag, w) for w in range(1, n)]
    for _ in range(messages):
        some = draw.sample(range(1, n), draw.randrange(1, n))
        streams[0] += [("T", w) for w in some] + [("IR", w, tag, w) for w in some]
        for w in some:
            streams[w].append(("S", 0, tag))
    for w in range(1, n):
        streams[0].append(("T", w))
        streams[w].append(("S", 0, tag))
    return streams


def program(draw, n):
    streams = [[] for _ in range(n)]
    for phase in range(draw.randrange(1, 4)):
        part = draw.choice((farm, testsome))(draw, n, draw.randrange(1, 120), 2 * phase)
        for r in range(n):
            streams[r] += part[r]
    if draw.random() < .2:  # a worker does less than the others wait for
        r = draw.randrange(1, n)
        if streams[r]:
            streams[r].pop(draw.randrange(len(streams[r])))
    return streams


def check(seed):
    draw = random.Random(seed)
    n = draw.choice((2, 3, 3, 4))
    streams, plain, walk = program(draw, n), Strict(n), Walk(n)
    at, looks = [0] * n, draw.choice((0, .01, .05))
    while any(a < len(s) for a, s in zip(at, streams)):
        r = draw.choice([r for r in range(n) if at[r] < len(streams[r])])
        for _ in range(draw.choice((1, 3, 30))):
            if at[r] < len(streams[r]):
                plain.feed(r, streams[r][at[r]])
                walk.feed(r, streams[r][at[r]])
                at[r] += 1
        if draw.random() < looks or all(a == len(s) for a, s in zip(at, streams)):
            walk.unfold()
            mine = (walk.detector.state(), walk.detector.done, walk.detector.latest)
            assert mine == (plain.state(), plain.done, plain.latest), f"seed {seed}: the walk leads elsewhere"
    return walk.analysed, walk.walked


def main():
    programs = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    results = [check(seed) for seed in range(first, first + programs)]
    analysed, walked = (sum(column) for column in zip(*results))
    print(f"{programs} programs equal; {walked} records walked, {analysed} analysed")
    return 0 if walked > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
