# SPDX-License-Identifier: BSD-3-Clause
"""The configuration files of SPEC's tools, as far as ours use them: preprocessor, sections, precedence, and the expansion of
`submit`. Written from the public documents config.html of SPEC MPI2007 and of SPEChpc 2021; what is not in them is refused."""

import dataclasses
import re


class ConfigError(Exception):
    def __init__(self, line, message):
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclasses.dataclass(frozen=True)
class Flavour:
    fields: int  # of a section marker
    may_append: bool  # key += value
    may_list: bool  # several benchmarks in one marker


MPI2007 = Flavour(fields=4, may_append=False, may_list=False)
HPC2021 = Flavour(fields=3, may_append=True, may_list=True)


@dataclasses.dataclass
class Section:
    line: int
    benchmarks: tuple
    rest: tuple  # tuning and further fields, "default" where they are not given
    settings: list = dataclasses.field(default_factory=list)  # (line, key, append, value)
    comments: list = dataclasses.field(default_factory=list)  # (line, text)


# ---- the preprocessor: lines that start with % ----

DIRECTIVE = re.compile(r"%\s*(\w+)\s*(.*)$")
MACRO = re.compile(r"%\{([\w-]+)\}")


def substitute(text, macros, line):
    def value(match):
        if match[1] not in macros:
            raise ConfigError(line, f"the macro {match[1]} is not defined")
        return macros[match[1]]

    return MACRO.sub(value, text)


def is_true(text, macros, line):
    """defined(%{x}), !defined(%{x}), 'a' eq 'b', 'a' ne 'b'."""
    match = re.fullmatch(r"(!?)\s*defined\(%\{([\w-]+)\}\)", text)
    if match:
        return (match[2] in macros) != bool(match[1])
    match = re.fullmatch(r"(\S+)\s+(eq|ne)\s+(\S+)", substitute(text, macros, line))
    if not match:
        raise ConfigError(line, f"not an expression: {text}")
    return (match[1].strip("'\"") == match[3].strip("'\"")) == (match[2] == "eq")


class Preprocessor:
    def __init__(self, defines):
        self.macros = dict(defines)
        self.branches = []  # [is this branch taken, was one of them taken, was there an else]

    def is_active(self):
        return all(branch[0] for branch in self.branches)

    def innermost(self, line, word):
        if not self.branches or self.branches[-1][2]:
            raise ConfigError(line, f"%{word} without %if")
        return self.branches[-1]

    def condition(self, line, word, text):
        if not self.is_active():
            return False
        if word == "if":
            return is_true(text, self.macros, line)
        match = re.fullmatch(r"%\{([\w-]+)\}", text)
        if not match:
            raise ConfigError(line, f"%{word} takes %{{name}}, not {text}")
        return (match[1] in self.macros) == (word == "ifdef")

    def branch(self, line, word, text):
        if word in ("if", "ifdef", "ifndef"):
            taken = self.condition(line, word, text)
            self.branches.append([taken, taken, False])
        elif word == "elif":
            inner = self.innermost(line, word)
            outside = all(branch[0] for branch in self.branches[:-1])
            inner[0] = outside and not inner[1] and is_true(text, self.macros, line)
            inner[1] = inner[1] or inner[0]
        elif word == "else":
            inner = self.innermost(line, word)
            inner[0], inner[2] = not inner[1], True
        else:
            if not self.branches:
                raise ConfigError(line, "%endif without %if")
            self.branches.pop()

    def define(self, line, text):
        match = re.fullmatch(r"([\w-]+)\s+(\S.*)", text)
        if not match:
            raise ConfigError(line, f"%define takes a name and a value, not {text}")
        self.macros[match[1]] = substitute(match[2].strip(), self.macros, line)

    def directive(self, line, word, text):
        if word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self.branch(line, word, text.strip())
        elif not self.is_active():
            pass
        elif word == "define":
            self.define(line, text)
        elif word == "undef":
            self.macros.pop(text.strip(), None)
        elif word == "error":
            raise ConfigError(line, text.strip())
        elif word != "warning":
            raise ConfigError(line, f"%{word} is no directive")

    def run(self, text):
        """(number, line) of what is left."""
        for number, line in enumerate(text.splitlines(), 1):
            match = DIRECTIVE.match(line)
            if match:
                self.directive(number, match[1], match[2])
            elif self.is_active():
                yield number, line if line.lstrip().startswith("#") else substitute(line, self.macros, number)
        if self.branches:
            raise ConfigError(number, "%endif is missing")


# ---- sections and settings ----

MARKER = re.compile(r"([\w.,]+)((?:=[\w.]*)*):\s*(?:#.*)?$")
SETTING = re.compile(r"([A-Za-z]\w*)\s*(\+?)=\s*(.*)$")


def read_marker(number, match, flavour):
    rest = tuple(field or "default" for field in match[2].split("=")[1:])
    benchmarks = tuple(match[1].split(","))
    if len(rest) >= flavour.fields:
        raise ConfigError(number, f"a section marker has at most {flavour.fields} fields")
    if len(benchmarks) > 1 and not flavour.may_list:
        raise ConfigError(number, "a section marker names one benchmark")
    return Section(number, benchmarks, rest + ("default",) * (flavour.fields - 1 - len(rest)))


def read_setting(number, match, flavour):
    if match[2] and not flavour.may_append:
        raise ConfigError(number, "+= is not known to these tools")
    return number, match[1], bool(match[2]), re.sub(r"(^|\s)#.*$", "", match[3]).strip()


def parse(text, flavour, defines=None):
    """The sections in their order; the first one is the header, whose `benchmarks` is empty."""
    sections = [Section(0, (), ())]
    for number, line in Preprocessor(defines or {}).run(text):
        marker, setting = MARKER.match(line), SETTING.match(line)
        if line.lstrip().startswith("#"):
            sections[-1].comments.append((number, line.lstrip("# \t").rstrip()))
        elif marker:
            sections.append(read_marker(number, marker, flavour))
        elif setting:
            sections[-1].settings.append(read_setting(number, setting, flavour))
        elif line.strip():
            raise ConfigError(number, f"neither a section nor a setting: {line.strip()}")
    return sections


def specificity(section, benchmark, suites, tune):
    """Order of precedence, least first: header, default, suite, benchmark; then the tuning. None: it does not apply."""
    if not section.benchmarks:
        return 0, 0
    if section.rest[0] not in ("default", tune):
        return None
    names = {"default": 1, **{suite: 2 for suite in suites}, benchmark: 3}
    ranks = [names[name] for name in section.benchmarks if name in names]
    return (max(ranks), int(section.rest[0] == tune)) if ranks else None


def resolve(sections, benchmark, suites=(), tune="base"):
    """The settings of one benchmark."""
    order = [(specificity(section, benchmark, suites, tune), section) for section in sections]
    values = {}
    for _, section in sorted(((key, s) for key, s in order if key is not None), key=lambda pair: pair[0]):
        for _, key, append, value in section.settings:
            values[key] = f"{values.get(key, '')} {value}".strip() if append else value
    return values


# ---- what happens at run time: $name and ${name}, and \$ for the shell ----

REFERENCE = re.compile(r"\\\$|\$\{(\w+)\}|\$(\w+)|\$")


def interpolate(text, values, line=0):
    def value(match):
        name = match[1] or match[2]
        if match[0] == "\\$":
            return "$"
        if name not in values:
            raise ConfigError(line, f"{match[0]} is no variable")
        return interpolate(values[name], {key: v for key, v in values.items() if key != name}, line)

    return REFERENCE.sub(value, text)
