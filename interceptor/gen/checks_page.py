# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/reference/checks.md from record/usage.def:

    checks_page.py write|check PAGE USAGE_DEF

A row for each wrong use of MPI that a rank looks for in its own calls. `check` fails if the page is not what would be
written, so that no check can go without a row.
"""

import re
import sys

import made_page

STRING = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ROW = re.compile(r"^ORK_USAGE(?:_OF_BUFFER)?\(\s*(\w+),\s*" + STRING + r",\s*(\w+),\s*" + STRING + r",\s*" + STRING + r",\s*" + STRING
                 + r"\)", re.M)
PARTS = {"$a": "*argument*", "$v": "*value*", "$w": "*value*", "$n": "*count*", "$t": "*text*", "$c": "*call*", "$o": "*other call*",
         "$r": "*ranks*", "$x": "*bytes*", "$s": "s", "$b": "were", "$p": ""}
SEVERITIES = {"ERROR": "error", "WARNING": "warning", "NOTE": "note", "IF_FAILED": "error, if the call fails"}
HEAD = """<!-- SPDX-License-Identifier: BSD-3-Clause -->
# Checks of single calls

Made by `interceptor/gen/checks_page.py` from `record/usage.def`: do not edit. Each rank makes these checks in its own
MPI calls ([how](../explanation/usage-checks.md)), `buffer-access` at its own loads and stores, and `memory-released`
where the program releases memory. `--must:checks` takes the ids of the first column. An error that the call returns to
the application is a warning. Sections are those of MPI-3.1.
"""


def joined(strings):
    """The text of adjacent C strings."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings)).replace('\\"', '"')


def rows(text):
    found = [(joined(m[2]), SEVERITIES[m[3]], joined(m[4]), joined(m[5]), joined(m[6])) for m in ROW.finditer(text)]
    if len(found) != len(re.findall(r"^ORK_USAGE\w*\(", text, re.M)):
        sys.exit("checks_page.py: a row of the list was not understood")
    return found


def page(text):
    lines = [HEAD, "| finding | severity | what is found | the rule | section |", "|---|---|---|---|---|"]
    for id_, severity, section, headline, rule in sorted(rows(text), key=lambda row: row[0]):
        words = re.sub(r"\$\w", lambda m: PARTS[m[0]], headline)
        lines.append(f"| [`{id_}`](findings.md#{id_}) | {severity} | {words} | {rule} | {section} |")
    return "\n".join(lines) + "\n"


def main(argv):
    verb, path, source = argv
    with open(source, encoding="utf-8") as file:
        text = page(file.read())
    return made_page.write_or_check(verb, path, text, "checks")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
