# SPDX-License-Identifier: BSD-3-Clause
"""Fill the section on options of mustbatch.1 in from the table of options: man.py mustbatch.1.in mustbatch.1 version"""

import sys

from mustbatch import options


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def synopsis(command):
    operand = f" \\fI{roff(command.operand)}\\fR" if command.operand else ""
    extra = " [\\fB\\-\\-\\fR \\fIwords\\fR]" if command.takes_extra else ""
    return f"\\fBmustbatch {command.name}\\fR{operand} [\\fIoptions\\fR]{extra}"


def commands():
    return "\n".join(f".TP\n{synopsis(command)}\n{roff(command.sentence)}" for command in options.COMMANDS)


def entry(option):
    argument = f" \\fI{roff(option.argument)}\\fR" if option.argument else ""
    of = "" if len(option.commands) == len(options.COMMANDS) else f"\n[{', '.join(option.commands)}]"
    return f".TP\n\\fB{roff('--' + option.name)}\\fR{argument}\n{roff(options.sentence_of(option))}{of}"


def main(source, target, version):
    with open(source, encoding="utf-8") as file:
        page = file.read()
    made = {"@COMMANDS@": commands(), "@OPTIONS@": "\n".join(entry(option) for option in options.OPTIONS), "@VERSION@": version}
    for mark, text in made.items():
        page = page.replace(mark, text)
    with open(target, "w", encoding="utf-8") as file:
        file.write(page)


main(*sys.argv[1:])
