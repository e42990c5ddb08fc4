# SPDX-License-Identifier: BSD-3-Clause
"""Reports of real runs keep to the JSON schema, and have no key that it does not describe:
check_reports.py SCHEMA MUSTRUN RANKS:PROGRAM..."""
import json
import os
import shutil
import sys
import tempfile

import schema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import process  # noqa: E402


def check(validator, mustrun, ranks, program, folder):
    # What does not end by itself is asked to by SIGINT, and reports where its ranks were.
    command = ["timeout", "-s", "INT", "20", mustrun, "--must:output-dir", folder, "--oversubscribe", "-np", ranks, program]
    process.run(command, folder, limit=60)
    path = os.path.join(folder, "MUST_Output.json")
    if not os.path.exists(path):
        return ["there is no report"]
    with open(path) as file:
        return validator.faults(json.load(file))


def main():
    with open(sys.argv[1]) as file:
        validator = schema.Validator(json.load(file), closed=True)
    failed = False
    for case in sys.argv[3:]:
        ranks, program = case.split(":", 1)
        folder = tempfile.mkdtemp(prefix="orknot-report-")
        try:
            for fault in check(validator, sys.argv[2], ranks, program, folder):
                failed = True
                print(f"{os.path.basename(program)}: {fault}")
        finally:
            shutil.rmtree(folder)
    return 1 if failed else 0


sys.exit(main())
