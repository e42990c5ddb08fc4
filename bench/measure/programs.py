# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks: what is run, with how many ranks, and how its output says the time of its loop."""

import dataclasses
import os
import re
import shutil

# "seconds 1.25" of our own programs.
OWN = r"^seconds ([0-9.]+)$"


@dataclasses.dataclass(frozen=True)
class Benchmark:
    name: str
    command: list
    ranks: tuple = (2, 4)
    # {name of a row: regular expression whose group 1 is a number}
    times: dict = dataclasses.field(default_factory=lambda: {"": OWN})
    # seconds in one unit of that number
    unit: float = 1.0

    def loops(self, output):
        """{row: seconds} of what the program printed. A missing one is an error: the program did not do its work."""
        found = {}
        for row, pattern in self.times.items():
            match = re.search(pattern, output, re.MULTILINE)
            if not match:
                raise ValueError(f"{self.name}: the output has no time:\n{output[-2000:]}")
            found[row] = float(match[1]) * self.unit
        return found


def _own(build):
    programs = {
        "ping-pong": ("bench_ping_pong", "300000"),
        "barriers": ("bench_barriers", "300000"),
        "halo": ("bench_halo", "60000"),
        "ring": ("bench_ring", "300000"),
        "polling": ("bench_polling", "100000"),
    }
    for name, (program, rounds) in programs.items():
        yield Benchmark(name, [str(build / "bench" / program), rounds])
    yield Benchmark("start-up", [str(build / "bench/bench_start_up")], ranks=(1, 2, 4))


def _hook_cost(build):
    calls = ("send", "isend+wait", "iprobe", "irecv+send+wait", "barrier")
    times = {call: rf"^{re.escape(call)} +([0-9.]+)$" for call in calls}
    for name, program in (("call-cost-c", "hook_cost"), ("call-cost-fortran", "hook_cost_fortran")):
        yield Benchmark(name, [str(build / "bench" / program)], ranks=(1,), times=times, unit=1e-9)


def _lammps(root):
    program = shutil.which("lmp")
    script = root / "tests/e2e/apps/lammps.in"
    if program and script.exists():
        yield Benchmark("lammps-melt", [program, "-in", str(script), "-log", "none"],
                        times={"": r"^Loop time of ([0-9.]+) "})


def _npb(folder, class_):
    for name in ("cg", "mg", "lu", "is", "ft", "bt", "sp", "ep"):
        program = folder.resolve() / f"{name}.{class_}.x"
        # BT and SP want a square number of ranks.
        ranks = (4,) if name in ("bt", "sp") else (2, 4)
        if program.exists():
            yield Benchmark(f"npb-{name}-{class_.lower()}", [str(program)], ranks=ranks,
                            times={"": r"^ *Time in seconds = +([0-9.]+)"})


def find(build, root, npb, npb_class):
    """All benchmarks whose program is there."""
    found = [*_own(build), *_hook_cost(build), *_lammps(root)]
    if npb:
        found += _npb(npb, npb_class)
    return [b for b in found if os.access(b.command[0], os.X_OK)]
