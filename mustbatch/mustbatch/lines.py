# SPDX-License-Identifier: BSD-3-Clause
"""Where a key stands in a TOML file: tomllib gives values without their lines. The text is known to be valid TOML."""

import bisect
import re

# A header, a key with its equals sign, or what may hold text that looks like one.
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|(?P<key>^[ \t]*(?:[\w-]+|"[^"\n]*"|\'[^\'\n]*\')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|\'[^\'\n]*\'))*[ \t]*=)'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|(?P<header>^[ \t]*\[\[?[^\n\]]+\]\]?)",
    re.S | re.M,
)


def plain(key):
    return re.sub(r"[\"'\s]", "", key)


class Lines:
    def __init__(self, text):
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.tables = [("", 1, {})]  # (name, line, {key: line}), in the file's order
        for match in TOKEN.finditer(text):
            line = bisect.bisect_right(self.starts, match.end() - 1)
            if match["header"]:
                self.tables.append((plain(match["header"].strip(" \t[]")), line, {}))
            elif match["key"]:
                self.tables[-1][2].setdefault(plain(match["key"][:-1]).split(".")[0], line)

    def line(self, table, index, key):
        """The line of a key of the index-th table of that name, or the line of the table."""
        found = [entry for entry in self.tables if entry[0] == table]
        if index >= len(found):
            return 1
        _, line, keys = found[index]
        if key in keys:
            return keys[key]
        return self.line_of_subtable(table, index, key) or line

    def line_of_subtable(self, table, index, key):
        """[case.files] belongs to the last [[case]] before it."""
        seen = -1
        for name, line, _ in self.tables:
            seen += name == table
            if seen == index and name == (f"{table}.{key}" if table else key):
                return line
        return None
