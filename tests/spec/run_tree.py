#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run stand-ins for the codes of a suite by the submit line of its configuration file under the real mustrun, in a folder laid out
like SPEC's, and sum up the reports with specmpi-configs/collect and the real mustbatch.

Exit code 0: as expected; 1: not; 77: skipped, a compiler is missing."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

# pylint: disable=wrong-import-position
import configfile
import process
import suites
import tree
from tree import check

SKIPPED = 77
RANKS = 2
CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "specmpi-configs")

# What stands in for codes of a language: sources, and what they write to stdout and to a file.
RING = (["legacy.c", "legacy_ring.c"], "2 ranks, 3 steps, sum 0\n", "0\n")
EXCHANGE = (["legacy.f90"], "2 ranks, total 3\n", "3\n")
SEND_FIRST = (["send_first.cpp"], "2 ranks, exchanged 1\n", None)
HALO = (["halo.c"], "2 ranks, total 3.0\n", None)
HALO_F = (["halo.f90"], "2 ranks, total 3.0\n", None)
PAIRS = (["pairs.cpp"], "2 ranks, sums 2 4 6\n", None)


def finding_of(report):
    return [(finding["id"], finding["class"], finding["ranks"]) for finding in report["findings"]]


def check_start(outcome, folder, code, expected, file):
    name = code.split(".")[1]
    check(outcome.exit_code == 0, f"{code}: exit code", outcome.exit_code, tree.read(folder, f"{name}.err"))
    check(not outcome.leftovers, f"{code}: processes are left", outcome.leftovers)
    check(tree.read(folder, f"{name}.out") == expected, f"{code}: stdout", tree.read(folder, f"{name}.out"))
    if file is not None:
        check(tree.read(folder, "result.dat") == file, f"{code}: result.dat", tree.read(folder, "result.dat"))


def check_folder(folder, code, command, file):
    """Nothing is in a run directory but what the code and SPEC's tools put there, and the reports."""
    name = code.split(".")[1]
    known = {os.path.basename(command), f"{name}.out", f"{name}.err"} | ({"result.dat"} if file else set())
    others = {entry for entry in os.listdir(folder) if not entry.startswith("must-")} - known
    check(not others, f"{code}: more in the run directory", others)


def run_code(place, code, language, sources, expected, file, size="mtest"):
    """One clean start of one code. Returns its command."""
    command = place.set_up(code, size, language, sources)
    folder = place.folder(code, size)
    check_start(place.start(code, size, command, RANKS), folder, code, expected, file)
    check_folder(folder, code, command, file)
    (report,) = tree.reports(folder)
    check(report["ranks"] == RANKS, f"{code}: ranks", report["ranks"])
    check(report["command"] == [command], f"{code}: command", report["command"])
    check(report["statistics"]["calls"] > 0, f"{code}: no calls were seen")
    return command


def check_clean(place, code, size="mtest"):
    folder = place.folder(code, size)
    (report,) = tree.reports(folder)
    check(report["verdict"] == "clean", f"{code}: findings", finding_of(report), report["notes"])
    check(tree.read(folder, f"{code.split('.')[1]}.err") == "", f"{code}: stderr")


def collect(place, mustbatch, folder, *options):
    output = os.path.join(folder, "summary")
    command = [sys.executable, os.path.join(CONFIGS, "collect"), place.top, "--mustbatch", mustbatch, "--output", output, *options]
    result = subprocess.run(command, cwd=folder, env=process.environment(), capture_output=True, text=True, timeout=900, check=False)
    found = [name for name in os.listdir(output) if name.endswith(".json")] if os.path.isdir(output) else []
    check(found, "collect made no summary", result.returncode, result.stdout, result.stderr)
    cases = json.loads(tree.read(output, "summary.json"))["cases"]
    return result.returncode, {case["name"]: case["result"] for case in cases}


# ---- SPEC MPI2007 ----


def lammps(place):
    """The known finding: reported, and neither the results nor the exit code suffer, unless asked for."""
    code, (sources, expected, file) = "126.lammps", SEND_FIRST
    command = run_code(place, code, "C++", sources, expected, file)
    folder = place.folder(code, "mtest")
    check(finding_of(tree.reports(folder)[0]) == [("deadlock", "potential", [0, 1])], code, tree.reports(folder)[0]["findings"])
    check("deadlock (potential)" in tree.read(folder, "lammps.err"), f"{code}: stderr", tree.read(folder, "lammps.err"))
    outcome = place.start(code, "mtest", command, RANKS, MUST_ERRORCODE="66")
    check(outcome.exit_code == 66, f"{code}: exit code with an error code", outcome.exit_code)
    check_start(place.start(code, "mtest", command, RANKS, MUST_SENDS="buffered"), folder, code, expected, file)
    verdicts = [report["verdict"] for report in tree.reports(folder)]
    check(verdicts == ["findings", "findings", "clean"], f"{code}: three starts", verdicts)


def geofem(place):
    """Several programs for one run, of which one uses no MPI."""
    code, (sources, expected, file) = "128.GAPgeofem", EXCHANGE
    cut = place.set_up(code, "mtest", "C", ["serial.c"])
    folder = place.folder(code, "mtest")
    check_start(place.start(code, "mtest", cut, 1), folder, code, "a mesh\n", None)
    command = place.set_up(code, "mtest", "Fortran", sources)
    check_start(place.start(code, "mtest", command, RANKS), folder, code, expected, file)
    verdicts = [(report["verdict"], report["ranks"]) for report in tree.reports(folder)]
    check(verdicts == [("not-checked", 0), ("clean", RANKS)], f"{code}: two programs", verdicts)


