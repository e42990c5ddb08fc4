#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run one real application plainly and under the tool: the results are the same, and nothing is reported but what is known.

Exit code 0: so it is; 1: not; 77: skipped, the application is not installed."""

import argparse
import dataclasses
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import process  # noqa: E402 (stands beside the runner of the small programs)

SKIPPED = 77
FINDINGS_EXIT = 66
LIMIT = process.FAR  # seconds for one run
PYTHON = "/usr/bin/python3"  # the interpreter for which the package installs mpi4py


@dataclasses.dataclass
class App:
    command: list  # the program is a name in PATH, a pattern of paths with {mpi}, or the name of a driver that is built from this folder
    inputs: list
    package: str  # Debian package
    ranks: int = 4
    result: str = None  # file with the results; None: standard output
    keep: str = ""  # lines that are results; all if empty ...
    drop: str = "$^"  # ... but these, which hold times
    times: str = "$^"  # parts of lines that are times
    module: str = None  # Python module that must be there
    potential: frozenset = frozenset()  # calls of potential deadlocks that the application really has
    warnings: str = "$^"  # messages of warnings that are true of the application
    errors: str = "$^"  # likewise
    notes: str = "$^"  # likewise


SCALAPACK = "/usr/lib/*/scalapack/{mpi}-tests/"


def scalapack(program, data):
    """A test program of ScaLAPACK. The columns before its verdict are seconds and Mflop/s."""
    return App(
        command=[SCALAPACK + program],
        inputs=[data],
        package="scalapack-mpi-test",
        times=r"(\s+[\d.]+){2,3}(?= (PASSED|FAILED))|(?<=Passed ).{18}",
        # The BLACS post the receive of a broadcast's result before they send their own part from the same buffer.
        warnings=r"MPI_Send.* reads bytes .* that the pending MPI_Irecv.* writes",
    )


APPS = {
    "lammps": App(
        command=["lmp", "-in", "lammps.in", "-log", "none"],
        inputs=["lammps.in"],
        package="lammps",
        drop=r"time|Performance|CPU|^(Pair|Neigh|Comm|Output|Modify|Other) ",
    ),
    "hpcc": App(
        command=["hpcc"],
        inputs=["hpccinf.txt"],
        package="hpcc",
        result="hpccoutf.txt",
        keep=r"^Success=|^HPL_(N|NB|.*norm.)=|^PTRANS_(residual|n|nb)=|_Errors=|^DGEMM_N=|Ax-b.*PASSED|tests (completed|passed)",
        # cross_ping_pong_set() of bench_lat_bw.c: a client sends the token to the next one and enters MPI_Bcast; the next one
        # receives the token after that MPI_Bcast. Only the buffer, or a broadcast that returns early, lets it end.
        potential=frozenset({"MPI_Send", "MPI_Bcast"}),
        # HPL_packL() joins a part of the matrix and one of the panel, two blocks, in one datatype by the difference of their addresses.
        # Seen if the aligned beginning of the matrix is that of its block.
        notes=r"buf of MPI_\w+ of ranks? .* begins an allocated block, and its datatype reaches another one",
    ),
    "mpi4py": App(
        command=[PYTHON, "heat.py"],
        inputs=["heat.py"],
        package="python3-mpi4py",
        module="mpi4py",
    ),
    "mpi4py-futures": App(
        command=[PYTHON, "-m", "mpi4py.futures", "pool.py"],
        inputs=["pool.py"],
        package="python3-mpi4py",
        module="mpi4py.futures",
    ),
    "scalapack-lu": scalapack("xdlu", "LU.dat"),
    "scalapack-qr": scalapack("xdqr", "QR.dat"),
    "scalapack-nep": scalapack("xdnep", "NEP.dat"),
    "scalapack-svd": scalapack("xdsvd", "SVD.dat"),
    "mumps": App(
        command=["mumps_laplace"],
        inputs=[],
        package="libmumps-dev",
    ),
    "hdf5": App(
        command=["hdf5_grid"],
        inputs=[],
        package="libhdf5-openmpi-dev, for MPICH libhdf5-mpich-dev",
    ),
    "global-arrays": App(
        command=["global_arrays_tiles"],
        inputs=[],
        package="libglobalarrays-dev",
        # The group of all processes has a communicator that ARMCI_Group_create_child() makes and nothing frees.
        warnings=r"1 communicator of MPI_Comm_create was not freed",
        # gmr_put() of ARMCI-MPI replaces MPI_BYTEs, and its strided sibling elements of the array's type. Both are accumulates, and only
        # those of one type are in order; between them the library waits for the end at the origin.
        errors=r"rank (\d+) accumulated into bytes .* of the window of rank \d+ and accumulated into .* before the first access",
    ),
    "coarrays": App(
        command=["coarray_ring"],
        inputs=[],
        package="libcoarrays-openmpi-dev",
        # At its end, each image sends its state to all others, for a SYNC IMAGES that nobody makes any more.
        potential=frozenset({"MPI_Send"}),
        warnings=r"sent messages that no rank received before MPI_Finalize",
    ),
}


@dataclasses.dataclass
class Mpi:
    launcher: str
    options: tuple = ()


MPIS = {"openmpi": Mpi("mpirun", ("--oversubscribe",)), "mpich": Mpi("mpiexec.mpich")}


def find_program(name, drivers):
    paths = glob.glob(os.path.join(os.path.abspath(drivers), name))  # name may be an absolute pattern
    return paths[0] if paths else shutil.which(name)


def has_module(program, module):
    return subprocess.run([program, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def find_command(app, drivers, mpi="openmpi"):
    """Program and arguments, or None if something is not installed."""
    program = find_program(app.command[0].format(mpi=mpi), drivers)
    if program is None or app.module and not has_module(program, app.module):
        return None
    return [program] + app.command[1:]


def results(app, text):
    lines = text.decode(errors="replace").splitlines()
    kept = [line for line in lines if re.search(app.keep, line) and not re.search(app.drop, line)]
    return [re.sub(app.times, "", line) for line in kept]


def run(app, command, launcher, folder):
    """(outcome, result lines)"""
    os.mkdir(folder)
    for name in app.inputs:
        shutil.copy(os.path.join(HERE, name), folder)
    outcome = process.run(launcher + ["-n", str(app.ranks)] + command, folder, limit=LIMIT)
    text = outcome.stdout
    if app.result:
        path = os.path.join(folder, app.result)
        text = b""
        if os.path.exists(path):
            with open(path, "rb") as file:
                text = file.read()
    return outcome, results(app, text)


def compare_results(plain, observed):
    for number, (a, b) in enumerate(zip(plain, observed)):
        if a != b:
            yield f"result line {number}: '{b}', without the tool '{a}'"
    if len(plain) != len(observed):
        yield f"{len(observed)} result lines, without the tool {len(plain)}"


def is_known(app, finding):
    """A potential deadlock in just those calls, or one of those warnings, errors and notes."""
    known = {"warning": app.warnings, "error": app.errors, "note": app.notes}
    if re.search(known.get(finding["severity"], "$^"), finding["message"]):
        return True
    calls = {wait["call"] for wait in finding["waits"]}
    return finding["class"] == "potential" and calls == app.potential


def compare_report(app, folder, exit_code):
    path = os.path.join(folder, "MUST_Output.json")
    if not os.path.exists(path):
        yield "MUST_Output.json is missing"
        return
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for finding in report["findings"]:
        if not is_known(app, finding):
            yield f"reported: {finding['id']} ({finding['class']}): {finding['message']}"
    right = FINDINGS_EXIT if any(finding["severity"] == "error" for finding in report["findings"]) else 0
    if exit_code != right:
        yield f"exit code {exit_code}, expected {right}"
    if not report["complete"]:
        yield "the report is not complete"


def test(app, command, mpi, mustrun, folder):
    plain, right = run(app, command, [mpi.launcher, *mpi.options], os.path.join(folder, "plain"))
    if plain.exit_code != 0 or not right:
        yield f"the plain run ended with {plain.exit_code} and {len(right)} result lines"
        return
    report = os.path.join(folder, "report")
    os.mkdir(report)
    launcher = [mustrun, "--must:output-dir", report, "--must:mpiexec", mpi.launcher, *mpi.options]
    observed, lines = run(app, command, launcher, os.path.join(folder, "observed"))
    for command in observed.leftovers:
        yield f"left behind: {command}"
    yield from compare_results(right, lines)
    yield from compare_report(app, report, observed.exit_code)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mustrun", required=True)
    parser.add_argument("--drivers", default=".", help="folder of the programs that are built from this one")
    parser.add_argument("--mpi", choices=sorted(MPIS), default="openmpi", help="the library that it is built with")
    parser.add_argument("app", choices=sorted(APPS))
    arguments = parser.parse_args(argv)
    app = APPS[arguments.app]
    command = find_command(app, arguments.drivers, arguments.mpi)
    if command is None or shutil.which(MPIS[arguments.mpi].launcher) is None:
        print(f"skipped: install the Debian package {app.package}")
        return SKIPPED
    folder = tempfile.mkdtemp(prefix="orknot-app-")
    try:
        problems = list(test(app, command, MPIS[arguments.mpi], arguments.mustrun, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
