# SPDX-License-Identifier: BSD-3-Clause
"""A page of Markdown as the tests see it: fenced blocks, links, anchors."""
import dataclasses
import re

FENCE = re.compile(r"^```(\S*)\s*$")
FILE_MARK = re.compile(r"^<!-- file: (\S+) -->$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *$")


@dataclasses.dataclass
class Block:
    language: str
    file: str  # of <!-- file: NAME --> on the line before; None without
    first: int  # index of the first line within the fence
    lines: list


@dataclasses.dataclass
class Command:
    words: str
    output: list
    first: int  # index of the first line of output in the page


def blocks(lines):
    found = []
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence is None:
            at += 1
            continue
        mark = FILE_MARK.match(lines[at - 1]) if at > 0 else None
        end = at + 1
        while end < len(lines) and lines[end] != "```":
            end += 1
        if end == len(lines):
            raise ValueError(f"line {at + 1}: a fence is not closed")
        found.append(Block(fence.group(1), mark.group(1) if mark else None, at + 1, lines[at + 1 : end]))
        at = end + 1
    return found


def commands(block):
    """The commands of a console block, each with what the page shows of its output."""
    found = []
    for number, line in enumerate(block.lines):
        if line.startswith("$ "):
            found.append(Command(line[2:], [], block.first + number + 1))
        elif not found:
            raise ValueError(f"line {block.first + number + 1}: output before the first command")
        else:
            found[-1].output.append(line)
    return found


def prose(lines):
    """The page without its fenced blocks and code spans: only there are links."""
    hidden = set()
    for block in blocks(lines):
        hidden.update(range(block.first - 1, block.first + len(block.lines) + 1))
    return [re.sub(r"`[^`]*`", "", line) if number not in hidden else "" for number, line in enumerate(lines)]


def links(lines):
    return [target for line in prose(lines) for target in LINK.findall(line)]


def anchors(lines):
    """As GitHub makes them of headings."""
    hidden = set()
    for block in blocks(lines):
        hidden.update(range(block.first - 1, block.first + len(block.lines) + 1))
    found = set()
    for number, line in enumerate(lines):
        heading = HEADING.match(line)
        if heading is None or number in hidden:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
        slug = re.sub(r"[^\w\- ]", "", text.replace("`", "")).replace(" ", "-")
        count = 0
        while (slug if count == 0 else f"{slug}-{count}") in found:
            count += 1
        found.add(slug if count == 0 else f"{slug}-{count}")
    return found
