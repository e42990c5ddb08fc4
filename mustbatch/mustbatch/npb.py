# SPDX-License-Identifier: BSD-3-Clause
"""The suite of NAS Parallel Benchmarks that somebody has built."""

import math
import os

from mustbatch import errors, options, suite

KERNELS = ("bt", "cg", "ep", "ft", "is", "lu", "mg", "sp")
CLASSES = ("S", "W", "A", "B", "C", "D", "E", "F")
# IS of NPB 3.4 does not free the communicator of the ranks that take part.
FINDINGS = {"is": ["resource-leak?"]}
VERIFIED = r"(?i)\bverification\s*(=\s*)?successful"


def takes(kernel, ranks):
    """Why a kernel does not take that many ranks, or None."""
    if kernel in ("bt", "sp"):
        return None if math.isqrt(ranks) ** 2 == ranks else f"{kernel} needs a square number of ranks"
    if kernel == "ep":
        return None
    return None if ranks & (ranks - 1) == 0 else f"{kernel} needs a power of two of ranks"


def find(folder, kernel, class_, ranks):
    """The executable, as NPB 3.4 or as NPB 3.3 names it, or None."""
    for end in ("x", str(ranks)):
        path = os.path.join(folder, f"{kernel}.{class_}.{end}")
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def make_case(folder, kernel, class_, ranks, limit):
    path = find(folder, kernel, class_, ranks)
    skip = takes(kernel, ranks)
    if skip is None and path is None:
        skip = f"{kernel}.{class_}.x is not in {folder}"
    return suite.Case(
        name=f"{kernel}.{class_}.{ranks}",
        ranks=ranks,
        command=[path or f"{kernel}.{class_}.x"],
        directory=folder,
        output=[VERIFIED],
        expect=FINDINGS.get(kernel, "clean"),
        time_limit=limit or options.TIME_LIMIT,
        skip=skip,
    )


def check(what, found, known):
    for word in found:
        if word not in known:
            raise errors.Refused(f"'{word}' is not a known {what}: {', '.join(known)}")


def make(arguments):
    if arguments.bin is None:
        raise errors.Refused("mustbatch npb needs --bin DIR, the folder of the executables")
    classes = getattr(arguments, "class")
    check("kernel", arguments.kernels, KERNELS)
    check("class", classes, CLASSES)
    folder = os.path.abspath(arguments.bin)
    cases = [
        make_case(folder, kernel, class_, ranks, arguments.time_limit)
        for class_ in dict.fromkeys(classes)
        for ranks in dict.fromkeys(arguments.ranks)
        for kernel in dict.fromkeys(arguments.kernels)
    ]
    if not any(find(folder, kernel, class_, ranks) for kernel in arguments.kernels for class_ in classes for ranks in arguments.ranks):
        raise errors.Refused(f"none of these benchmarks is in {arguments.bin}")
    return suite.Suite("npb", "NAS Parallel Benchmarks", cases)
