#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check the sources: includes follow the arrows between the modules, every file begins with its licence, no line is too long, what
the pure modules include is pure, and what knows another project's insides is behind its seam."""

import os
import re
import sys

# By the end of the name. Tables, code, links, strings and expectations of tests cannot be broken.
COLUMNS = {".c": 100, ".h": 100, ".def": 100, ".cpp": 140, ".py": 140, ".md": 120}
UNBREAKABLE = {
    ".c": re.compile(r"^ \* [A-Z_]+: |// =>|^ *(?://|/\*) \S+$|^\s*\"[^\"]*\"\S*$"),
    ".def": re.compile(r"^\s*\"[^\"]*\"\S*$"),
    ".md": re.compile(r"^\||^!?\[[^]]*\]\([^)]*\)[.,]?$|^ {4}"),
}

# May include: itself, and these. tests/ and bench/ may include everything.
ARROWS = {
    "common": set(),
    "record": {"common"},
    "order/file": {"common"},
    "bytes/ranges": {"common"},
    "bytes/datatype": {"bytes/ranges", "common"},
    "wfg": {"common"},
    "detector/interleave": {"wfg", "common"},
    "order/comms": {"record", "common"},
    "order/arbiter": {"order/comms", "record", "common"},
    "order/causality": {"order/comms", "order/file", "record", "common"},
    "order/explore": {"order/causality", "order/file", "record", "common"},
    "windows/onesided": {"order/causality", "order/comms", "bytes/ranges", "order/file", "record", "common"},
    "windows/stamps": {"common"},
    "detector": {"bytes/datatype", "detector/interleave", "wfg", "record", "common"},
    "detector/fold": {"detector", "record", "common"},
    "report": {"common"},
    "viz": {"report", "common"},
    "interceptor/memory/runtime": set(),
    "interceptor": {"interceptor/memory/runtime", "bytes/datatype", "bytes/ranges", "order/file", "record", "common"},
    "overlay/stream": {"report", "record", "common"},
    "overlay/stacktrace": {"report", "record", "common"},
    "overlay/leaf": {"overlay/stream", "overlay/stacktrace", "report", "order/file", "record", "common"},
    "overlay/findings": {
        *{"overlay/stream", "overlay/stacktrace"},
        *{"bytes/datatype", "order/causality", "windows/onesided", "detector", "wfg", "report", "order/file", "record", "common"},
    },
    "overlay/root": {
        *{"overlay/stream", "overlay/stacktrace", "overlay/leaf", "overlay/findings"},
        *{"order/explore", "order/causality", "order/arbiter", "order/file", "windows/onesided", "windows/stamps"},
        *{"detector/fold", "detector", "wfg", "report", "record", "common"},
    },
    "overlay/tool": {"overlay/stream", "overlay/leaf", "overlay/root", "report", "order/file", "record", "common"},
    "mustrun": {"order/explore", "viz", "windows/stamps", "report", "order/file", "record", "common"},
    "mustview": {"viz", "windows/stamps", "report", "order/file", "record", "common"},
}
# Headers made at build time, and to which module they belong.
GENERATED = {"generated/record/": "record", "generated/interceptor/": "interceptor"}
# Standard headers of the pure modules.
PURE = {
    *{"bytes/ranges", "bytes/datatype", "wfg", "detector/interleave", "detector", "detector/fold"},
    *{"order/comms", "order/arbiter", "order/causality", "windows/onesided"},
}
PURE_HEADERS = {
    *"assert.h errno.h inttypes.h limits.h stdalign.h stdarg.h stdbool.h stddef.h stdint.h stdlib.h string.h".split()
}
# What may be included of the pure modules from outside.
PUBLIC = {
    "bytes/ranges": {"bytes/ranges/byteset.h", "bytes/ranges/index.h", "bytes/ranges/sweep.h", "bytes/ranges/words.h"},
    "wfg": {"wfg/wfg.h"},
    "detector/interleave": {"detector/interleave/interleave.h"},
    "order/comms": {"order/comms/comms.h"},
    "order/arbiter": {"order/arbiter/arbiter.h"},
    "order/causality": {"order/causality/causality.h", "order/causality/events.h", "order/causality/races.h"},
    "windows/onesided": {"windows/onesided/onesided.h"},
    "windows/stamps": {"windows/stamps/stamps.h"},
    "detector": {"detector/detector.h", "detector/issues.h"},
    "detector/fold": {"detector/fold/fold.h"},
}
# Folders of a module from low to high: a file includes headers of its own layer and of lower ones; folders in one string are one
# layer. Files in no folder are above all of them; the public header is everybody's.
LAYERS = {
    "detector": ["state", "check", "history", "match", "coll", "graph", "program", "calls", "verdict", "interleaving"],
    "interceptor": [
        *["memory/runtime preload", "mpi", "ring", "site", "outcomes", "usage", "memory", "objects", "buffers", "requests", "checks"],
        *["call", "forcing", "fastpath hooks", "process", "openmpi mpich abi"],
    ],
}

