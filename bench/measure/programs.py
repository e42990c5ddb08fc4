# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks: what is run, with how many ranks, and how its output says the time of its loop."""

import dataclasses
import os
import re
import shutil

import exploring
import feeding
import idle
import onesided
import option
import plain
import recording
import sanitizing
import verdict

# "seconds 1.25" of our own programs.
OWN = r"^seconds ([0-9.]+)$"


@dataclasses.dataclass(frozen=True)
class Benchmark:
    name: str
    group: str
    command: list
    ranks: tuple = (2, 4)
    # {name of a row: regular expression whose group 1 is a number}
    times: dict = dataclasses.field(default_factory=lambda: {"": OWN})
    # seconds in one unit of that number
    unit: float = 1.0
    # files that are copied to where it runs
    inputs: tuple = ()
    # classes of findings that it may have
    classes: tuple = ()

    def loops(self, output, wall):
        """{row: seconds} of what the program printed. A missing one is an error: the program did not do its work. A program
        that says none: the whole command."""
        found = {} if self.times else {"": wall}
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
        "halo-sum": ("bench_halo", "60000", "sum"),
        "ring": ("bench_ring", "300000"),
        "polling": ("bench_polling", "100000"),
        "run-ahead": ("bench_run_ahead", "10000"),
        "communicators": ("bench_communicators", "500000", "100"),
        "communicators-made": ("bench_communicators", "30000", "0"),
        "random-partners": ("bench_random_partners", "300000"),
        "farm": ("bench_farm", "300000"),
        "farm-10-us": ("bench_farm", "200000", "10"),
        "farm-1-ms": ("bench_farm", "3000", "1000"),
        "testsome": ("bench_testsome", "600000"),
        "waitany": ("bench_testsome", "600000", "waitany"),
    }
    for name, (program, *words) in programs.items():
        yield Benchmark(name, "small", [str(build / "bench" / program), *words])
    yield Benchmark("start-up", "start", [str(build / "bench/bench_start_up")], ranks=(1, 2, 4, 16))
    yield Benchmark("one-second", "start", [str(build / "bench/bench_start_up"), "1"], ranks=(2, 4, 16))


def _recording(build):
    """Programs with many choices."""
    programs = {
        "farm": ("bench_farm", ["50000"], (2, 4)),
        "farm, tasks of 1 ms": ("bench_farm", ["500", "1000"], (4,)),
        "testsome": ("bench_testsome", ["300000"], (2, 4)),
        "polling": ("bench_polling", ["50000"], (2, 4)),
    }
    found = {name: Benchmark(name, "order", [str(build / "bench" / program), *words], ranks)
             for name, (program, words, ranks) in programs.items()}
    return recording.Recording("recording", "order", found)


def _choices(build):
    """One rank, which waits for nobody: what a choice costs, and what the tool does for it."""
    calls = ("recv", "irecv+wait", "test", "testsome", "iprobe")
    times = {f"one {call}": rf"^{re.escape(call)} ([0-9.]+)$" for call in calls}
    program = Benchmark("choice", "order", [str(build / "bench/choice_cost")], ranks=(1,), times=times, unit=1e-9)
    return recording.Recording("choices", "order", {"choice": program})


def _locks(build):
    program = str(build / "bench/bench_locks")
    return recording.Recording("locks", "order", {
        "one locks": Benchmark("locks", "order", [program, "500000", "1"], ranks=(2,)),
        "all lock": Benchmark("locks", "order", [program, "20000"]),
    })


def _deterministic(build, npb):
    """Programs with choices, and applications without."""
    programs = {
        "farm": ("bench_farm", ["2000"], (2, 4)),
        "farm, tasks of 1 ms": ("bench_farm", ["500", "1000"], (4,)),
        "testsome": ("bench_testsome", ["2000"], (4,)),
        "waitany": ("bench_testsome", ["2000", "waitany"], (4,)),
        "polling": ("bench_polling", ["2000"], (2,)),
        "locks": ("bench_locks", ["1000"], (2, 4)),
    }
    found = {name: Benchmark(name, "order", [str(build / "bench" / program), *words], ranks)
             for name, (program, words, ranks) in programs.items()}
    found.update((benchmark.name, benchmark) for benchmark in npb)
    return option.Option("deterministic", "order", found, ("--must:deterministic",))


