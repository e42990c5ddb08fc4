# SPDX-License-Identifier: BSD-3-Clause
"""Fill the section on options of mustview.1 in: man.py options.def mustview.1.in mustview.1 version"""
import re
import sys

FIELDS = 6  # ORK_VIEW_OPTION(id, letter, name, argument, default, help)
TOKEN = r'"(?:[^"\\]|\\.)*"|\'.\'|\b0\b|[A-Za-z_][A-Za-z0-9_]*'


def options(text):
    """The fields of each ORK_VIEW_OPTION() as strings; None for NULL and 0."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for entry in re.split(r"^ORK_VIEW_OPTION\(", text, flags=re.M)[1:]:
        fields = [None if token in ("NULL", "0") else token.strip("\"'") for token in re.findall(TOKEN, entry)]
        if len(fields) != FIELDS:
            sys.exit("man.py: %d fields in %s" % (len(fields), entry))
        yield fields


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def section(entries):
    lines = []
    for _, letter, name, argument, fallback, sentence in entries:
        names = ["-" + letter] if letter else []
        lines.append(".TP")
        lines.append(
            ", ".join("\\fB%s\\fR" % roff(n) for n in names + ["--" + name]) + (" \\fI%s\\fR" % argument if argument else "")
        )
        lines.append(roff(sentence) + (" (default: \\fB%s\\fR)" % roff(fallback) if fallback else ""))
    return "\n".join(lines)


def main(definitions, source, target, version):
    with open(definitions) as file:
        entries = list(options(file.read()))
    with open(source) as file:
        page = file.read()
    with open(target, "w") as file:
        file.write(page.replace("@OPTIONS@", section(entries)).replace("@VERSION@", version))


main(*sys.argv[1:])