# What only these files (or folders, which end in a slash) of the modules may name. A second MPI library, version of Python, kind of
# processor or launcher is one more folder or file there.
SEAMS = {
    "the MPI library": (
        r"\b(?:ompi|OMPI|opal|OPAL|orte|ORTE|prte|PRTE|mca|PMIX|PMI|MPIR|I_MPI)_\w*|\bOPEN_MPI\b|\bMPICH_\w+"
        r'|"lib(?:mpi|open-|pmix|mca)[^"]*"|"interceptor/(?:openmpi|mpich|abi)/',
        (
            *("interceptor/openmpi/", "interceptor/mpich/", "interceptor/abi/", "interceptor/preload/launched.c", "common/mpi_files.def"),
            *("mustrun/launcher/mpirun/", "mustrun/launcher/hydra/", "mustrun/launcher/kinds.def"),
        ),
    ),
    "CPython": (r"\b_?Py[A-Z_]\w*", ("interceptor/site/python.c", "interceptor/site/python.h", "overlay/stacktrace/cpython311.c")),
    "the processor": (
        r"\b__(?:x86_64|amd64|i386|aarch64|arm|powerpc|powerpc64|riscv)(?:__)?\b|\bR_X86_64_\w+"
        r"|\bREG_(?!EXTENDED\b|NOSUB\b)[A-Z0-9]+\b|\bgregs\b"
        r"|\buc_mcontext\b|\buser_regs_struct\b|\bNT_PRSTATUS\b|\bregs(?:\.|->)\w+|\b(?:e|r)(?:ax|bx|cx|dx|ip|sp|bp)\b",
        ("interceptor/site/unwind_", "overlay/stacktrace/load_code_", "overlay/stacktrace/load_flow_", "overlay/stacktrace/registers_"),
    ),
    "the launcher": (
        r'\bork_launcher_(?:mpirun|prterun|srun|hydra)\b|"mustrun/launcher/(?:mpirun|srun|hydra)/'
        r'|"(?:srun|mpirun|mpiexec|mpiexec\.hydra|orterun|prterun)"|\bSLURM_\w*',
        (
            *("mustrun/launcher/", "mustrun/options/options.def", "mustrun/options/synonyms.def", "interceptor/openmpi/place.c"),
            "interceptor/preload/launched.c",
        ),
    ),
    "Open MPI's mpirun": (r'"mustrun/launcher/mpirun/', ("mustrun/launcher/mpirun/",)),
    "MPICH's hydra": (r'"mustrun/launcher/hydra/', ("mustrun/launcher/hydra/",)),
    "Slurm's srun": (r'"mustrun/launcher/srun/', ("mustrun/launcher/srun/",)),
}

# Words that the project once had for what MPI, the papers or plain English have a word for: docs/explanation/glossary.md.
OLD_WORDS = re.compile(
    r"(?<![A-Za-z])(strands?|passages?|part(?:y|ies)|bags?|diar(?:y|ies)|outlines?|rosters?|foresight|foresee|misled|contested|bridges?"
    r"|bur(?:y|ied)|crowds?|hush|census|pulse|stillness|lazily|debts?|owes?|qualified|stranger|sameness|is_news"
    r"|made up for)(?![A-Za-z])",
    re.IGNORECASE,
)
# Beds of nodes have network bridges, and the test of this check has the words.
OLD_WORDS_IN = re.compile(r"(?!tests/(?:nodes|libraries|arch)/|CHANGELOG|specmpi-configs/|interceptor/spec/).*\.(?:c|h|def|md|py|f90|sh)$")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
LICENCE = "SPDX-License-Identifier: BSD-3-Clause"
SOURCE = (".c", ".h", ".def", ".cpp", ".f", ".f90", ".py", ".cmake", ".mpi", ".sh")
LICENSED_NAMES = {"CMakeLists.txt", "bootstrap"}


def module_of(path):
    """The innermost module that the file is in, or the folder at the top that has no rules; "": it is in none."""
    parts = path.split("/")
    for depth in range(len(parts) - 1, 0, -1):
        if "/".join(parts[:depth]) in ARROWS:
            return "/".join(parts[:depth])
    return parts[0] if len(parts) > 1 else ""


def target_of(included, path):
    """Module that an include in double quotes means, or None for another place (a library's header)."""
    for prefix, module in GENERATED.items():
        if included.startswith(prefix):
            return module
    if "/" not in included:
        return module_of(path)
    module = module_of(included)
    return module if module in ARROWS or included.split("/")[0] in ("tests", "bench") else None


def height_of(path, layers):
    """Of a file in a module with layers; None: it is in a folder that is no layer."""
    parts = path.split("/")
    if len(parts) == 2:
        return len(layers)
    return next((height for height, layer in enumerate(layers) if parts[1] in layer.split()), None)


