#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Show from a static library that its module is pure: nothing undefined but memory, strings and other pure modules (no I/O, clock,
threads, MPI), no data that can be written, and no name outside of ork_ that others see."""

import argparse
import re
import subprocess
import sys

ALLOWED = {
    *"malloc calloc realloc reallocarray aligned_alloc free".split(),
    *"memcpy memset memmove memcmp memchr".split(),
    *"strlen strcmp strncmp strchr strrchr".split(),
    *"qsort bsearch abort".split(),
}
# Other modules, and what compiler flags (hardening, position independence, sanitizers, assert, coverage) add.
ALLOWED_PREFIXES = re.compile(
    r"ork_|_GLOBAL_OFFSET_TABLE_$|__stack_chk_fail$|__assert_fail$|__(mem|str)\w+_chk$|__(asan|ubsan|tsan|sanitizer|gcov|llvm)_"
)
SANITIZER_DATA = re.compile(r"__odr_asan|\.LASAN|__gcov|\.?L?ubsan")
WRITABLE = set("BbDdGgSsC")
# nm calls a table of pointers in .data.rel.ro 'd': constant, but relocated at load time.
RELOCATED = ".data.rel.ro"


def symbols(text):
    """(type, name) of each symbol that `nm` lists."""
    for line in text.splitlines():
        match = re.fullmatch(r"(?:[0-9a-f]+)?\s*([A-Za-z?])\s(\S+)", line.strip())
        if match:
            yield match.groups()


def sections(text):
    """{name: section} of each symbol with a section, from `nm --format=sysv`."""
    result = {}
    for line in text.splitlines():
        parts = [part.strip() for part in line.split("|")]
        if len(parts) == 7 and parts[6] not in ("", "*UND*"):
            result[parts[0]] = parts[6]
    return result


def problems(plain, sysv):
    found = list(symbols(plain))
    where = sections(sysv)
    defined = {name for kind, name in found if kind not in "Uuwv"}
    for kind, name in found:
        if kind in "Uwv" and name not in ALLOWED | defined and not ALLOWED_PREFIXES.match(name):
            yield f"{name} is used, which is not in the list of what a pure module may call"
        if kind in WRITABLE and not where.get(name, "").startswith(RELOCATED) and not SANITIZER_DATA.match(name):
            yield f"{name} is data that can be written"
        if kind in "TRV" and not name.startswith("ork_") and not SANITIZER_DATA.match(name):
            yield f"{name} is seen outside of the library and does not begin with ork_"
    if not any(kind == "T" for kind, _ in found):
        yield "the library defines no function"


def nm(program, *arguments):
    result = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return result.stdout


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("library")
    arguments = parser.parse_args(argv)
    plain = nm(arguments.nm, arguments.library)
    found = sorted(set(problems(plain, nm(arguments.nm, "--format=sysv", arguments.library))))
    for problem in found:
        print(f"{arguments.library}: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
