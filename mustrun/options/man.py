# SPDX-License-Identifier: BSD-3-Clause
"""Fill the section on options of mustrun.1 in from the list of options: man.py options.def mustrun.1.in mustrun.1 version"""
import re
import sys

FIELDS = 6  # ORK_OPTION(id, name, argument, environment, default, help)
TOKEN = r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*'


def options(text):
    """The fields of each ORK_OPTION() as strings; None for NULL."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for entry in re.split(r"^ORK_OPTION\(", text, flags=re.M)[1:]:
        fields = [None if token == "NULL" else token.strip('"') for token in re.findall(TOKEN, entry)]
        if len(fields) != FIELDS:
            sys.exit("man.py: %d fields in %s" % (len(fields), entry))
        yield fields


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def section(entries):
    lines = []
    for _, name, argument, environment, fallback, sentence in entries:
        lines.append(".TP")
        lines.append(".B " + roff("--must:" + name) + (" \\fI%s\\fR" % argument if argument else ""))
        lines.append(roff(sentence) + (" (default: \\fB%s\\fR)" % roff(fallback) if fallback else ""))
        if environment:
            lines.append("[\\fB%s\\fR]" % environment)
    return "\n".join(lines)


def main(definitions, source, target, version):
    with open(definitions) as file:
        entries = list(options(file.read()))
    with open(source) as file:
        page = file.read()
    with open(target, "w") as file:
        file.write(page.replace("@OPTIONS@", section(entries)).replace("@VERSION@", version))


main(*sys.argv[1:])
