# SPDX-License-Identifier: BSD-3-Clause
"""A folder for a test, in which suites are written and mustbatch is run."""

import json
import os
import runpy
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

from mustbatch import program  # noqa: F401 - what the program needs is there before run_program()

HERE = os.path.dirname(os.path.realpath(__file__))
PROGRAM = os.path.join(os.environ["BATCH_BUILD"], "mustbatch", "mustbatch")
STANDIN = os.path.join(HERE, "standin.py")
LIMIT = 300.0


def toml(value):
    """A value as TOML writes it; strings and lists of them are the same in JSON."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(entry)}" for key, entry in value.items()) + "}"
    return json.dumps(value)


def case(name, command, **keys):
    """The text of a [[case]]; a command that is a string is one of the shell."""
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    fields = {"name": name, "ranks": 2, "command": words} | {key.replace("_", "-"): value for key, value in keys.items()}
    return "[[case]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in fields.items())


def finding(id_="deadlock", class_="manifest", severity="error", message="ranks 0 and 1 wait for each other", **keys):
    return {"id": id_, "class": class_, "severity": severity, "message": message} | keys


def report(**keys):
    """The table of a case's files with which the stand-in makes such a report."""
    return {"report.json": json.dumps(keys)}


def become_program(words, folder, out, err):
    """In a process of its own: mustbatch with these words and files. Does not return."""
    code = 1
    try:
        os.chdir(folder)
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), out.fileno(), err.fileno())):
            os.dup2(file, number)
        sys.argv = [PROGRAM, *words]
        runpy.run_path(PROGRAM, run_name="__main__")
        code = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        else:
            code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def run_program(words, folder):
    """Run mustbatch; returns the ended process. RATIONALE: a new Python that imports all of it takes most of the time of a test."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            become_program(words, folder, out, err)
        handle = os.pidfd_open(child)
        if not select.select([handle], [], [], LIMIT)[0]:
            os.kill(child, signal.SIGKILL)
        os.close(handle)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    return subprocess.CompletedProcess([PROGRAM, *words], code, *texts)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="orknot-batch-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def wait_until(self, condition, seconds=LIMIT):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def wait_for(self, name):
        """What is in the file, once it is there."""
        self.wait_until(lambda: os.path.exists(self.path(name)))
        return self.read(name)

    def suite(self, *cases, head='name = "small"\n'):
        return self.write("suite.toml", head + "".join(cases))

    def command(self, *words):
        return [sys.executable, PROGRAM, *words]

    def batch(self, *words, before=None):
        """Run mustbatch; returns the ended process. `before`: is called in the process that becomes mustbatch."""
        if before is None:
            return run_program(words, self.folder)
        return subprocess.run(
            self.command(*words),
            cwd=self.folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=LIMIT,
            check=False,
            preexec_fn=before,
        )

    def run_words(self, *words):
        extra = words[words.index("--") :] if "--" in words else ()
        own = words[: len(words) - len(extra)]
        return ("run", "suite.toml", "--output", "out", "--mustrun", STANDIN, "--mpiexec", STANDIN, *own, *extra)

    def run_suite(self, *words, before=None):
        return self.batch(*self.run_words(*words), before=before)

    def summary(self, *names):
        return json.loads(self.read(*(names or ("out",)), "summary.json"))

    def results(self, *names):
        return {entry["name"]: entry for entry in self.summary(*names)["cases"]}

    def words(self):
        return {name: entry["result"] for name, entry in self.results().items()}
