#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Iterations that differ in a choice: a model of what folding them takes (docs/explanation/folding.md).

The invariant: strict analysis of determined matches is a function of the state without positions. So an iteration of one rank,
with the values of its choices, is a transition between such states, which is analysed once; what was seen is a graph, and the
run a walk in it. To analyse an iteration that is new, the detector has to be in the present state: it is led there on the
shortest known way from the state in which it is, not on that of the run. Positions are sums of what the transitions add.

Streams are loops of farms (the source of each task is a choice) and of Testsome (the indices are), with phases in which the
values come from other sets. They are cut anywhere and arrive in random order. At random moments, where each rank is and what it
is in are compared with a detector that gets every record.  usage: fold_choices.py [PROGRAMS] [SEED]"""

import collections
import random
import sys


class Strict:
    """An op is ('S', destination, tag), ('R', source, tag), ('IR', source, tag, slot), or ('T', slot), which waits for a slot.
    A receive from any source is one from the source that was observed."""

    def __init__(self, n):
        self.n, self.queue, self.inside, self.done = n, [[] for _ in range(n)], [None] * n, [0] * n
        self.slots = [{} for _ in range(n)]  # slot: False: the receive is not complete
        self.sends, self.receives = {}, {}

    def feed(self, rank, ops):
        self.queue[rank] += ops
        self.run(rank)

    def _meet(self, channel):
        sends, receives = self.sends.setdefault(channel, []), self.receives.setdefault(channel, [])
        while sends and receives:
            sender, (receiver, slot) = sends.pop(0), receives.pop(0)
            self.inside[sender] = None
            if slot is None:
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
        self.now = self.at = self.detector.state()  # of the run; in which the detector is
        self.ways = collections.defaultdict(dict)  # state: {(rank, iteration): (next state, what it adds to `done`)}

    def _lead(self):
        """The detector to the state of the run, on the shortest way."""
        came, todo = {self.at: None}, collections.deque([self.at])
        while self.now not in came:
            state = todo.popleft()
            for step, (after, _) in self.ways[state].items():
                if after not in came:
                    came[after] = (state, step)
                    todo.append(after)
        steps, state = [], self.now
        while came[state] is not None:
            state, step = came[state]
            steps.append(step)
        for rank, ops in reversed(steps):
            self.detector.feed(rank, list(ops))
            self.analysed += len(ops)
        assert self.detector.state() == self.now, "what leads to a state is all that it is"

    def feed(self, rank, ops):
        step = (rank, tuple(ops))
        if step not in self.ways[self.now]:
            self._lead()
            before = list(self.detector.done)
            self.detector.feed(rank, list(ops))
            self.analysed += len(ops)
            self.at = self.detector.state()
            self.ways[self.now][step] = (self.at, [b - a for a, b in zip(before, self.detector.done)])
        else:
            self.walked += len(ops)
        self.now, added = self.ways[self.now][step]
        self.done = [a + b for a, b in zip(self.done, added)]

    def inside(self):
        return list(self.now[1])


def farm(draw, n, tasks, tag):
    """The iterations of each rank: a master hands out tasks in an order that the run has chosen."""
    streams = [[] for _ in range(n)]
    workers = draw.sample(range(1, n), draw.randrange(1, n))
    for _ in range(tasks):
        w = draw.choice(workers)
        streams[0].append([("R", w, tag), ("S", w, tag + 1)])
        streams[w].append([("S", 0, tag), ("R", 0, tag + 1)])
    return streams


def testsome(draw, n, messages, tag):
    """The master keeps a receive from each other rank, and starts anew what is complete."""
    streams = [[] for _ in range(n)]
    streams[0].append([("IR", w, tag, w) for w in range(1, n)])
    for _ in range(messages):
        some = draw.sample(range(1, n), draw.randrange(1, n))
        streams[0].append([("T", w) for w in some] + [("IR", w, tag, w) for w in some])
        for w in some:
            streams[w].append([("S", 0, tag)])
    last = list(range(1, n))
    streams[0].append([("T", w) for w in last])
    for w in last:
        streams[w].append([("S", 0, tag)])
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
    at, ahead = [0] * n, draw.choice((1, 3, 8))
    while any(a < len(s) for a, s in zip(at, streams)):
        least = min(a for a, s in zip(at, streams) if a < len(s))
        r = draw.choice([r for r in range(n) if at[r] < len(streams[r]) and at[r] < least + ahead])
        plain.feed(r, list(streams[r][at[r]]))
        walk.feed(r, streams[r][at[r]])
        at[r] += 1
        if draw.random() < .05 or at[r] == len(streams[r]):
            assert (walk.done, walk.inside()) == (plain.done, plain.inside), f"seed {seed}: the walk leads elsewhere"
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
