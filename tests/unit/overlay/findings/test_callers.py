#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every row of overlay/findings/messages.def is used, and its caller fills its slots, each of which some row of the call has."""

import pathlib
import re
import sys
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1))
CALLERS = [FOLDER, FOLDER.parent / "root"]
KIND = r"\b(?:TEXT|NUMBER|COUNT|RANKS?)\(\s*'(\w)'"


def rows(text):
    """The slots of each message, by its name."""
    found = re.findall(r'ORK_MESSAGE\(\s*(\w+),\s*\w+,((?:\s*"(?:[^"\\]|\\.)*")+)\)', text)
    return {name: slots_of("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', template))) for name, template in found}


def slots_of(template):
    return set(re.findall(r"\$(\w)", template)) | set(re.findall(r"\{(\w)[:?]", template))


def parts_of(text, start):
    """The arguments of the call whose parenthesis opens before start, and where it ends."""
    depth, parts, begin = 0, [], start
    for i in range(start, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}" and depth == 0:
            return parts + [text[begin:i]], i
        elif text[i] in ")]}":
            depth -= 1
        elif text[i] == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    raise ValueError("a call does not end")


def letter_of(part, before):
    """The letter of a slot that is given as such, or by the name of a constant above."""
    if found := re.match(r"\s*" + KIND, part):
        return found[1]
    constants = re.findall(rf"struct ork_slot {part.strip()} =\s*{KIND}", before)
    return constants[-1] if constants else None


def calls(text):
    """(names of messages, letters) of each ork_say()."""
    for found in re.finditer(r"\bork_say\(", text):
        parts, _ = parts_of(text, found.end())
        yield re.findall(r"\bSAYS_(\w+)", parts[1]), [letter_of(part, text[: found.start()]) for part in parts[2:]]


def problems(catalogue, sources):
    """What is wrong, in words."""
    used, said = set(), set()
    for path, text in sources.items():
        used |= set(re.findall(r"\bSAYS_(\w+)", text)) - {"MAX"}
        for names, letters in calls(text):
            said |= set(names)
            if not names or None in letters or len(set(letters)) != len(letters):
                yield f"{path}: a call of ork_say() that cannot be checked: {names}, {letters}"
                continue
            for name in names:
                yield from (f"{path}: {name} needs ${slot}" for slot in sorted(catalogue.get(name, set()) - set(letters)))
            filled = set().union(*(catalogue.get(name, set()) for name in names))
            yield from (f"{path}: {names} has no ${letter}" for letter in letters if letter not in filled)
    yield from (f"{name} is in no catalogue" for name in sorted(used - set(catalogue)))
    yield from (f"{name} is not used" for name in sorted(set(catalogue) - used))
    yield from (f"{name} has slots, but no ork_say()" for name in sorted(used - said) if catalogue.get(name))


class Callers(unittest.TestCase):
    def test_fill_the_slots_of_their_messages(self):
        catalogue = rows((FOLDER / "messages.def").read_text(encoding="utf-8"))
        self.assertEqual(len(catalogue), (FOLDER / "messages.def").read_text(encoding="utf-8").count("\nORK_MESSAGE("))
        sources = {path.name: path.read_text(encoding="utf-8") for folder in CALLERS for path in sorted(folder.glob("*.c"))}
        self.assertEqual(list(problems(catalogue, sources)), [])


class Check(unittest.TestCase):
    CATALOGUE = rows('\nORK_MESSAGE(A, PART, "$r {r:is|are}"\n " at $p")\nORK_MESSAGE(B, PART, "none")\n')

    def test_reads_the_slots(self):
        self.assertEqual(self.CATALOGUE, {"A": {"r", "p"}, "B": set()})

    def expect(self, text, *expected):
        self.assertEqual(list(problems(self.CATALOGUE, {"a.c": text})), list(expected))

    def test_accepts_what_is_right(self):
        self.expect("const struct ork_slot who = RANK('r', 1); ork_say(w, SAYS_A, who, TEXT('p', f(a, b))); ork_plain(SAYS_B);")
        self.expect("ork_say(w, x ? SAYS_A : SAYS_B, RANKS('r', &set), TEXT('p', ork_say(w, SAYS_A, RANK('r', 1), TEXT('p', q))));")

    def test_finds_what_is_wrong(self):
        self.expect("ork_say(w, SAYS_A, RANK('r', 1)); ork_plain(SAYS_B);", "a.c: A needs $p")
        self.expect("ork_say(w, SAYS_A, RANK('r', 1), TEXT('p', p), NUMBER('n', 1)); ork_plain(SAYS_B);", "a.c: ['A'] has no $n")
        self.expect("ork_plain(SAYS_A); ork_plain(SAYS_B); ork_plain(SAYS_C);", "C is in no catalogue", "A has slots, but no ork_say()")
        self.expect("ork_say(w, SAYS_A, RANK('r', 1), TEXT('p', p));", "B is not used")
        self.expect(
            "ork_say(w, message, RANK('r', 1)); ork_say(w, SAYS_A, RANK('r', 1), TEXT('p', p)); ork_plain(SAYS_B);",
            "a.c: a call of ork_say() that cannot be checked: [], ['r']",
        )


if __name__ == "__main__":
    unittest.main()
