# SPDX-License-Identifier: BSD-3-Clause
"""Make C of the page's style sheet and script: their bytes, and the names that a Content-Security-Policy knows them by.

    html_embed.py html.css html.js out.c
"""
import base64
import hashlib
import sys


def array(name, data):
    numbers = ", ".join(str(byte) for byte in data + b"\0")
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    return (f"const char ork_html_{name}[] = {{{numbers}}};\n"
            f'const char ork_html_{name}_hash[] = "sha256-{digest}";\n')


def content(path):
    with open(path, "rb") as source:
        data = source.read()
    for mark in (b"</script", b"</style", b"<!--", b"\r", b"\0"):
        if mark in data.lower():
            sys.exit(f"{path}: {mark!r} would end it, or change it, inside the page")
    data.decode("ascii")  # a char may be signed
    return data


def main():
    style, script, out = sys.argv[1:]
    with open(out, "w", encoding="ascii") as target:
        target.write('#include "viz/html.h"\n\n')
        target.write(array("style", content(style)) + array("script", content(script)))


main()
