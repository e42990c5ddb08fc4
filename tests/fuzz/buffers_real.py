#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs with pending operations on a small piece of memory, executed by the MPI library under the tool: each call that touches
a buffer of a pending operation against the rules is reported, with bytes that they share, and no other one. Here, the rules are applied
byte by byte.

Rank 0 makes the calls. Rank 1 makes the opposite ones without waiting for any, so rank 0 can complete its operations in any order."""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "e2e"))
import budget  # noqa: E402 (stands in the folder of the programs)

SKIPPED = 77
ARENA = 4096  # bytes; buffers are in the middle of it
REACH = 400
CALLS = 60
PENDING_MOST = 40
ELEMENTS = {"MPI_BYTE": 1, "MPI_SHORT": 2, "MPI_INT": 4, "MPI_DOUBLE": 8}
READ, WRITTEN = "reads", "writes"


def read_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mustrun", required=True, help="the tool's launcher")
    parser.add_argument("--mpicc", required=True, help="the compiler of MPI programs")
    parser.add_argument("--first", type=int, default=1, help="seed")
    parser.add_argument("--count", type=int, default=10, help="programs")
    budget.add_argument(parser)
    parser.add_argument("--keep", metavar="FOLDER", help="keep the programs that fail here")
    return parser.parse_args(argv)


class Type:
    """A datatype: how to make it, the displacement of each of its bytes, its bounds, and what its extent is a multiple of (MPI-3.1
    sections 4.1.6 and 4.1.7)."""

    def __init__(self, name, making, offsets, bounds, multiple):
        self.name, self.making, self.offsets, self.multiple = name, making, offsets, multiple
        self.low, high = bounds
        self.extent = -(-(high - self.low) // multiple) * multiple


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.other = []  # rank 1
        self.types = [Type(name, None, list(range(size)), (0, size), size) for name, size in ELEMENTS.items()]
        self.pending = {}  # request: (line, use, bytes); (request, "sent"): the other buffer of a collective call
        self.inactive = {}  # persistent request: (line, use, bytes, is it a send, count, datatype)
        self.persistent = {}  # the active ones
        self.started = set()
        self.expected = {}  # line: {line of the pending operation: [(lowest byte of its buffer, bytes in common)]}
        self.certain = set()  # lines of calls that must be reported
        self.own = set()  # lines of calls whose own buffers overlap
        self.shared = set()  # requests that may have the handle that Open MPI uses for all operations that it has completed at once
        self.unknown = set()  # of these, those that the tool cannot know to be pending
        self.requests = 0
        self.scratch = 0

    # ---- text ----

    def line(self, text):
        self.lines.append(text)
        return len(self.lines)

    def draw_types(self):
        while len(self.types) < len(ELEMENTS) + 8:
            base = self.random.choice(self.types)
            draw = self.random.choice([self.vector, self.hvector, self.indexed, self.resized])
            made = draw(f"type{len(self.types)}", base)
            if len(set(made.offsets)) == len(made.offsets):
                self.types.append(made)

    def vector(self, name, base):
        count, length = self.random.randint(1, 4), self.random.randint(1, 3)
        # Open MPI 4.1 takes a stride of -length for one of length; the tool then says nothing of the datatype.
        stride = self.random.choice([self.random.randint(length, length + 4), -self.random.randint(length + 1, length + 4)])
        starts = [i * stride * base.extent for i in range(count)]
        making = f"MPI_Type_vector({count}, {length}, {stride}, {base.name}, &{name});"
        return self.made(name, base, [(start, length) for start in starts], making)

    def hvector(self, name, base):
        count, length = self.random.randint(1, 4), self.random.randint(1, 3)
        stride = self.random.randint(0, 40)
        making = f"MPI_Type_create_hvector({count}, {length}, {stride}, {base.name}, &{name});"
        return self.made(name, base, [(i * stride, length) for i in range(count)], making)

    def indexed(self, name, base):
        count = self.random.randint(1, 4)
        lengths = [self.random.randint(0, 3) for _ in range(count)]
        starts = [self.random.randint(-6, 12) for _ in range(count)]
        words = (", ".join(map(str, lengths)), ", ".join(map(str, starts)))
        making = f"MPI_Type_indexed({count}, (int[]){{{words[0]}}}, (int[]){{{words[1]}}}, {base.name}, &{name});"
        return self.made(name, base, [(s * base.extent, n) for s, n in zip(starts, lengths)], making)

    @staticmethod
    def made(name, base, blocks, making):
        """Blocks of (displacement, elements)."""
        starts = [start + i * base.extent for start, length in blocks for i in range(length)]
        offsets = [start + offset for start in starts for offset in base.offsets]
        low = min((start + base.low for start in starts), default=0)
        high = max((start + base.low + base.extent for start in starts), default=0)
        return Type(name, making, offsets, (low, high), base.multiple)

    def resized(self, name, base):
        low, extent = self.random.randint(-8, 8), self.random.randint(0, 60)
        making = f"MPI_Type_create_resized({base.name}, {low}, {extent}, &{name});"
        return Type(name, making, base.offsets, (low, low + extent), 1)

    # ---- buffers ----

    def buffer(self):
        """(address, count, type, bytes). No byte twice: one of the ranks receives with this datatype (MPI-3.1 section 4.1.11)."""
        while True:
            kind = self.random.choice(self.types)
            count = self.random.choice([0, 1, 1, 1, 2, 3, 5, 12])
            address = ARENA // 2 + self.random.randrange(REACH)
            listed = [address + i * kind.extent + offset for i in range(count) for offset in kind.offsets]
            unique = set(listed)
            if all(0 <= byte < ARENA for byte in unique) and len(unique) == len(listed):
                return address, count, kind, unique

    def array(self):
        """(address, elements, bytes) of ints."""
        address, count = ARENA // 2 + self.random.randrange(REACH), self.random.randint(0, 6)
        return address, count, set(range(address, address + 4 * count))

    def touch(self, line, use, touched):
        """A call at this line touches the bytes now."""
        for r, (other, other_use, others) in self.pending.items():
            if touched & others and WRITTEN in (use, other_use):
                self.expected.setdefault(line, {}).setdefault(other, []).append((min(others), touched & others))
                if r not in self.unknown:
                    self.certain.add(line)

    def new_request(self):
        self.requests += 1
        return self.requests - 1

    # ---- calls of rank 0 ----

    def opposite(self, sends, count, kind, tag):
        """What rank 1 does for a message."""
        call = "MPI_Irecv" if sends else "MPI_Isend"
        self.other.append(f"{call}(scratch + {self.scratch + ARENA // 2}, {count}, {kind.name}, 0, {tag}, MPI_COMM_WORLD, next++);")
        self.scratch += ARENA

    def start(self):
        sends = self.random.random() < 0.5
        address, count, kind, touched = self.buffer()
        r = self.new_request()
        call = self.random.choice(["MPI_Isend", "MPI_Issend"]) if sends else "MPI_Irecv"
        line = self.line(f"{call}(arena + {address}, {count}, {kind.name}, 1, {r}, MPI_COMM_WORLD, &request[{r}]);")
        self.begin(line, r, READ if sends else WRITTEN, touched)
        if call == "MPI_Isend":
            self.shared.add(r)
        self.opposite(sends, count, kind, r)

    def begin(self, line, r, use, touched):
        self.touch(line, use, touched)
        self.pending[r] = (line, use, touched)

    def block(self):
        sends = self.random.random() < 0.5
        address, count, kind, touched = self.buffer()
        tag = self.new_request()
        if sends:
            line = self.line(f"MPI_Send(arena + {address}, {count}, {kind.name}, 1, {tag}, MPI_COMM_WORLD);")
        else:
            line = self.line(f"MPI_Recv(arena + {address}, {count}, {kind.name}, 1, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
        self.touch(line, READ if sends else WRITTEN, touched)
        self.opposite(sends, count, kind, tag)

    def make_persistent(self):
        sends = self.random.random() < 0.5
        address, count, kind, touched = self.buffer()
        r = self.new_request()
        call = "MPI_Send_init" if sends else "MPI_Recv_init"
        line = self.line(f"{call}(arena + {address}, {count}, {kind.name}, 1, {r}, MPI_COMM_WORLD, &request[{r}]);")
        self.inactive[r] = (line, READ if sends else WRITTEN, touched, sends, count, kind)

    def activate(self):
        if not self.inactive or self.random.random() < 0.4:
            return self.make_persistent()
        return self.start_persistent(self.random.choice(sorted(self.inactive)))

    def start_persistent(self, r):
        self.persistent[r] = self.inactive.pop(r)
        self.started.add(r)
        _, use, touched, sends, count, kind = self.persistent[r]
        self.begin(self.line(f"MPI_Start(&request[{r}]);"), r, use, touched)
        self.opposite(sends, count, kind, r)

    def collective(self):
        """An allreduce or a broadcast of ints, blocking or not. Rank 1 makes it, too."""
        name = self.random.choice(["Allreduce", "Iallreduce", "Bcast", "Ibcast"])
        is_pending = name.startswith("I")
        address, count, touched = self.array()
        source, read = address, set()
        if name.lower().endswith("reduce") and self.random.random() < 0.7:
            source = address + self.random.choice([-1, 1]) * self.random.randint(1, REACH)
            read = set(range(source, source + 4 * count))
        r = self.new_request() if is_pending else None
        arguments = f"{count}, MPI_INT, MPI_SUM, MPI_COMM_WORLD" if "reduce" in name else f"{count}, MPI_INT, 0, MPI_COMM_WORLD"
        into = f"arena + {address}"
        if "reduce" in name:
            into = (f"arena + {source}" if source != address else "MPI_IN_PLACE") + f", arena + {address}"
        theirs = f"scratch + {self.scratch}" if "cast" in name else f"MPI_IN_PLACE, scratch + {self.scratch}"
        self.scratch += ARENA
        line = self.line(f"MPI_{name}({into}, {arguments}{f', &request[{r}]' if is_pending else ''});")
        self.other.append(f"MPI_{name}({theirs}, {arguments}{', next++' if is_pending else ''});")
        if read & touched:
            self.own.add(line)
        use = READ if "cast" in name else WRITTEN
        self.touch(line, use, touched)
        self.touch(line, READ, read)
        if is_pending:
            self.pending[r] = (line, use, touched)
            if count == 0:
                self.shared.add(r)
            if read:
                self.pending[(r, "sent")] = (line, READ, read)

    def complete(self):
        active = sorted(r for r in self.pending if isinstance(r, int))
        if not active:
            return self.start()
        chosen = self.random.sample(active, self.random.randint(1, min(4, len(active))))
        how = self.random.choice(["wait", "waitall", "test", "waitsome"])
        if how == "wait":
            chosen = chosen[:1]
            self.line(f"MPI_Wait(&request[{chosen[0]}], MPI_STATUS_IGNORE);")
        elif how == "test":
            chosen = chosen[:1]
            self.line(f"for (int flag = 0; !flag;) MPI_Test(&request[{chosen[0]}], &flag, MPI_STATUS_IGNORE);")
        else:
            self.line(f"complete({int(how == 'waitall')}, {len(chosen)}, (int[]){{{', '.join(map(str, chosen))}}});")
        if self.shared & set(chosen):
            self.unknown |= self.shared
        for r in chosen:
            self.pending.pop(r)
            self.pending.pop((r, "sent"), None)
            if r in self.persistent:
                self.inactive[r] = self.persistent.pop(r)
        return None

    # ---- the program ----

    def write(self):
        self.draw_types()
        derived = [t for t in self.types if t.making]
        self.lines += HEAD.splitlines()
        self.line(f"    MPI_Datatype {', '.join(t.name for t in derived)};")
        self.lines += [f"    {t.making} MPI_Type_commit(&{t.name});" for t in derived]
        self.line("    if (rank == 0) {")
        weights = {"start": 6, "block": 2, "activate": 3, "collective": 3, "complete": self.random.choice([1, 4, 8])}
        for _ in range(self.random.randint(CALLS // 4, CALLS)):
            name = self.random.choices(list(weights), list(weights.values()))[0]
            getattr(self, "complete" if len(self.pending) > PENDING_MOST else name)()
        for r in self.inactive.keys() - self.started:
            self.start_persistent(r)
        while self.pending:
            self.complete()
        for r in self.inactive:
            self.line(f"MPI_Request_free(&request[{r}]);")
        self.line("    } else {")
        self.lines += self.other
        self.line("        MPI_Waitall((int)(next - request), request, MPI_STATUSES_IGNORE);")
        self.line("    }")
        self.lines += [f"    MPI_Type_free(&{t.name});" for t in derived]
        self.lines += ["    free(scratch);", "    MPI_Finalize();", "    return 0;", "}"]
        return "\n".join(self.lines).replace("SCRATCH", str(self.scratch + ARENA)).replace("REQUESTS", str(self.requests + 1)) + "\n"


HEAD = """#include <mpi.h>
#include <stdlib.h>
static char arena[4096];
static MPI_Request request[REQUESTS];
/* By MPI_Waitall, or by MPI_Waitsome until all are complete. */
static void complete(int at_once, int n, const int *which)
{
    MPI_Request some[4];
    int indices[4], count;
    for (int i = 0; i < n; i++) some[i] = request[which[i]];
    if (at_once) MPI_Waitall(n, some, MPI_STATUSES_IGNORE);
    else for (int left = n; left > 0; left -= count) MPI_Waitsome(n, some, &count, indices, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) request[which[i]] = some[i];
}
int main(int argc, char **argv)
{
    char *scratch = malloc(SCRATCH);
    MPI_Request *next = request;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);"""


def run(arguments, executable, folder):
    """The report, or None and what went wrong."""
    words = [arguments.mustrun, "--must:output", "json", "--must:output-dir", folder, "--must:sends", "buffered"]
    words += ["--oversubscribe", "-np", "2", executable]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=900, check=False, cwd=folder)
    except subprocess.TimeoutExpired:
        return None, "it does not end"
    if done.returncode not in (0, 66):
        return None, f"exit code {done.returncode}: {done.stderr.decode(errors='replace')}"
    with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as file:
        return json.load(file), None


def problems(program, report):
    found, own = {}, set()
    for finding in report["findings"]:
        message = finding["message"]
        lines = [int(n) for n in re.findall(r"\bprogram\.c:(\d+)", message)]
        if finding["id"] != "buffer-overlap":
            yield f"{finding['id']}: {message}"
        elif "pending" not in message:
            own.add(lines[0])
        elif lines[1] not in program.expected.get(lines[0], {}):
            yield f"a false finding: {message}"
        else:
            found[lines[0]] = lines[1]
            bytes_ = [int(byte) for byte in re.search(r"bytes? (\d+)(?: to (\d+))? of a buffer", message).groups() if byte is not None]
            if not any({lowest + byte for byte in bytes_} <= common for lowest, common in program.expected[lines[0]][lines[1]]):
                yield f"the bytes are not in both buffers: {message}"
    for line in program.certain - found.keys():
        yield f"no finding at line {line}, but it touches the buffers of lines {sorted(program.expected[line])}"
    for line in program.own ^ own:
        yield f"buffers of the call at line {line}: " + ("a false finding" if line in own else "no finding")


def test(arguments, seed, folder):
    program = Generator(seed)
    path, executable = os.path.join(folder, "program.c"), os.path.join(folder, "program")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program.write())
    subprocess.run([arguments.mpicc, "-g", "-O0", "-w", "-o", executable, path], timeout=900, check=True)
    report, why = run(arguments, executable, folder)
    wrong = [why] if report is None else list(problems(program, report))
    if wrong:
        print(f"seed {seed}:")
        if arguments.keep is not None:
            shutil.copy(path, os.path.join(arguments.keep, f"program_{seed}.c"))
    for line in wrong:
        print(f"  {line}")
    return program, not wrong


def main(argv):
    arguments = read_arguments(argv)
    if shutil.which("mpirun") is None:
        print("skipped: mpirun is not there")
        return SKIPPED
    tried = failed = calls = conflicts = 0
    for seed in budget.within(arguments.seconds, range(arguments.first, arguments.first + arguments.count)):
        tried += 1
        with tempfile.TemporaryDirectory() as folder:
            program, right = test(arguments, seed, folder)
            failed += not right
            calls += program.requests
            conflicts += len(program.expected) + len(program.own)
    print(f"{tried} programs with {calls} operations, {conflicts} calls that touch a pending buffer, {failed} failed")
    return 1 if failed or conflicts == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
