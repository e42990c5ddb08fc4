# SPDX-License-Identifier: BSD-3-Clause
"""The commands and options of mustbatch, in one table: the parser, --help and the man page are made of it."""

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
    Command("run", "SUITE", "Run a suite: a TOML file, or the name of a suite that is installed with mustbatch.", True),
    Command("npb", "", "Run NAS Parallel Benchmarks that were built before.", True),
    Command("collect", "[DIR]", "Sum up reports that other launchers made: every MUST_Output.json below a folder.", False),
    Command("list", "[SUITE]", "Show the cases of a suite, or the suites that are installed.", False),
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
    Option(("npb",), "bin", "DIR", str, None, "Folder of the executables: cg.S.x, or cg.S.4 as NPB 3.3 names them."),
    Option(("npb",), "class", "LIST", words, "S", "Classes, a comma list of S, W, A, B, C, D, E and F."),
    Option(("npb",), "ranks", "LIST", counts, "4", "Numbers of ranks, a comma list. What a kernel does not take is skipped."),
    Option(("npb",), "kernels", "LIST", words, "bt,cg,ep,ft,is,lu,mg,sp", "Kernels, a comma list."),
    Option(
        RUN + ("collect",),
        "output",
        "DIR",
        str,
        None,
        "Folder of the results; made, or one of an earlier run, which is replaced. Default: mustbatch- and the suite's name.",
    ),
    Option(RUN, "jobs", "N", count, "1", "Cases that run at the same time. Slowdowns mean little with more than one."),
    Option(RUN, "compare", None, None, None, "Run each case without the tool too, in turns, and give the slowdown."),
    Option(RUN, "repeat", "N", count, None, "Runs of each case; overrides the suite."),
    Option(RUN + ("list",), "only", "GLOB", str, None, "Only cases whose name matches. May be given several times.", True),
    Option(
        RUN,
        "resume",
        None,
        None,
        None,
        "Go on with an earlier run in the same folder: cases that are done and unchanged are not run again.",
    ),
    Option(RUN, "time-limit", "S", seconds, None, f"Seconds for one run; overrides the suite. Default: {TIME_LIMIT}."),
    Option(RUN, "mustrun", "PATH", str, None, "The launcher. Default: the one beside mustbatch, else that of PATH."),
    Option(RUN, "mpiexec", "PATH", str, "mpirun", "The launcher of MPI jobs, for runs with the tool and without."),
    Option(
        ("collect",),
        "list",
        "FILE",
        str,
        None,
        "The reports, instead of all below DIR: lines of a name, a tab, a path, and perhaps another tab and the expected verdict.",
    ),
    Option(
        ("collect",),
        "name-from",
        "REGEX",
        str,
        None,
        "Name of a case: what the groups of this expression match in the report's path, joined by dots.",
    ),
    Option(
        ("collect",), "expect", "VERDICT", str, "clean", "Expected verdict: clean, findings, deadlock, any, or a comma list of findings."
    ),
    Option(("run", "npb", "collect", "list"), "help", None, None, None, "Show this help and end."),
    Option(("run", "npb", "collect", "list"), "version", None, None, None, "Show the version and end."),
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
            raise argparse.ArgumentTypeError(f"'{text}' is no {option.argument}") from None

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
        description="Run suites of MPI programs under mustrun and sum their reports up.",
    )
    add_option(parser, OPTIONS[-2], version)
    add_option(parser, OPTIONS[-1], version)
    parsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for command in COMMANDS:
        extra = "Words after -- are options for mustrun and mpirun." if command.takes_extra else None
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
