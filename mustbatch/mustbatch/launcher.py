# SPDX-License-Identifier: BSD-3-Clause
"""Finds programs, and builds the command lines of a case with the tool and without."""

import glob
import os
import shlex
import shutil
import subprocess

from mustbatch import errors, report

PROBE_LIMIT = 20.0  # seconds


class NotThere(Exception):
    """A program is missing."""


def find_mustrun(given, beside):
    """The launcher that was named, the one that belongs to this mustbatch, or that of PATH."""
    if given is not None:
        path = shutil.which(os.path.abspath(given) if os.sep in given else given)
    else:
        path = shutil.which(beside) or shutil.which("mustrun")
    if path is None:
        raise errors.Unavailable(
            f"mustrun is missing: {given or beside} is not an executable file, and PATH has none"
            if given is None
            else f"{given} is not an executable file"
        )
    return os.path.abspath(path)


def find_program(case, work=None):
    """The program as mpirun is to start it. `work`: the filled folder; without it, what would be in it is believed to be there."""
    program = case.command[0]
    if os.path.isabs(program):
        found = [path for path in sorted(glob.glob(program)) if os.access(path, os.X_OK)]
        if found:
            return found[0]
    elif os.sep not in program:
        found = shutil.which(program, path=case.environment.get("PATH"))
        if found:
            return program
    elif work is None and (case.prepare or os.path.normpath(program) in case.files):
        return program
    elif work is not None and os.path.exists(os.path.join(work, program)):
        return program
    elif os.access(os.path.join(case.directory, program), os.X_OK):
        return os.path.normpath(os.path.join(case.directory, program))
    raise NotThere(f"{program} does not exist")


def probe(case):
    """True if what the case needs besides its program is there."""
    try:
        ended = subprocess.run(
            case.probe, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=PROBE_LIMIT, start_new_session=True
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0


def what_is_missing(case):
    """A sentence, or None."""
    try:
        find_program(case)
    except NotThere as error:
        return str(error)
    for command in case.prepare:
        if os.sep not in command[0] and shutil.which(command[0]) is None:
            return f"{command[0]} does not exist"
    if case.probe and not probe(case):
        return f"'{shlex.join(case.probe)}' fails"
    return None


def why_skipped(case):
    """Why a case is not run here, or None. Without a package to name, a missing program is an error and no reason."""
    if case.skip:
        return case.skip
    if case.package is None:
        return None
    missing = what_is_missing(case)
    return f"{missing}: install the Debian package {case.package}" if missing else None


def without_tool(words):
    """The words that mpirun understands: a --must: option goes, with its value if that is a word of its own."""
    kept = []
    before = None
    for word in words:
        is_value = before is not None and not word.startswith("-")
        before = word if word.startswith("--must:") and "=" not in word else None
        if not word.startswith("--must:") and not is_value:
            kept.append(word)
    return kept


def command(case, variant, settings, folder, work):
    """The words of one run; the program's own are the last."""
    program = [find_program(case, work)] + case.command[1:]
    words = case.options + settings.extra
    ranks = ["-np", str(case.ranks)]
    if variant == "plain":
        return [settings.mpiexec] + without_tool(words) + ranks + program
    head = [settings.mustrun, f"--must:output-dir={folder}", "--must:output=html,json,text", f"--must:mpiexec={settings.mpiexec}"]
    return head + words + ranks + program


def report_of(folder, kind):
    return os.path.join(folder, f"{report.NAME}.{kind}")
