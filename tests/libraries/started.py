# SPDX-License-Identifier: BSD-3-Clause
"""Start a program with the tool under a launcher of any kind, and read the report."""

import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
E2E = os.path.join(os.path.dirname(HERE), "e2e")
HOSTS = os.path.join(os.path.dirname(HERE), "nodes", "hosts")
LIMIT = 60  # seconds for a run; a rank that came up alone and waits for itself does so for ever
GRACE = 20  # seconds for mustrun to end its job


def command(mustrun, launcher, path, report, program, ranks=2):
    """`launcher` names it, "mpirun 5" or "srun --mpi=pmi2"; `path`: its file."""
    words = [mustrun, "--must:output-dir", report, "--must:mpiexec", path]
    if launcher.startswith("srun"):
        shared = os.path.dirname(report)
        return [HOSTS, "1", "--slurm", "--shared", shared, "--", "salloc", "-Q", "-N1", f"-n{ranks}", *words, launcher.split()[1],
                "-n", str(ranks), *program]
    if launcher.startswith("mpirun"):
        words += ["--oversubscribe"] if launcher == "mpirun 4" else ["--map-by", ":OVERSUBSCRIBE"]
    return [*words, "-n", str(ranks), *program]


def run(words, folder, **environment):
    """Run in a new folder, which gets the files `out` and `err`. Returns the exit code; None: it hangs."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    print(*words, file=sys.stderr)
    with open(os.path.join(folder, "err"), "wb") as err, open(os.path.join(folder, "out"), "wb") as out:
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env={**os.environ, **environment}) as process:
            try:
                return process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                process.terminate()  # mustrun ends its job, too
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                process.kill()


def report_in(folder):
    """The report of that run, or None."""
    try:
        with open(os.path.join(folder, "MUST_Output.json"), encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, ValueError):
        return None