def stdin_of_milc(place):
    """A code that reads its input from stdin gets it."""
    folder = place.folder("104.milc", "mtrain")
    command = place.set_up("104.milc", "mtrain", "C", RING[0])
    with open(os.path.join(folder, "su3imp.in"), "w", encoding="ascii") as file:
        file.write("5\n")
    outcome = place.start("104.milc", "mtrain", f"{command} -", RANKS, stdin="su3imp.in")
    check_start(outcome, folder, "104.milc", "2 ranks, 5 steps, sum 0\n", "0\n")


def mpi2007(place, mustbatch, folder):
    for code in suites.codes(suites.MPI2007):
        language = suites.MPI2007_LANGUAGES[code].split()[0]
        if code not in ("126.lammps", "128.GAPgeofem"):
            run_code(place, code, language, *(RING if language == "C" else EXCHANGE))
            check_clean(place, code)
    lammps(place)
    geofem(place)
    stdin_of_milc(place)
    code, results = collect(place, mustbatch, folder)
    names = {f"{name}.base.mtest.orknot.0000" for name in suites.codes(suites.MPI2007)} - {
        "126.lammps.base.mtest.orknot.0000",
        "128.GAPgeofem.base.mtest.orknot.0000",
    }
    names |= {f"126.lammps.base.mtest.orknot.0000.{n}" for n in (1, 2, 3)} | {f"128.GAPgeofem.base.mtest.orknot.0000.{n}" for n in (1, 2)}
    names.add("104.milc.base.mtrain.orknot.0000")
    check(results == dict.fromkeys(names, "pass"), "summary", results)
    check(code == 0, "exit code of collect", code)


# ---- SPEChpc 2021 ----


def hang(place):
    """A code that hangs is ended and fails, and its report says why."""
    code = "632.sph_exa_s"
    command = place.set_up(code, "test", "C++", PAIRS[0])
    folder = place.folder(code, "test")
    outcome = place.start(code, "test", f"{command} --hang", RANKS)
    check(outcome.exit_code not in (0, None), f"{code}: exit code", outcome.exit_code)
    check(not outcome.leftovers, f"{code}: processes are left", outcome.leftovers)
    check(finding_of(tree.reports(folder)[0]) == [("deadlock", "manifest", [0, 1])], code, tree.reports(folder)[0]["findings"])


def with_threads(place):
    """The other model: another build of the same code beside the first one."""
    threaded = place.with_define("model", "omp")
    check("-fopenmp" in threaded.values("505.lbm_t")["OPTIMIZE"], "no OpenMP in the other model")
    run_code(threaded, "505.lbm_t", "C", *HALO, "test")
    check_clean(threaded, "505.lbm_t", "test")


def ended_before_its_report(place):
    """The tool itself was killed: a folder without a report."""
    folder = os.path.join(place.folder("605.lbm_s", "test"), "must-killed")
    os.makedirs(folder)


def hpc2021(place, mustbatch, folder):
    for code in suites.HPC2021["tiny"]:
        language = next(language for _, name, language, _ in suites.HPC_CODES if f".{name}_" in code)
        run_code(place, code, language, *{"C": HALO, "C++": PAIRS, "Fortran": HALO_F}[language], "test")
        check_clean(place, code, "test")
    hang(place)
    with_threads(place)
    ended_before_its_report(place)
    code, results = collect(place, mustbatch, folder)
    names = dict.fromkeys((f"{name}.base.test.orknot_mpi.0000" for name in suites.HPC2021["tiny"]), "pass")
    names["505.lbm_t.base.test.orknot_omp.0000"] = "pass"
    names |= {"632.sph_exa_s.base.test.orknot_mpi.0000": "fail", "605.lbm_s.base.test.orknot_mpi.0000": "error"}
    check(results == names, "summary", results)
    check(code == 1, "exit code of collect", code)


TREES = {
    "mpi2007": (mpi2007, tree.Layout("MPI2007", configfile.MPI2007, suites.MPI2007)),
    "hpc2021": (hpc2021, tree.Layout("HPC", configfile.HPC2021, suites.HPC2021)),
}


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mustrun", required=True)
    parser.add_argument("--mustbatch", required=True)
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    parser.add_argument("suite", choices=sorted(TREES))
    arguments = parser.parse_args(argv)
    lacking = [program for program in ("mpicc", "mpicxx", "mpif90", "mpirun") if shutil.which(program) is None]
    if lacking:
        print(f"skipped: {', '.join(lacking)} missing")
        return SKIPPED
    run, layout = TREES[arguments.suite]
    folder = tempfile.mkdtemp(prefix="orknot-spec-")
    text = tree.read(CONFIGS, f"{arguments.suite}-gcc.cfg")
    defines = {"mustrun": os.path.realpath(arguments.mustrun), "mpirun_opts": "--bind-to none --oversubscribe"}
    try:
        run(tree.Tree(os.path.join(folder, "spec"), layout, text, defines), arguments.mustbatch, folder)
    except (tree.Failed, configfile.ConfigError) as failure:
        print(failure)
        return 1
    finally:
        if arguments.keep:
            print(folder)
        else:
            shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
