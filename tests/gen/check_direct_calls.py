# SPDX-License-Identifier: BSD-3-Clause
"""check_direct_calls.py FOLDER SPEC...: a PMPI_X in the folder's C whose X has a hook would call the hook."""

import glob
import os
import re
import sys

import spec


def main(folder, *paths):
    hooked = {f.name for f in spec.load(paths)[0]}
    found, files = [], glob.glob(os.path.join(folder, "**", "*.[ch]"), recursive=True)
    for path in files:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                found += [f"{path}:{number}: {name}" for name in re.findall(r"\bPMPI_\w+(?=\()", line)
                          if name[1:] in hooked]
    if not files or not hooked:
        sys.exit("nothing to check")
    if found:
        sys.exit("\n".join(found))


main(*sys.argv[1:])
