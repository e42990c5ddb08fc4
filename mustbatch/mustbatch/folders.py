# SPDX-License-Identifier: BSD-3-Clause
"""Folders and files of the results: nothing that mustbatch did not make is overwritten."""

import contextlib
import fcntl
import glob
import json
import os
import shutil
import tempfile

from mustbatch import errors

STATE = "state.json"
LOCK = ".mustbatch"
SUMMARIES = ("summary.html", "summary.json", "summary.xml")
SCHEMA = 1


class Missing(Exception):
    """An input of a case is not there."""


def write(path, text):
    """Atomically: there is the old file or the new one."""
    folder = os.path.dirname(path)
    fd, temporary = tempfile.mkstemp(prefix=".new-", dir=folder)
    try:
        with open(fd, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~umask())
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise OSError(error.errno, error.strerror, path) from None
    except BaseException:
        os.unlink(temporary)
        raise


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


class Output:
    """The folder of a run: <case>/<variant>-<k>/, state.json, and the summaries."""

    def __init__(self, path, suite, resume=False):
        self.path = os.path.abspath(path)
        self.suite = suite
        self.made = set()  # folders of cases
        self.done = {}  # {case: {"fingerprint", "result"}}
        self.open(resume)

    def refuse(self, sentence):
        raise errors.Refused(f"{self.path} {sentence}")

    def open(self, resume):
        try:
            os.makedirs(self.path, exist_ok=True)
            entries = os.listdir(self.path)
            ours = LOCK in entries
            if ours and any(self.is_foreign(name) for name in (LOCK, STATE)):
                self.refuse("has the results of another user; choose another folder with --output")
            if entries and not ours:
                self.refuse("is not empty and was not made by mustbatch; choose another folder with --output")
            self.lock = os.open(os.path.join(self.path, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.refuse("is in use by another mustbatch")
        except OSError as error:
            self.refuse(f"cannot be used: {error.strerror}")
        if ours:
            self.load(resume)
            self.forget_summaries()
        self.save()

    def is_foreign(self, name):
        path = os.path.join(self.path, name)
        return os.path.lexists(path) and os.lstat(path).st_uid != os.geteuid()

    def forget_summaries(self):
        """Those of an earlier run: if this one cannot write its own, they must not be taken for them."""
        for name in SUMMARIES:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(self.path, name))

    def load(self, resume):
        path = os.path.join(self.path, STATE)
        try:
            with open(path, encoding="utf-8") as file:
                state = json.load(file)
            made, done, suite = set(state["made"]), dict(state["done"]), state["suite"]
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.refuse(f"has a state.json that cannot be read ({error}); choose another folder with --output")
        if suite != self.suite:
            self.refuse(f"has the results of the suite '{suite}'; choose another folder with --output")
        self.made = made
        if resume:
            self.done = done

    def save(self):
        state = {"schema": SCHEMA, "suite": self.suite, "made": sorted(self.made), "done": self.done}
        write(os.path.join(self.path, STATE), json.dumps(state, indent=1) + "\n")

    def remember(self, case, fingerprint, result):
        self.done[case] = {"fingerprint": fingerprint, "result": result}
        self.save()

    def result(self, case, fingerprint):
        """What is known of a case that was run before in the same way, or None."""
        entry = self.done.get(case)
        return entry["result"] if entry and entry.get("fingerprint") == fingerprint else None

    def check(self, case):
        """Nothing of the user's is where the case's folder is to be."""
        if case not in self.made and os.path.lexists(os.path.join(self.path, case)):
            self.refuse(f"has a '{case}' that mustbatch did not make; choose another folder with --output")

    def fresh(self, case):
        """An empty folder for a case."""
        self.check(case)
        path = os.path.join(self.path, case)
        if os.path.lexists(path):
            shutil.rmtree(path)
        self.made.add(case)
        self.done.pop(case, None)
        self.save()
        os.mkdir(path)
        return path

    def summary(self, name, text):
        write(os.path.join(self.path, name), text)


def members(directory, pattern):
    """Paths, relative to the directory, that a pattern stands for."""
    found = sorted(glob.glob(pattern, root_dir=directory, recursive=True, include_hidden=True))
    if not found:
        raise Missing(f"there is no input '{pattern}' in {directory}")
    return found


def put(case, work):
    """Fill a case's work folder: its inputs, then its own texts."""
    for pattern in case.input:
        for name in members(case.directory, pattern):
            place(os.path.join(case.directory, name), os.path.join(work, name), case.place)
    for name, text in case.files.items():
        path = os.path.join(work, name)
        if leads_out(path, work):
            raise Missing(f"'{name}' would be written through a link into {case.directory}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            raise Missing(f"'{name}' is both an input and a text of the suite")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def leads_out(path, work):
    work = os.path.realpath(work)
    return os.path.commonpath([work, os.path.realpath(path)]) != work


def place(source, target, how):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.lexists(target):
        return  # two patterns stand for it
    if how == "link":
        os.symlink(source, target)
    elif os.path.isdir(source):
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target)