def _races(build, npb):
    """Programs with races, and applications without."""
    programs = {
        "farm": ("bench_farm", ["50000"], (2, 4)),
        "farm, tasks of 1 ms": ("bench_farm", ["500", "1000"], (4,)),
        "polling": ("bench_polling", ["50000"], (2, 4)),
        "halo": ("bench_halo", ["60000"], (4,)),
    }
    found = {name: Benchmark(name, "alternatives", [str(build / "bench" / program), *words], ranks)
             for name, (program, words, ranks) in programs.items()}
    found.update((benchmark.name, benchmark) for benchmark in npb)
    return option.Option("races", "alternatives", found, ("--must:races", "on"))


def _checks(build, npb):
    """All checks together, which are on by default."""
    found = {benchmark.name: benchmark for benchmark in (*_hook_cost(build), *npb)}
    for name, words, ranks in (("ring", ["20000"], (2, 4)), ("halo", ["60000"], (2, 4))):
        found[name] = Benchmark(name, "checks", [str(build / f"bench/bench_{name}"), *words], ranks)
    return option.Option("checks", "checks", found, (), ("--must:checks", "none"))


def _folding(build, npb):
    """Programs whose loops repeat, others, and applications."""
    programs = {
        "ping-pong": ("bench_ping_pong", ["300000"], (2, 4)),
        "halo": ("bench_halo", ["60000"], (2, 4)),
        "ring": ("bench_ring", ["300000"], (2, 4)),
        "barriers": ("bench_barriers", ["300000"], (2,)),
        "polling": ("bench_polling", ["100000"], (2,)),
        "farm": ("bench_farm", ["50000"], (4,)),
    }
    found = {name: Benchmark(name, "folding", [str(build / "bench" / program), *words], ranks)
             for name, (program, words, ranks) in programs.items()}
    found.update((benchmark.name, benchmark) for benchmark in npb)
    return option.Option("folding", "folding", found, (), ("--must:fold", "off"))


def _exploring(build):
    """A master and three workers, each of which has few tasks."""
    program = Benchmark("farm", "exploring", [str(build / "bench/bench_farm"), "6"], (4,))
    return exploring.Exploring("exploring", "exploring", {"farm": program})


def _hook_cost(build):
    calls = ("send", "recv", "isend+irecv+waitall", "barrier", "allreduce", "iprobe", "test")
    times = {call: rf"^{re.escape(call)} +([0-9.]+)$" for call in calls}
    for name, program in (("call-cost-c", "hook_cost"), ("call-cost-fortran", "hook_cost_fortran")):
        yield Benchmark(name, "calls", [str(build / "bench" / program)], ranks=(1,), times=times, unit=1e-9)


def _allocate(build):
    rows = ("16 bytes", "1000 bytes", "10000 bytes", "many of 100 bytes", "16 bytes, a receive is pending")
    times = {row: rf"^{row} ([0-9.]+)$" for row in rows}
    yield Benchmark("allocate", "calls", [str(build / "bench/bench_allocate")], ranks=(1,), times=times, unit=1e-9)


def _memory_cost(build):
    rows = ("load, plain", "load", "load near a pending buffer", "load of a window", "store, plain", "store", "store to a window",
            "stencil, plain", "stencil", "stencil in a window")
    times = {row: rf"^{re.escape(row)} ([0-9.]+)$" for row in rows}
    yield Benchmark("memory-cost", "calls", [str(build / "bench/memory_cost")], ranks=(1,), times=times, unit=1e-9)


def _kernels(build):
    names = [str(build / "bench" / name) for name in ("kernels", "kernels_instrumented", "kernels_tsan")]
    return sanitizing.Sanitizing("kernels", "applications", *names)


def _onesided(build):
    return onesided.Onesided("one-sided", "onesided", str(build / "bench/bench_puts"))


def _lammps(root):
    program = shutil.which("lmp")
    script = root / "tests/e2e/apps/lammps.in"
    if program and script.exists():
        yield Benchmark("lammps-melt", "applications", [program, "-in", str(script), "-log", "none"],
                        times={"": r"^Loop time of ([0-9.]+) "})


