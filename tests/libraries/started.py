# SPDX-License-Identifier: BSD-3-Clause
"""Start a program with the tool under a launcher of any kind, and read the report."""

import contextlib
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
E2E = os.path.join(os.path.dirname(HERE), "e2e")
sys.path.insert(0, E2E)
import process  # noqa: E402

HOSTS = os.path.join(os.path.dirname(HERE), "nodes", "hosts")
LIMIT = 60.0  # seconds for a run; a rank that came up alone and waits for itself does so for ever


def command(mustrun, launcher, path, report, program, ranks=2):
    """`launcher` names it, "mpirun 5" or "srun --mpi=pmi2"; `path`: its file."""
    words = [os.path.abspath(mustrun), "--must:output-dir", report, "--must:mpiexec", path]
    if launcher.startswith("srun"):
        shared = os.path.dirname(report)
        return [HOSTS, "1", "--slurm", "--shared", shared, "--", "salloc", "-Q", "-N1", f"-n{ranks}", *words, launcher.split()[1],
                "-n", str(ranks), *program]
    if launcher.startswith("mpirun"):
        words += ["--oversubscribe"] if launcher == "mpirun 4" else ["--map-by", ":OVERSUBSCRIBE"]
    return [*words, "-n", str(ranks), *program]


def run(words, folder, **environment):
    """Run in a new folder, which gets the files `out` and `err`; what is seen of the run goes to the standard error. Returns the exit
    code; None: it hangs."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with contextlib.redirect_stdout(sys.stderr):
        outcome = process.run(words, folder, limit=LIMIT, variables=environment)
    for name, text in (("out", outcome.stdout), ("err", outcome.stderr)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text)
    return outcome.exit_code


def report_in(folder):
    """The report of that run, or None."""
    try:
        with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, ValueError):
        return None
