# SPDX-License-Identifier: BSD-3-Clause
"""The commands and options of mustbatch, in one table, which generates the parser, --help and the man page."""

import argparse
import dataclasses

from mustbatch import errors

# Where no --time-limit and no suite says otherwise.
TIME_LIMIT = 300


@dataclasses.dataclass(frozen=True)
class Command:
    name: str
    operand: str  # as --help shows it; "" if there is none
    sentence: str
    takes_extra: bool  # words after -- go to mustrun


@dataclasses.dataclass(frozen=True)
class Option:
    commands: tuple
    name: str
    argument: str  # None: a flag
    convert: type
    default: object
    sentence: str
    repeated: bool = False


COMMANDS = (
    Command("run", "SUITE", "Run a suite: a TOML file, or the name of a suite installed with mustbatch.", True),
    Command("npb", "", "Run NAS Parallel Benchmarks that are already built.", True),
    Command("collect", "[DIR]", "Summarise reports of runs made without mustbatch: every MUST_Output.json below a directory.", False),
    Command("list", "[SUITE]", "List the cases of a suite, or the installed suites.", False),
)


def count(text):
    number = int(text)
    if not 1 <= number <= 1_000_000:
        raise ValueError
    return number


def seconds(text):
    number = float(text)
    if not 0 < number <= 1e7:
        raise ValueError
    return number


def words(text):
    found = [word.strip() for word in text.split(",")]
    if not all(found):
        raise ValueError
    return found


def counts(text):
    return [count(word) for word in words(text)]


RUN = ("run", "npb")
OPTIONS = (
    Option(("npb",), "bin", "DIR", str, None, "Directory of the executables, named cg.S.x, or cg.S.4 as in NPB 3.3."),
    Option(("npb",), "class", "LIST", words, "S", "Classes: a comma-separated list of S, W, A, B, C, D, E and F."),
    Option(
        ("npb",),
        "ranks",
        "LIST",
        counts,
        "4",
        "Numbers of ranks: a comma-separated list. Numbers that a kernel does not support are skipped.",
    ),
    Option(("npb",), "kernels", "LIST", words, "bt,cg,ep,ft,is,lu,mg,sp", "Kernels: a comma-separated list."),
    Option(
        RUN + ("collect",),
        "output",
        "DIR",
        str,
        None,
        "Directory for results; created if missing. Results of an earlier run are replaced. Default: mustbatch- and the suite's name.",
    ),
    Option(RUN, "jobs", "N", count, "1", "Number of cases that run at the same time. With more than one, slowdowns are not meaningful."),
    Option(RUN, "compare", None, None, None, "Also run each case without the tool, alternating, and report the slowdown."),
    Option(RUN, "repeat", "N", count, None, "Number of runs of each case; overrides the suite."),
    Option(RUN + ("list",), "only", "GLOB", str, None, "Select only cases whose names match. May be repeated.", True),
    Option(
        RUN,
        "resume",
        None,
        None,
        None,
        "Continue an earlier run in the same directory: completed, unchanged cases are not run again.",
    ),
    Option(RUN, "time-limit", "S", seconds, None, f"Time limit for one run in seconds; overrides the suite. Default: {TIME_LIMIT}."),
    Option(RUN, "mustrun", "PATH", str, None, "The mustrun to use. Default: the one next to mustbatch, otherwise the one in PATH."),
    Option(RUN, "mpiexec", "PATH", str, "mpirun", "Launcher of MPI jobs, for runs with and without the tool."),
    Option(
        ("collect",),
        "list",
        "FILE",
        str,
        None,
        "List of reports, instead of all below DIR. Each line: name, tab, path, and optionally a tab and the expected verdict.",
    ),
    Option(
        ("collect",),
        "name-from",
        "REGEX",
        str,
        None,
        "Name of a case: the groups that this expression matches in the report's path, joined by dots.",
    ),
    Option(
        ("collect",),
        "expect",
        "VERDICT",
        str,
        "clean",
        "Expected verdict: clean, findings, deadlock, any, or a comma-separated list of findings.",
    ),
    Option(("run", "npb", "collect", "list"), "help", None, None, None, "Print this help and exit."),
    Option(("run", "npb", "collect", "list"), "version", None, None, None, "Print the version and exit."),
)


def options_of(command):
    return [option for option in OPTIONS if command in option.commands]


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise errors.Refused(f"{message}; see {self.prog} --help")


def converter(option):
    def convert(text):
        try:
            return option.convert(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a valid {option.argument}") from None

    return convert


def sentence_of(option):
    default = f" Default: {option.default}." if isinstance(option.default, str) else ""
    return option.sentence + default


def add_option(parser, option, version):
    text = sentence_of(option).replace("%", "%%")
    name = "--" + option.name
    if option.name == "help":
        parser.add_argument("-h", name, action="help", help=text)
    elif option.name == "version":
        parser.add_argument("-V", name, action="version", version=f"mustbatch {version}", help=text)
    elif option.argument is None:
        parser.add_argument(name, action="store_true", help=text)
    elif option.repeated:
        parser.add_argument(name, action="append", default=[], metavar=option.argument, type=converter(option), help=text)
    else:
        parser.add_argument(name, default=option.default, metavar=option.argument, type=converter(option), help=text)


def make_parser(version):
    parser = Parser(
        prog="mustbatch",
        add_help=False,
        allow_abbrev=False,
        description="Run suites of MPI programs under mustrun and summarise the reports.",
    )
    add_option(parser, OPTIONS[-2], version)
    add_option(parser, OPTIONS[-1], version)
    parsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for command in COMMANDS:
        extra = "Arguments after -- are options for mustrun and mpirun." if command.takes_extra else None
        sub = parsers.add_parser(
            command.name, help=command.sentence, description=command.sentence, epilog=extra, add_help=False, allow_abbrev=False
        )
        if command.operand:
            optional = command.operand.startswith("[")
            sub.add_argument("operand", metavar=command.operand.strip("[]"), nargs="?" if optional else None)
        for option in options_of(command.name):
            add_option(sub, option, version)
    return parser


def split_extra(argv):
    if "--" not in argv:
        return argv, []
    at = argv.index("--")
    return argv[:at], argv[at + 1 :]


def parse(argv, version):
    """The namespace of the options; `extra`: the words after --."""
    own, extra = split_extra(argv)
    arguments = make_parser(version).parse_args(own)
    takes = {command.name for command in COMMANDS if command.takes_extra}
    if extra and arguments.command not in takes:
        raise errors.Refused(f"mustbatch {arguments.command} takes no words after --")
    arguments.extra = extra
    return arguments