def check_layer(path, included):
    """An include within one module."""
    layers = LAYERS.get(module_of(path))
    if layers is None or included in PUBLIC.get(module_of(path), ()):
        return
    target = included if "/" in included else os.path.join(os.path.dirname(path), included)
    own, other = height_of(path, layers), height_of(target, layers)
    if own is None or other is None:
        yield f"{path}: includes {included}, and one of them is in no layer of {module_of(path)}"
    elif other > own:
        yield f"{path}: includes {included}, which is above it"


def check_includes(path, text):
    module = module_of(path)
    if module in {name.split("/")[0] for name in ARROWS} - set(ARROWS):
        yield f"{path}: is in none of the modules of {module}/"
    if module not in ARROWS:
        return
    for bracket, included in INCLUDE.findall(text):
        if bracket == "<":
            if module in PURE and included not in PURE_HEADERS:
                yield f"{path}: a pure module includes <{included}>"
            continue
        target = target_of(included, path)
        if target == module:
            yield from check_layer(path, included)
        if target is None or target == module:
            continue
        if target not in ARROWS[module]:
            yield f"{path}: {module} includes {included}, against the arrows"
        elif included not in PUBLIC.get(target, {included}):
            yield f"{path}: {included} is private to {target}"


def check_seams(path, text):
    if module_of(path) not in ARROWS:
        return
    for what, (names, places) in SEAMS.items():
        if path.startswith(places):
            continue
        for name in sorted(set(re.findall(names, text))):
            yield f"{path}: names {name}; only {', '.join(places)} may know {what}"


def check_licence(path, text):
    lines = text.splitlines()
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    if not lines or LICENCE not in lines[0]:
        yield f"{path}: does not begin with its licence ({LICENCE})"


def check_columns(path, text):
    limit = COLUMNS.get(os.path.splitext(path)[1])
    unbreakable = UNBREAKABLE.get(os.path.splitext(path)[1])
    is_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        is_code ^= path.endswith(".md") and line.lstrip().startswith("```")
        if len(line.expandtabs(4)) > limit and not is_code and not (unbreakable and unbreakable.search(line)):
            yield f"{path}:{number}: {len(line)} columns, more than {limit}"
            return


def check_words(path, text):
    for number, line in enumerate(text.splitlines(), start=1):
        for word in OLD_WORDS.findall(line):
            yield f'{path}:{number}: "{word}" is no word of the glossary any more'


def check_path_of_a_call(path, text, root):
    """The table of the functions that a call passes: each file is there, and defines them."""
    for file, names in re.findall(r"^\| *\w* *\| `([^`]+\.[ch])` \| (.*) \|$", text, re.MULTILINE):
        try:
            with open(os.path.join(root, file), encoding="utf-8") as source:
                content = source.read()
        except OSError:
            yield f"{path}: {file} is not there"
            continue
        for name in re.findall(r"`(\w+)`", names):
            if not re.search(rf"^\w[^;{{}}]*\b{name}\([^;{{}}]*\)\n\{{", content, re.MULTILINE) and name not in ("EXIT", "PMPI_Recv"):
                yield f"{path}: {file} does not define {name}()"


def check_rooms(path, text):
    """The table of the folders: each one that has rules has a row, whose last column is what it may use."""
    rows = dict(re.findall(r"^\| `([\w/]+)/` \|.*\| ([\w, ]*)\|$", text, re.MULTILINE))
    for module, used in ARROWS.items():
        if module not in rows:
            yield f"{path}: the table has no row for {module}/"
            continue
        said = set(rows[module].replace(",", " ").split())
        if said != {name.split("/")[-1] for name in used}:
            yield f"{path}: {module}/ may use {', '.join(sorted(used)) or 'nothing'}, not {', '.join(sorted(said)) or 'nothing'}"


def check(path, text):
    """All that is wrong with one file; `path` is relative to the project's root."""
    name = os.path.basename(path)
    if path.endswith((".c", ".h", ".def")):
        yield from check_includes(path, text)
        yield from check_seams(path, text)
    if path.endswith(SOURCE) or name in LICENSED_NAMES:
        yield from check_licence(path, text)
    if OLD_WORDS_IN.match(path):
        yield from check_words(path, text)
    if os.path.splitext(path)[1] in COLUMNS:
        yield from check_columns(path, text)


def source_files(root):
    """Relative paths; build trees and hidden folders are left out."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name != "build" and "CMakeCache.txt" not in os.listdir(os.path.join(folder, name))
        )
        for name in sorted(names):
            yield os.path.relpath(os.path.join(folder, name), root)


def main(argv):
    root = argv[0]
    count = 0
    found = []
    for path in source_files(root):
        if path.endswith((*SOURCE, ".md")) or os.path.basename(path) in LICENSED_NAMES:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
            found += check(path, text)
            if path == "docs/explanation/architecture.md":
                found += check_path_of_a_call(path, text, root)
                found += check_rooms(path, text)
            count += 1
    for problem in found:
        print(problem)
    if count < 100:
        print(f"only {count} files below {root}: is that the project?")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
