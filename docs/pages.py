# SPDX-License-Identifier: BSD-3-Clause
"""The documents as web pages, for installation: pages.py SOURCE OUT

Needs python3-markdown. Every page below docs/ and those of EXTRA become one HTML file each; links
between them are kept, and so are pictures. A link to what is not installed becomes plain text."""
import os
import re
import shutil
import sys

import markdown

EXTRA = {"README.md": "orknot.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md",
         "specmpi-configs/README.md": "specmpi-configs.md"}
COPIED = (".svg", ".png", ".c", ".f90", ".json", ".css")
LINK = re.compile(r'(<a href|<img[^>]*? src)="([^"]*)"')
SHELL = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} - Orknot</title>
<link rel="stylesheet" href="{root}pages.css">
</head>
<body>
<header><a href="{root}index.html">Orknot: documentation</a></header>
<main>
{body}
</main>
</body>
</html>
"""


def slug(heading, separator):
    """The anchor that the forges give a heading, so that links hold in both forms."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def sources(root):
    """Path of each file, relative to the sources: where it goes, relative to the output."""
    found = dict(EXTRA)
    for parent, folders, names in os.walk(os.path.join(root, "docs")):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(parent, name), root)
            if name.endswith(".md") or name.endswith(COPIED):
                found[path] = os.path.relpath(path, "docs")
    found["docs/README.md"] = "index.md"
    return found


def as_html(path):
    return path[:-3] + ".html" if path.endswith(".md") else path


def relink(body, page, places):
    """Links that are relative to `page` among the sources become relative to it in the output."""
    def one(match):
        name, _, anchor = match.group(2).partition("#")
        if not name or re.match(r"[a-z]+:", name):
            return match.group(0)
        target = os.path.normpath(os.path.join(os.path.dirname(page), name))
        if target not in places:
            return match.group(1).replace(" href", "")
        new = os.path.relpath(as_html(places[target]), os.path.dirname(places[page]) or ".")
        return f'{match.group(1)}="{new}{"#" + anchor if anchor else ""}"'
    return LINK.sub(one, body)


def convert(text, page, places):
    title = re.search(r"^# (.*)$", text, re.M)
    body = markdown.markdown(
        text, extensions=["tables", "fenced_code", "sane_lists", "toc"], extension_configs={"toc": {"slugify": slug}}
    )
    depth = places[page].count("/")
    return SHELL.format(title=title.group(1) if title else page, root="../" * depth, body=relink(body, page, places))


def main():
    root, out = sys.argv[1:3]
    places = sources(root)
    for source, place in places.items():
        path = os.path.join(out, as_html(place))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not source.endswith(".md"):
            shutil.copyfile(os.path.join(root, source), path)
            continue
        with open(os.path.join(root, source), encoding="utf-8") as file:
            text = convert(file.read(), source, places)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
