# SPDX-License-Identifier: BSD-3-Clause
"""Which programs there are, how they are run, and what the tool may say of each."""

import dataclasses
import random
import signal

DEADLOCK_CLASSES = ("manifest", "potential", "interleaving", "suspected")
FINDINGS_EXIT = 66


@dataclasses.dataclass(frozen=True)
class Kind:
    """One kind of run. `name` is the word for the table, `program` the word for subject.c."""

    name: str
    program: str
    group: str  # correct, wrong, ordered, dying, cancelled, deadlocked
    required: frozenset = frozenset()  # one of these must be found
    allowed: frozenset = frozenset()  # these may be found, too
    exits: frozenset = frozenset({0})
    least_ranks: int = 2
    cancel: int = 0  # signal to mustrun at a random moment; 0: none
    options: tuple = ()  # of mustrun
    before: tuple = None  # options of a run that comes first, in the same folder

    def bare(self):
        """What to run without the tool, for its time: the same, or if that may never end, a program that does nothing."""
        return "empty" if self.group == "deadlocked" or self.program == "rare" else self.program


@dataclasses.dataclass(frozen=True)
class Run:
    index: int
    kind: Kind
    ranks: int
    seed: int  # of the program
    cancel_after: float


def correct(name, allowed=(), exits=(0,)):
    return Kind(name, name, "correct", allowed=frozenset(allowed), exits=frozenset(exits))


def deadlocked(name, *classes, allowed=("potential",), ranks=2):
    return Kind(name, name, "deadlocked", frozenset(classes), frozenset(allowed), frozenset({FINDINGS_EXIT}), ranks)


def wrong(name, found, code, ranks=2):
    """A mistake that does not end the job."""
    return Kind(name, name, "wrong", frozenset({found}), exits=frozenset({code}), least_ranks=ranks)


def ordered(program, how, *options, found=(), code=0, before=None, ranks=2):
    """A run whose order of messages is chosen, repeated or varied."""
    return Kind(f"{program}+{how}", program, "ordered", frozenset(found), exits=frozenset({code}), least_ranks=ranks,
                options=options, before=before)


def dying(name, *exits, found="abnormal-end"):
    return Kind(name, name, "dying", frozenset({found}), exits=frozenset(exits))


def cancelled(program, with_signal):
    """A job that is over before the signal comes ends as usual; mustrun's own exit code is the signal's."""
    name = f"{program}+{signal.Signals(with_signal).name}"
    exits = frozenset({128 + with_signal, 0})
    return Kind(name, program, "cancelled", exits=exits, cancel=with_signal)


BUFFERED = {"allowed": ("potential",), "exits": (0, FINDINGS_EXIT)}

KINDS = (
    *(correct(name) for name in ("empty", "ring", "halo", "big_halo", "collectives", "big_bcast", "farm", "persistent")),
    *(correct(name) for name in ("comms", "tests", "probes", "window", "uneven", "counter")),
    correct("flood", **BUFFERED),
    correct("stopped_flood", **BUFFERED),
    Kind("buffered_exchange", "buffered_exchange", "correct", frozenset({"potential"}), exits=frozenset({FINDINGS_EXIT})),
    deadlocked("recv_recv", "manifest"),
    deadlocked("ssend_ssend", "manifest"),
    deadlocked("big_send_send", "manifest"),
    deadlocked("wait_wait", "manifest"),
    deadlocked("any_any", "manifest"),
    deadlocked("any_then_one", "manifest"),
    deadlocked("barrier_recv", "manifest"),
    deadlocked("missing_barrier", "manifest", "collective-mismatch", allowed=("manifest", "collective-mismatch")),
    deadlocked("crossed_collectives", "manifest", "collective-mismatch", allowed=("manifest", "collective-mismatch")),
    wrong("conflict", "rma-conflict", FINDINGS_EXIT, ranks=3),
    wrong("leak", "resource-leak", 0),
    wrong("wrong_type", "type-mismatch", FINDINGS_EXIT),
    wrong("overlap", "buffer-overlap", FINDINGS_EXIT),
    *(ordered(program, "deterministic", "--must:deterministic") for program in ("farm", "tests", "probes", "counter")),
    *(ordered(program, "replay", "--must:replay", "order", before=("--must:record", "order")) for program in ("farm", "probes", "counter")),
    ordered("two_first", "explore", "--must:explore", ranks=3),
    ordered("rare", "explore", "--must:explore", found=("interleaving", "manifest"), code=FINDINGS_EXIT, ranks=3),
    dying("die_crash", 128 + signal.SIGSEGV),
    dying("die_killed", 128 + signal.SIGKILL),
    dying("die_terminated", 128 + signal.SIGTERM),
    dying("die_abort", 128 + signal.SIGABRT),
    dying("die_mpi_abort", 5),
    dying("die_exit_three", 3),
    dying("die_exit_zero", FINDINGS_EXIT, 1),
    dying("die_fatal_error", FINDINGS_EXIT, found="invalid-argument"),
    *(
        cancelled(program, with_signal)
        for program in ("long_ring", "long_farm", "long_collectives", "long_computation")
        for with_signal in (signal.SIGTERM, signal.SIGINT)
    ),
    cancelled("halo", signal.SIGTERM),
    cancelled("uneven", signal.SIGINT),
)


def run_of(index, seed, kinds=KINDS):
    """The run number `index` of this seed: always the same one."""
    chance = random.Random(f"{seed}.{index}")
    kind = chance.choice(kinds)
    ranks = max(kind.least_ranks, chance.choice((2, 2, 3, 4, 4, 5, 8)))
    return Run(index, kind, ranks, chance.randrange(10**6), chance.uniform(0, 3) if kind.cancel else 0)


def word_of(finding):
    """The class of a deadlock, the id of everything else."""
    return finding["class"] if finding["class"] in DEADLOCK_CLASSES else finding["id"]


def words_of(report):
    """What a report claims."""
    return sorted({word_of(finding) for finding in report.get("findings", [])})


def claims_of(kind, report):
    """What counts of it: of a job that was cancelled the errors only, for the report says where it was then."""
    return {word_of(f) for f in report.get("findings", []) if not kind.cancel or f["severity"] == "error"}


def judge(kind, exit_code, report):
    """What is wrong with the outcome, as a sentence; empty: nothing is."""
    if report is None:
        # cancelled before anything began, or the start itself was
        return "" if kind.cancel and exit_code == 128 + kind.cancel else f"no report, exit {exit_code}"
    found = claims_of(kind, report)
    faults = []
    surplus = found - kind.required - kind.allowed
    if kind.required and not found & kind.required:
        faults.append(f"found {', '.join(sorted(found)) or 'nothing'} in place of {' or '.join(sorted(kind.required))}")
    elif surplus:
        faults.append(f"found {', '.join(sorted(surplus))}")
    if exit_code not in kind.exits:
        faults.append(f"exit {exit_code}")
    if kind.group in ("correct", "wrong", "ordered", "deadlocked") and not report.get("complete", False):
        faults.append("incomplete")
    return "; ".join(faults)
