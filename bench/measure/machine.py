# SPDX-License-Identifier: BSD-3-Clause
"""On what was measured: lines "key: value" without names of hosts, paths and dates."""

import os
import platform
import re
import subprocess


def _first_line(*command):
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return out.splitlines()[0].strip() if out.strip() else "unknown"


def _cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def _commit(root):
    commit = _first_line("git", "-C", str(root), "rev-parse", "--short=12", "HEAD")
    changed = subprocess.run(["git", "-C", str(root), "diff", "--quiet", "HEAD"], check=False,
                             stderr=subprocess.DEVNULL).returncode
    return commit + ("" if changed == 0 else " with changes")


def _cached(build, name):
    text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    match = re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE)
    return match[1] if match else ""


def describe(root, build, commit):
    """[(key, value)]; `commit` replaces what git says of the sources in `root`."""
    return [
        ("cpu", _cpu_model()),
        ("cores", str(os.cpu_count())),
        ("kernel", f"{platform.system()} {platform.release()}"),
        ("mpi", _first_line("mpirun", "--version")),
        ("compiler", _first_line(_cached(build, "CMAKE_C_COMPILER") or "cc", "--version")),
        ("build", _cached(build, "CMAKE_BUILD_TYPE") or "unknown"),
        ("commit", commit or _commit(root)),
    ]
