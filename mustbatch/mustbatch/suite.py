# SPDX-License-Identifier: BSD-3-Clause
"""Suite files: reading, checking, and the cases that come of them."""

import dataclasses
import fnmatch
import glob
import hashlib
import json
import os
import re
import tomllib

from mustbatch import errors, expectation, folders, lines
from mustbatch.options import TIME_LIMIT

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=@-]{0,99}")
RANKS_MAX = 1_000_000
RESERVED = (folders.STATE, *folders.SUMMARIES)


@dataclasses.dataclass
class Case:
    name: str
    ranks: int
    command: list
    directory: str = "."  # absolute after reading
    input: list = dataclasses.field(default_factory=list)  # patterns of files of the directory
    place: str = "copy"
    files: dict = dataclasses.field(default_factory=dict)  # name: text
    stdin: str = None
    prepare: list = dataclasses.field(default_factory=list)
    probe: list = None
    environment: dict = dataclasses.field(default_factory=dict)
    options: list = dataclasses.field(default_factory=list)
    package: str = None
    time_limit: float = TIME_LIMIT
    expect: object = "clean"
    exit_code: int = 0
    output: list = dataclasses.field(default_factory=list)
    result_file: str = None  # None: standard output
    same: str = None
    repeat: int = 1
    skip: str = None

    def fingerprint(self, how):
        """Equal for equal cases that are run in the same way."""
        text = json.dumps([dataclasses.asdict(self), how], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclasses.dataclass
class Suite:
    name: str
    description: str
    cases: list


class Bad(Exception):
    """A value is not as it should be."""


def check(condition, sentence):
    if not condition:
        raise Bad(sentence)


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def text(value):
    check(isinstance(value, str) and "\0" not in value, "must be a string")
    return value


def word(value):
    check(text(value), "must not be empty")
    return value


def words(value):
    check(isinstance(value, list) and all(isinstance(entry, str) and "\0" not in entry for entry in value), "must be a list of strings")
    return value


def command(value):
    check(words(value) and value[0], "must be a list that starts with the program")
    return value


def commands(value):
    check(isinstance(value, list), "must be a list of commands")
    return [command(entry) for entry in value]


def table(value):
    check(
        isinstance(value, dict) and all(isinstance(entry, str) and "\0" not in entry for entry in value.values()),
        "must be a table of strings",
    )
    return value


def files(value):
    for name in table(value):
        inside(name)
    return value


def inside(value):
    """A path that stays in the case's folder."""
    path = os.path.normpath(word(value))
    check(not os.path.isabs(path) and path != "." and path.split(os.sep)[0] != "..", f"'{value}' must be a path inside the case's folder")
    return value


def patterns(value):
    return [inside(entry) for entry in words(value)]


def name(value):
    check(NAME.fullmatch(text(value)), f"'{value}' must consist of letters, digits and . _ + = @ -, and start with a letter or a digit")
    check(value not in RESERVED, f"'{value}' is a file of the results")
    return value


def rank_counts(value):
    counts = value if isinstance(value, list) else [value]
    right = counts and all(is_whole(entry) and 1 <= entry <= RANKS_MAX for entry in counts)
    check(right and len(set(counts)) == len(counts), f"must be a whole number from 1 to {RANKS_MAX}, or a list of different ones")
    return value


def count(value):
    check(is_whole(value) and 1 <= value <= 10_000, "must be a whole number from 1 to 10000")
    return value


def exit_code(value):
    check(is_whole(value) and 0 <= value <= 255, "must be a whole number from 0 to 255")
    return value


def seconds(value):
    check(isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 1e7, "must be a number of seconds above 0")
    return value


def place(value):
    check(value in ("copy", "link"), 'must be "copy" or "link"')
    return value


def expected(value):
    if not isinstance(value, str):
        words(value)
    sentence = expectation.problem(value)
    check(sentence is None, str(sentence))
    return value


def regex(value):
    try:
        re.compile(text(value))
        re.compile(value.encode())
    except (re.error, ValueError) as error:
        raise Bad(f"'{value}' is not a regular expression: {error}") from None
    return value


def regexes(value):
    return [regex(entry) for entry in ([value] if isinstance(value, str) else words(value))]


# What a case may say; docs/reference/mustbatch.md explains it.
KEYS = {
    "name": name,
    "ranks": rank_counts,
    "command": command,
    "directory": word,
    "input": patterns,
    "place": place,
    "files": files,
    "stdin": inside,
    "prepare": commands,
    "probe": command,
    "environment": table,
    "options": words,
    "package": word,
    "time-limit": seconds,
    "expect": expected,
    "exit-code": exit_code,
    "output": regexes,
    "result-file": inside,
    "same": regex,
    "repeat": count,
    "skip": word,
}
NEEDED = ("name", "ranks", "command")


class Reader:
    def __init__(self, path, source):
        self.path = path
        self.lines = lines.Lines(source)

    def refuse(self, line, sentence):
        raise errors.Refused(f"{self.path}:{line}: {sentence}")

    def values(self, found, where, index, called):
        checked = {}
        for key, value in found.items():
            line = self.lines.line(where, index, key)
            if key not in KEYS or (where == "defaults" and key == "name"):
                self.refuse(line, f"{called}unknown key '{key}'")
            try:
                checked[key] = KEYS[key](value)
            except Bad as bad:
                self.refuse(line, f"{called}'{key}' {bad}" if str(bad).startswith("must") else f"{called}'{key}': {bad}")
        return checked

    def case(self, found, index, defaults):
        line = self.lines.line("case", index, "name")
        if not isinstance(found, dict):
            self.refuse(line, "'case' must be a list of tables: [[case]]")
        called = f"case '{found['name']}': " if isinstance(found.get("name"), str) else ""
        values = defaults | self.values(found, "case", index, called)
        for table_key in ("environment", "files"):
            if table_key in values:
                values[table_key] = defaults.get(table_key, {}) | values[table_key]
        for key in NEEDED:
            if key not in values:
                self.refuse(line, f"{called}'{key}' is missing")
        return values

    def top(self, found):
        for key in found:
            if key not in ("name", "description", "defaults", "case"):
                self.refuse(
                    self.lines.line("", 0, key) if not isinstance(found[key], (dict, list)) else self.lines.line(key, 0, ""),
                    f"unknown key '{key}'",
                )
        try:
            title = name(found.get("name", name_of_file(self.path)))
            return title, text(found.get("description", ""))
        except Bad as bad:
            self.refuse(self.lines.line("", 0, "name"), f"the suite's name or description: {bad}")

    def suite(self, found):
        title, description = self.top(found)
        if not isinstance(found.get("defaults", {}), dict):
            self.refuse(self.lines.line("", 0, "defaults"), "'defaults' must be a table")
        if not isinstance(found.get("case"), list) or not found["case"]:
            self.refuse(1, "there is no [[case]]")
        defaults = self.values(found.get("defaults", {}), "defaults", 0, "")
        cases = []
        for index, entry in enumerate(found["case"]):
            values = self.case(entry, index, defaults)
            for case in make_cases(values, os.path.dirname(os.path.abspath(self.path))):
                if any(other.name == case.name for other in cases):
                    self.refuse(self.lines.line("case", index, "name"), f"there are two cases '{case.name}'")
                cases.append(case)
        return Suite(title, description, cases)


def name_of_file(path):
    return re.sub(r"[^A-Za-z0-9._+=@-]", "-", os.path.basename(path).removesuffix(".toml")).lstrip(".-_+=@") or "suite"


def make_cases(values, folder):
    """One case for each number of ranks."""
    ranks = values["ranks"]
    fields = {key.replace("-", "_"): value for key, value in values.items()}
    directory = os.path.normpath(os.path.join(folder, values.get("directory", ".")))
    fields["directory"] = next(iter(sorted(glob.glob(directory))), directory)
    if not isinstance(ranks, list):
        return [Case(**fields)]
    return [Case(**(fields | {"name": f"{values['name']}.{number}", "ranks": number})) for number in ranks]


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            source = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise errors.Refused(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        found = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise errors.Refused(syntax_error(path, source, str(error))) from None
    return Reader(path, source).suite(found)


def syntax_error(path, source, sentence):
    at = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", sentence)
    line = int(at[1]) if at and at[1] else source.count("\n") + 1
    return f"{path}:{line}: {sentence[: at.start()].strip() if at else sentence}"


def select(suite, globs):
    """The suite with only the cases that match."""
    if not globs:
        return suite
    cases = [case for case in suite.cases if any(fnmatch.fnmatchcase(case.name, glob) for glob in globs)]
    if not cases:
        raise errors.Refused(f"no case of {suite.name} is called {' or '.join(globs)}")
    return dataclasses.replace(suite, cases=cases)


def installed(folder):
    """{name: path} of the suites in a folder."""
    found = sorted(entry for entry in os.listdir(folder) if entry.endswith(".toml")) if os.path.isdir(folder) else []
    return {entry.removesuffix(".toml"): os.path.join(folder, entry) for entry in found}


def find(operand, folder):
    """The path of a suite that is given as a file, or as the name of an installed one."""
    known = installed(folder)
    if not os.path.exists(operand) and operand in known:
        return known[operand]
    return operand
