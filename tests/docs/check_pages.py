# SPDX-License-Identifier: BSD-3-Clause
"""What can be checked of the documents without running anything: links, options, variables, findings, man pages.

check_pages.py links|options|findings|man --source DIR [--man FILE...]"""
import argparse
import os
import re
import subprocess
import sys

import page

ENTRY = re.compile(r"^ORK_(?:VIEW_)?OPTION\((.*?)\)$", re.M | re.S)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'.\'|[A-Za-z_0-9]+')
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "specmpi-configs/README.md", "bench/results/README.md")


def pages(source):
    found = [os.path.join(source, name) for name in TOP]
    for parent, _, names in os.walk(os.path.join(source, "docs")):
        found += [os.path.join(parent, name) for name in names if name.endswith(".md")]
    return sorted(found)


def read(path):
    with open(path) as file:
        return file.read()


def link_faults(path, target, read=read):
    """What is wrong with one link of the page; links to other hosts are not followed."""
    if re.match(r"[a-z]+:", target):
        return
    name, _, anchor = target.partition("#")
    place = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
    if not os.path.exists(place):
        yield f"{path}: {target} is not there"
    elif anchor and place.endswith(".md") and anchor not in page.anchors(read(place).split("\n")):
        yield f"{path}: {target} has no such heading"


def check_links(source):
    for path in pages(source):
        for target in page.links(read(path).split("\n")):
            yield from link_faults(path, target)


def entries(path):
    """The fields of each option in a .def file."""
    text = re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)
    return [[field.strip('"') for field in TOKEN.findall(entry)] for entry in ENTRY.findall(text)]


# Where the options of a program are listed.
OPTIONS = {"mustrun": ("mustrun", "options", "options.def"), "mustview": ("mustview", "options.def")}


def known_names(source):
    """Words that name an option: --must:NAME, MUST_NAME, and the options of mustview."""
    found = entries(os.path.join(source, *OPTIONS["mustrun"]))
    names = {"--must:" + entry[2] for entry in found} | {entry[4] for entry in found}
    view = {"--" + entry[2] for entry in entries(os.path.join(source, *OPTIONS["mustview"]))}
    if len(names) < 20 or len(view) < 5:
        sys.exit("check_pages.py: the lists of options were not understood")
    return names, view


def option_faults(path, text, names, view):
    for number, line in enumerate(text.split("\n"), 1):
        line = line.replace("\\-", "-")
        used = set(re.findall(r"--must:[a-z][a-z-]*[a-z]", line)) | set(re.findall(r"\bMUST_[A-Z_]+\b(?=[=`]|\\f)", line))
        for word in sorted(used - names):
            yield f"{path}:{number}: {word} is no option"
        command = re.search(r"(?:^|[$`] ?)mustview ([^|>`]*)", line)
        if command:
            for word in re.findall(r"--[a-z][a-z-]*", command.group(1)):
                if word not in view:
                    yield f"{path}:{number}: mustview has no {word}"


def check_options(source):
    names, view = known_names(source)
    folder = os.path.join(source, "docs", "man")
    manual = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    for path in pages(source) + manual + [os.path.join(source, "docs", "reference", "must-report.5")]:
        yield from option_faults(path, read(path), names, view)


KIND = re.compile(r"^ORK_FINDING\(\s*([A-Z_]+),\s*ORK_([A-Z_]+)", re.M)
ID = re.compile(r'^ORK_FINDING_ID\(([A-Z_]+), "([a-z-]+)"\)', re.M)
ROW = re.compile(r"^\| `([a-z-]+)` \| ([a-z]*) ?\|", re.M)


def finding_faults(page_text, list_text):
    """The table of the page has exactly the ids and classes of the list, each is listed once, and each id has a heading."""
    ids = dict(ID.findall(list_text))
    kinds = [(ids[name], "" if class_ == "CLASS_NONE" else class_.lower()) for name, class_ in KIND.findall(list_text)]
    listed = set(kinds)
    for name, class_ in sorted(kind for kind in listed if kinds.count(kind) > 1):
        yield f"findings.def: {name}{class_ and ' ' + class_} is listed {kinds.count((name, class_))} times"
    documented = set(ROW.findall(page_text))
    for name, class_ in sorted(listed - documented):
        yield f"findings.md: {name} {class_} has no row in the table"
    for name, class_ in sorted(documented - listed):
        yield f"findings.def: {name} {class_} is missing"
    headings = page.anchors(page_text.split("\n"))
    for name in sorted({name for name, _ in listed} - set(headings)):
        yield f"findings.md: {name} has no heading"


def check_findings(source):
    text = read(os.path.join(source, "docs", "reference", "findings.md"))
    yield from finding_faults(text, read(os.path.join(source, "report", "findings.def")))


def check_man(source, built):
    own = os.path.join(source, "docs", "reference", "must-report.5")
    for path in [own, *built]:
        result = subprocess.run(
            ["groff", "-ww", "-mandoc", "-Tutf8", "-z", path], capture_output=True, text=True, check=False
        )
        if result.returncode != 0 or result.stderr:
            yield f"{path}: groff: {result.stderr.strip() or result.returncode}"
        if re.search(r"@[A-Z_]+@", read(path)):
            yield f"{path}: a mark was not filled in"
    # Options and help come from one list: each of them is in its page.
    for name, index in (("mustrun", 2), ("mustview", 2)):
        text = "".join(read(path) for path in built if path.endswith(name + ".1")).replace("\\-", "-")
        for entry in entries(os.path.join(source, *OPTIONS[name])):
            if entry[index] not in text:
                yield f"{name}.1: {entry[index]} is missing"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["links", "options", "findings", "man"])
    parser.add_argument("--source", required=True)
    parser.add_argument("--man", action="append", default=[])
    arguments = parser.parse_args()
    check = {
        "links": lambda: check_links(arguments.source),
        "options": lambda: check_options(arguments.source),
        "findings": lambda: check_findings(arguments.source),
        "man": lambda: check_man(arguments.source, arguments.man),
    }[arguments.what]
    faults = list(check())
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