def _hpcc(root):
    program = shutil.which("hpcc")
    inputs = root / "tests/e2e/apps/hpccinf.txt"
    if program and inputs.exists():
        # RATIONALE: its own times are those of parts; one of its exchanges relies on buffering, which is found.
        yield Benchmark("hpcc", "applications", [program], ranks=(4,), times={}, inputs=(inputs,), classes=("potential",))


def _npb(folder, class_):
    for name in ("cg", "mg", "is", "ft", "ep", "lu", "bt", "sp"):
        # RATIONALE: the larger ones would take minutes in class A.
        small = "W" if class_ == "A" and name in ("lu", "bt", "sp") else class_
        program = folder.resolve() / f"{name}.{small}.x"
        if program.exists():
            yield Benchmark(f"npb-{name}-{small.lower()}", "applications", [str(program)], ranks=(4,),
                            times={"": r"^ *Time in seconds = +([0-9.]+)"})


def _scales(build, root):
    """Without MPI, but for the last ones."""
    bench = build / "bench"
    yield plain.Plain("detector-scale", "detector", [str(bench / "detector_scale"), "1", "5"], ("program", "ranks"))
    yield plain.Plain("folding-scale", "folding", [str(bench / "fold_scale"), "2", "5"], ("program", "ranks"))
    yield plain.Plain("alternatives-scale", "alternatives", [str(bench / "alternatives_scale"), "1"], ("program", "ranks", "clocks"),
                      runs=3)
    yield plain.Plain("alternatives-found", "alternatives", [str(bench / "alternatives_found"), "30000"], ("calls", "clocks"))
    yield plain.Plain("byte-range-lock", "exploring", [str(root / "tests/explore/byte_range_lock.py"), "--csv"], ("first", "second"))
    shape = ("pattern", "ranks", "fanin", "leaf_ranks", "processes", "layers")
    yield plain.Plain("tree-scale", "detector", [str(bench / "tree_scale"), "--records", "1e6"], shape, runs=3)
    yield plain.Plain("tree-scale-rings", "detector",
                      [str(bench / "tree_scale_rings"), "--ranks", "64,256", "--leaf-ranks", "64", "--records", "1e6"],
                      shape, runs=3)
    # RATIONALE: 2,048 ranks at 32 leaves; 1e8 records are what they write in a second if each makes 50,000 calls.
    yield plain.Plain("tree-folding", "folding",
                      [str(bench / "tree_scale_rings"), "--fold", "--pattern", "halo", "--ranks", "64,256,2048", "--leaf-ranks", "64",
                       "--records", "1e8"], shape, runs=3)
    yield plain.Plain("tree-patterns", "folding",
                      [str(bench / "tree_scale_rings"), "--fold", "--pattern", "ring,all-to-all,collectives,halo-sum,wavefront,row-sums",
                       "--ranks", "64,512", "--leaf-ranks", "64", "--records", "5e7"], shape, runs=3)
    yield plain.Plain("tree-deep", "deep", [str(bench / "tree_scale"), "--pattern", "ring", "--ranks", "64", "--records", "1e8"],
                      shape)
    yield plain.Plain("wfg-scale", "search", [str(bench / "wfg_scale"), "7"], ("shape", "processes"))
    yield feeding.Feeding("feeding", "tree", str(bench / "feeder"))
    yield idle.Idle("idle", "idle", str(bench / "bench_idle"))
    yield verdict.Verdict("verdict", "verdict", str(bench / "bench_deadlock"))


def _program(benchmark):
    if isinstance(benchmark, (recording.Recording, option.Option, exploring.Exploring)):
        return next(iter(benchmark.programs.values())).command[0]
    return benchmark.program if hasattr(benchmark, "program") else benchmark.command[0]


def find(build, root, npb, npb_class):
    """All benchmarks whose program is there."""
    found = [*_hook_cost(build), *_allocate(build), *_memory_cost(build), _kernels(build), _onesided(build), *_own(build),
             *_lammps(root), *_hpcc(root)]
    kernels = list(_npb(npb, npb_class)) if npb else []
    found += [*kernels, _recording(build), _choices(build), _locks(build), _deterministic(build, kernels),
              _races(build, kernels), _checks(build, kernels), _folding(build, kernels), _exploring(build)]
    found += _scales(build, root)
    return [b for b in found if os.access(_program(b), os.X_OK)]
