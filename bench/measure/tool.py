# SPDX-License-Identifier: BSD-3-Clause
"""The tool's processes of a run, found by a variable that all processes of the run inherit."""

import os
import pathlib

RUN_VARIABLE = "ORK_BENCH_RUN"


def processes(run):
    """Ids of those that live."""
    wanted = f"{RUN_VARIABLE}={run}".encode()
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if not pathlib.Path(f"/proc/{name}/comm").read_text(encoding="utf-8").startswith("must-tool"):
                continue
            if wanted in pathlib.Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                found.append(int(name))
        except OSError:
            continue  # gone, or somebody else's
    return sorted(found)
