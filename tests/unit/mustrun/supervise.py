# SPDX-License-Identifier: BSD-3-Clause
"""Tests of mustrun with a must-tool that only speaks the protocol, under an mpirun that does what it is told, or the real one.

Arguments: mustrun, the folders of the tool and of the interceptor beside its own, a library that does nothing."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MUSTRUN, TOOL_FOLDER, INTERCEPTOR_FOLDER, INTERCEPTOR = sys.argv[1:5]
SANITIZED = b"__asan_init" in open(MUSTRUN, "rb").read()
LIMIT = 300
HYDRA = "HYDRA build details:\n    Version:                                 4.0.2"


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition, seconds=LIMIT):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Case(unittest.TestCase):
    """A folder with an installed tree (bin/mustrun, a false must-tool, an empty interceptor) and a place to work."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="mustrun-")
        self.addCleanup(shutil.rmtree, self.folder)
        binary = self.path("tree/bin")
        os.makedirs(binary)
        self.mustrun = shutil.copy(MUSTRUN, binary)
        self.tool = self.install("fake_tool.py", os.path.join(binary, TOOL_FOLDER), "must-tool")
        self.interceptor = self.install(INTERCEPTOR, os.path.join(binary, INTERCEPTOR_FOLDER), "libmust-interceptor.so")
        self.fake_mpirun = self.install("fake_mpirun", self.path("tree"), "mpirun")
        self.install("unkind_mpirun.py", self.path("tree", "unkind"), "mpirun")
        os.mkdir(self.path("work"))
        self.environment = dict(os.environ, FAKE_LOG=self.path("log"), OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def install(self, source, folder, name):
        folder = os.path.normpath(folder)
        os.makedirs(folder, exist_ok=True)
        target = os.path.join(folder, name)
        shutil.copy(os.path.join(HERE, source), target)
        os.chmod(target, 0o755)
        return target

    def command(self, *words, fake=True):
        launcher = ["--must:mpiexec", self.fake_mpirun] if fake else []
        return [self.mustrun] + launcher + list(words)

    def start(self, *words, fake=True, before=None, **environment):
        """`before`: is called in the process that becomes mustrun."""
        process = subprocess.Popen(self.command(*words, fake=fake), cwd=self.path("work"), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(self.environment, **environment),
                                   preexec_fn=before)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def run_it(self, *words, fake=True, stdin=b"", **environment):
        return subprocess.run(self.command(*words, fake=fake), cwd=self.path("work"), input=stdin, capture_output=True,
                              timeout=LIMIT, env=dict(self.environment, **environment))

    def log(self):
        try:
            with open(self.path("log")) as log:
                return log.read()
        except FileNotFoundError:
            return ""

    def pids(self):
        return [int(pid) for pid in re.findall(r"^(?:tool|mpirun|rank) (\d+)$", self.log(), re.M)]

    def report(self, folder="work"):
        with open(self.path(folder, "MUST_Output.json")) as report:
            return json.load(report)


def main():
    unittest.main(argv=sys.argv[:1], verbosity=2)
