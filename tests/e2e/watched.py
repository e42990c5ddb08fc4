# SPDX-License-Identifier: BSD-3-Clause
"""A run under the tool that is watched while it lasts. What is run and printed, and where a run that does not go on stands, goes to the
standard output, as in process.py."""

import json
import os
import re
import subprocess
import time

import process


class Run:
    """A command of mustrun that makes its report in `folder`; its streams are in files."""

    def __init__(self, command, folder):
        self.name = process.new_name()
        self.folder = folder
        self.paths = [os.path.join(folder, stream) for stream in ("out", "err")]
        process.show_command(command, None)
        with open(self.paths[0], "wb") as out, open(self.paths[1], "wb") as err:
            env = process.environment({process.RUN_VARIABLE: self.name, process.STOP_VARIABLE: os.path.join(folder, "stop")})
            self.process = subprocess.Popen(command, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)

    def text(self, stream):
        with open(self.paths[stream == "err"], encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for(self, stream, pattern, seconds=process.FAR):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text(stream)):
            if time.monotonic() > end or self.process.poll() is not None:
                self.show_places()
                raise AssertionError(f"no {pattern!r} in {self.text('out')!r} and {self.text('err')!r}")
            time.sleep(0.02)

    def show_places(self):
        process.log("\n".join(["still running:", *process.places_of(self.name)]))

    def stop(self):
        """Tell a program that includes programs/stop.h to end."""
        with open(os.path.join(self.folder, "stop"), "wb"):
            pass

    def rank_process(self, rank, program):
        """The process id of a rank. Launchers above it have the same variables, perhaps."""
        found = []
        for pid, command in process.processes_of(self.name).items():
            if os.path.basename(command.split(" ")[0]) != program:
                continue
            with open(f"/proc/{pid}/environ", "rb") as file:
                if f"OMPI_COMM_WORLD_RANK={rank}".encode() in file.read().split(b"\0"):
                    found.append(pid)
        if len(found) != 1:
            raise AssertionError(f"rank {rank} of {program}: {found}")
        return found[0]

    def tool_process(self, number):
        """The process id of a process of the tree. The first of a node has the name of the program, the others their number in it."""
        found = []
        for pid, command in process.processes_of(self.name).items():
            if os.path.basename(command.split(" ")[0]) != "must-tool":
                continue
            if "--processes=" not in command:
                return self.rank_process(number, "must-tool")  # a job of mpirun
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                if file.read().strip() == (f"must-tool-{number}" if number > 0 else "must-tool"):
                    found.append(pid)
        if len(found) != 1:
            raise AssertionError(f"tool process {number}: {found}")
        return found[0]

    def clear(self):
        """For a test that fails: leave no process behind."""
        process.clear(self.name, 0.0)
        self.process.wait()

    def finish(self):
        """(exit code, report)"""
        try:
            code = self.process.wait(process.FAR)
        except subprocess.TimeoutExpired:
            code = None
            self.show_places()
        left = process.clear(self.name, 5.0 if code is not None else 0.0)
        self.process.wait()
        process.show(process.Outcome(code, self.text("out").encode(), self.text("err").encode(), left))
        if code is None:
            raise AssertionError("mustrun did not end: " + self.text("err"))
        if left:
            raise AssertionError("left behind: " + "; ".join(left))
        with open(os.path.join(self.folder, "MUST_Output.json"), encoding="utf-8") as file:
            return code, json.load(file)
