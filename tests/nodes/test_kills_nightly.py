# SPDX-License-Identifier: BSD-3-Clause
"""The table of ../e2e/tree/test_kills.py for runs over three hosts, and for jobs of Slurm on them: each process of the tool and of the
job is killed, or told to end, in each phase. There the tool's processes are a job of their own, with an mpirun and daemons. See case.py."""

import os
import sys

import case
from case import HERE, STEPS

import process
import slurm
import test_slurm
import watched

sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e", "tree"))
import test_kills  # noqa: E402


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return int(file.read().rpartition(")")[2].split()[1])


class Several(test_kills.Table):
    """Of several hosts. Daemons: those above rank 1, and above process 1 of the tool."""

    victims = ("mustrun", "mpirun", "mpirun of the tool", "daemon", "daemon of the tool", "root", "leaf", "rank")
    phases = ("calls", "deadlock", "end")
    NUMBERS = {"root": 0, "leaf": 1}

    def find_process(self, run, victim):
        if victim.startswith("daemon"):
            return parent_of(self.find_process(run, "rank" if victim == "daemon" else "leaf"))
        if victim.startswith("mpirun"):
            is_tools = victim != "mpirun"
            found = self.programs(run).items()
            return next((pid for pid, words in found
                         if words[0] == "mpirun" and any(word.endswith("must-tool") for word in words) == is_tools), None)
        return super().find_process(run, victim)


class Hosts(Several, case.Case):
    def start(self, phase):
        return case.Case.start(self, "-np", "3", STEPS, *test_kills.WORDS[phase])


class Job(watched.Run):
    """mustrun in a batch script."""

    def __init__(self, test, number):
        self.test, self.number = test, number
        self.name = os.environ[process.RUN_VARIABLE]
        self.folder = test.folder
        self.paths = [test.path("out"), test.path("err")]
        self.process = self

    def text(self, stream):
        return self.test.text(stream)

    def poll(self):
        """None while the job runs."""
        is_over = ": watching" in self.text("err") and not process.processes_of(self.name)
        return 0 if is_over else None


class Slurm(Several, test_slurm.Case):
    victims = ("mustrun", "mpirun", "mpirun of the tool", "daemon", "daemon of the tool", "root", "leaf", "rank")

    def environment(self):
        return {**super().environment(), process.STOP_VARIABLE: os.path.join(self.folder, "stop")}

    def start(self, phase):
        command = "exec " + self.mustrun("-np", "3", STEPS, *test_kills.WORDS[phase])
        return Job(self, self.submit(command, "--ntasks-per-node=1"))

    def wait_for_end(self, run):
        """The exit code of the batch script, as a shell tells it."""
        _, codes = self.finish(run.number)
        code, signo = map(int, codes.split(":"))
        return 128 + signo if signo else code


if __name__ == "__main__":
    case.main(slurm.require if "Slurm" in sys.argv else case.bed.require)
