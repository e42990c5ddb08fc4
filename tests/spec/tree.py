# SPDX-License-Identifier: BSD-3-Clause
"""A folder laid out like an installation of SPEC, with stand-in programs built by the flags of a configuration file and started by
its submit line, the way SPEC's tools do both."""

import dataclasses
import json
import os
import shlex
import subprocess

import configfile
import process
import suites

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
LIMIT = 900.0  # seconds for one start


class Failed(Exception):
    pass


def compile_command(values, language, sources, output):
    compiler = {"C": "CC", "C++": "CXX", "Fortran": "FC"}[language]
    letter, extra = {"C": ("C", "CFLAGS"), "C++": ("CXX", "CXXFLAGS"), "Fortran": ("F", "FFLAGS")}[language]
    keys = (compiler, "OPTIMIZE", f"{letter}OPTIMIZE", f"EXTRA_{extra}", "PORTABILITY", f"{letter}PORTABILITY")
    flags = [word for key in keys for word in shlex.split(values.get(key, ""))]
    libraries = shlex.split(values.get("EXTRA_LIBS", ""))
    return [*flags, *(os.path.join(PROGRAMS, source) for source in sources), *libraries, "-o", output]


@dataclasses.dataclass(frozen=True)
class Layout:
    folder: str  # below benchspec
    flavour: configfile.Flavour
    suites: dict


class Tree:
    def __init__(self, top, layout, text, defines):
        self.top, self.layout, self.text, self.defines = top, layout, text, defines
        self.sections = configfile.parse(text, layout.flavour, defines)
        self.built = {}  # (language, flags and sources): executable

    def with_define(self, name, value):
        """Another build in the same installation."""
        other = Tree(self.top, self.layout, self.text, self.defines | {name: value})
        other.built = self.built
        return other

    def values(self, code):
        return configfile.resolve(self.sections, code, suites.suites_of(code, self.layout.suites))

    def extension(self, code):
        values = self.values(code)
        return values.get("ext") or values["label"]

    def folder(self, code, size):
        return os.path.join(self.top, "benchspec", self.layout.folder, code, "run", f"run_base_{size}_{self.extension(code)}.0000")

    def build(self, values, language, sources):
        folder = os.path.join(self.top, "build")
        os.makedirs(folder, exist_ok=True)
        output = os.path.join(folder, f"program-{len(self.built)}")
        command = compile_command(values, language, sources, output)
        key = (language, *command[:-1])
        if key not in self.built:
            result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900, check=False)
            if result.returncode != 0:
                raise Failed(f"{shlex.join(command)} failed:\n{result.stderr}")
            self.built[key] = output
        return self.built[key]

    def set_up(self, code, size, language, sources):
        """Make the run directory with its executable in it; the name of the executable as SPEC's tools say it."""
        run = self.folder(code, size)
        os.makedirs(run, exist_ok=True)
        name = f"{code.split('.')[1]}_base.{self.extension(code)}"
        link = os.path.join(run, name)
        if os.path.lexists(link):
            os.unlink(link)
        os.link(self.build(self.values(code), language, sources), link)
        return os.path.join("..", os.path.basename(run), name)

    def start(self, code, size, command, ranks, stdin=None, **settings):
        """One invocation. Output goes to name.out, errors are appended to name.err, stdin is a file or closed."""
        values = {**self.values(code), **settings, "command": command, "ranks": str(ranks)}
        line = configfile.interpolate(values["submit"], values)
        name = code.split(".")[1]
        streams = f"exec 0{'<' + stdin if stdin else '<&-'} >{name}.out 2>>{name}.err\n"
        return process.run(["/bin/sh", "-c", streams + line], self.folder(code, size), LIMIT)


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def reports(folder):
    """The reports of a run directory, in the order of time."""
    found = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("must-")]
    return [json.loads(read(path, "MUST_Output.json")) for path in sorted(found, key=lambda path: os.stat(path).st_mtime_ns)]


def check(is_right, what, *details):
    if not is_right:
        raise Failed(": ".join([what, *map(str, details)]))
