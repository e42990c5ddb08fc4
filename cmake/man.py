# SPDX-License-Identifier: BSD-3-Clause
"""Fill the section on options of a man page in from a list of options: man.py options.def x.1.in x.1 version"""
import re
import sys

# The fields of an option, by the macro that lists it.
FIELDS = {
    "ORK_OPTION_GROUP": ("id", "word", "title"),
    "ORK_OPTION": ("id", "group", "name", "argument", "environment", "default", "help"),
    "ORK_OPTION_KEY": ("id", "option", "key", "argument", "old", "environment", "default", "help"),
    "ORK_VIEW_OPTION": ("id", "letter", "name", "argument", "default", "help"),
}
TOKEN = r'"(?:[^"\\]|\\.)*"|\'.\'|\b0\b|[A-Za-z_][A-Za-z0-9_]*'


def options(text):
    """Each option, and each title of a group, as {field: string}; None for NULL and 0."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for macro, entry in re.findall(r"^(ORK_\w+)\((.*?)\)$", text, flags=re.M | re.S):
        values = [None if token in ("NULL", "0") else token.strip("\"'") for token in re.findall(TOKEN, entry)]
        if len(values) != len(FIELDS[macro]):
            sys.exit("man.py: %d fields in %s" % (len(values), entry))
        yield dict(zip(FIELDS[macro], values))


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def heading(option):
    if "key" in option:
        return "\\fB%s=\\fI%s\\fR" % (roff(option["key"]), option["argument"])
    argument = " \\fI%s\\fR" % option["argument"] if option["argument"] else ""
    if "letter" not in option:
        return ".B " + roff("--must:" + option["name"]) + argument
    names = ["-" + option["letter"]] if option["letter"] else []
    return ", ".join("\\fB%s\\fR" % roff(name) for name in names + ["--" + option["name"]]) + argument


def source(option):
    """Where else the value can come from."""
    if "old" in option:
        return "[old name, until 0.2: \\fB%s\\fR]" % roff("--must:" + option["old"])
    return "[\\fB%s\\fR]" % option["environment"] if option.get("environment") else None


def section(entries):
    lines = []
    in_list = False  # of the keys of an option
    for option in entries:
        if ("key" in option) != in_list:
            in_list = not in_list
            lines.append(".RS" if in_list else ".RE")
        if "title" in option:
            lines.append(".SS " + roff(option["title"]))
            continue
        lines += [".TP", heading(option)]
        lines.append(roff(option["help"]) + (" (default: \\fB%s\\fR)" % roff(option["default"]) if option["default"] else ""))
        if source(option):
            lines.append(source(option))
    return "\n".join(lines + [".RE"] * in_list)


def main(definitions, template, target, version):
    with open(definitions) as file:
        entries = list(options(file.read()))
    with open(template) as file:
        page = file.read()
    with open(target, "w") as file:
        file.write(page.replace("@OPTIONS@", section(entries)).replace("@VERSION@", version))


if __name__ == "__main__":
    main(*sys.argv[1:])
