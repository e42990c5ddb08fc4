# SPDX-License-Identifier: BSD-3-Clause
"""Make C of the style sheets and the script of the page: their bytes, and the names that a Content-Security-Policy knows
them by. A palette is written once, in html.css: `:root { --ink: light-dark(#000, #fff); }`.

    html_embed.py html.css lanes.css html.js out.c
"""
import base64
import hashlib
import re
import sys

PAIR = re.compile(r"(--[a-z-]+): light-dark\(([^,()]+), ([^,()]+)\);\s*")
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


def array(name, data):
    numbers = ", ".join(str(byte) for byte in data + b"\0")
    return f"const char ork_{name}[] = {{{numbers}}};\n"


def named(name, data):
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    return array(name, data) + f'const char ork_{name}_hash[] = "sha256-{digest}";\n'


def content(path):
    with open(path, "rb") as source:
        data = source.read()
    for mark in (b"</script", b"</style", b"<!--", b"\r", b"\0"):
        if mark in data.lower():
            sys.exit(f"{path}: {mark!r} would end it, or change it, inside the page")
    return data.decode("ascii")  # a char may be signed


def palettes(style):
    """The style sheet without its palette; the colours of each theme."""
    pairs = PAIR.findall(style)
    if not pairs:
        sys.exit("the style sheet has no palette")
    return PAIR.sub("", style), {name: light for name, light, _ in pairs}, {name: dark for name, _, dark in pairs}


def block(selector, scheme, colours):
    return f"{selector} {{ color-scheme: {scheme}; {' '.join(f'{name}: {value};' for name, value in colours.items())} }}\n"


def page(style, light, dark):
    """Browsers of 2021 do not know light-dark()."""
    return (block(":root", "light dark", light)
            + "@media screen and (prefers-color-scheme: dark) {\n" + block(":root", "light dark", dark) + "}\n"
            + block(':root[data-theme="light"]', "light", light)
            + "@media screen {\n" + block(':root[data-theme="dark"]', "dark", dark) + "}\n" + style)


def coloured(rules, colours):
    return re.sub(r"var\((--[a-z-]+)\)", lambda match: colours[match[1]], rules)


def document(rules, light, dark):
    """For an SVG of its own: what has a colour comes again for a dark screen."""
    again = ""
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", rules):
        parts = [part.strip() for part in body.split(";") if "var(" in part]
        if parts:
            again += f"{selector.strip()} {{ {'; '.join(parts)}; }}\n"
    return ("<style>" + coloured(rules, light) + "@media screen and (prefers-color-scheme: dark) {\n"
            + coloured(again, dark) + "}</style>\n")


def main():
    style, lanes, script, out = sys.argv[1:]
    style, light, dark = palettes(COMMENT.sub("", content(style)))
    rules = COMMENT.sub("", content(lanes))
    with open(out, "w", encoding="ascii") as target:
        target.write('#include "viz/html.h"\n#include "viz/lanes.h"\n\n')
        target.write(named("html_style", page(style + rules, light, dark).encode())
                     + named("html_script", content(script).encode())
                     + array("lanes_style", document(rules, light, dark).encode()))


main()
