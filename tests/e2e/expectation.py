# SPDX-License-Identifier: BSD-3-Clause
"""What a test program expects of the tool, read from its head comment, and the comparison with a report.

The head comment is everything before the first line without a comment sign. Lines of the form KEY: VALUE are:

RANKS: 2                          number of processes
EXPECT: clean                     nothing is reported
        deadlock                  exactly the deadlocks below (and what MAYBE allows)
        no-deadlock               no deadlock; findings of other kinds are free
CLASS: manifest                   the one deadlock expected: its class,
DEADLOCKED: 0 1                   all its ranks,
ROOTS: {0,1} {2,3}                and its root sets
SEVERAL: potential; 0 1; {0,1}    instead of the three: one line for each expected deadlock
MAYBE: potential; 0 1; {0,1}      a further deadlock that may be reported; * stands for any ranks or roots
MAYBE: lost-message               a finding of this id may be reported
FINDING: abnormal-end error       a finding of this id and severity is reported
CALL: 1 MPI_Recv HERE             where rank 1 of the first expected deadlock is; with a mark: its line carries that mark
LAST: 0: MPI_Send OUT; MPI_Test x 12 POLL; MPI_Recv
                                  how the list of the last calls of rank 0 ends: calls, how often in a row, marks of their lines.
                                  They are those of the first expected deadlock; if none is expected, of the first finding with any
LAST: 0: MPI_Send OUT; ...        further calls may follow: the rank goes on while the list is read
LAST: 0: [10 x 3] MPI_Irecv; MPI_Isend; MPI_Wait; MPI_Recv
                                  the three calls from there are an iteration, ten times
MESSAGES: 0 OUT > 1 IN; 1 OUT > 0 IN
                                  all messages between these last calls: ranks, marks of lines; or: none
PENDING: 0 OUT; 1 IN              those of the last calls that have messages without a match
CALLS_GONE: yes                   a finding says that its calls are not among those that are kept
ADVISES: regular expression       found in what would resolve a deadlock
SAYS: regular expression          found in the text that the tool prints
NEVER_SAYS: regular expression    not found there
REPORTS: regular expression       found in the message of a finding of the report, which can tell more than the text did at first
SAYS_LINE: HERE                   the text names file:line of every line with that mark
OUTPUT: text                      a line of the program's standard output; it prints no others
EXIT: 66 130                      exit codes of the tool's launcher; default: see expected_exits()
STOP: regular expression          the program goes on until it is told to stop (programs/stop.h): when the tool prints this
INTERRUPT: 2                      the program does not end by itself: interrupt the tool so many seconds after its first output
OPTIONS: --must:sends buffered    options of the tool for this program
PLAIN: ends                       what the program does without the tool: ends, hangs or any
PLAIN: compared                   it ends, and each run is compared with one without the tool: exit code and standard output, of which
                                  OUTPUT names only some lines
FOLDS: yes                        the tool counts iterations instead of analysing them (folded.py)
REPORT_RANKS: 0                   number of ranks that the report names, if not RANKS: spawned ones count
INCOMPLETE: yes                   the report says that not everything was observed
"""

import collections
import re

DEADLOCK_CLASSES = ("manifest", "potential", "interleaving", "suspected")
FINDINGS_EXIT = 66


class BadExpectation(Exception):
    """The head comment is wrong; the text says how."""


# RATIONALE: no module dataclasses: to import it takes a third of the time that a test needs to start, and there are hundreds.
class Deadlock(collections.namedtuple("Deadlock", ("class_", "ranks", "roots"), defaults=(None, None))):
    """A deadlock, expected or found. ranks and roots, frozen sets, are None where anything will do."""

    __slots__ = ()

    def matches(self, found):
        return (
            self.class_ == found.class_
            and self.ranks in (None, found.ranks)
            and self.roots in (None, found.roots)
        )

    def __str__(self):
        def text(ranks):
            return "{" + ",".join(str(r) for r in sorted(ranks)) + "}"

        ranks = "any" if self.ranks is None else text(self.ranks)
        if self.roots is None:
            roots = "any"
        else:
            roots = " ".join(sorted(text(root) for root in self.roots)) or "none"
        return f"{self.class_} deadlock of {ranks}, roots {roots}"


Call = collections.namedtuple("Call", ("rank", "name", "mark"), defaults=(None,))
# How the last calls of a rank end: (function, times, (calls, times) of the iteration that it begins or zeros, mark or None), the
# oldest first; or those before the end, if the rank may have made further ones.
LastCalls = collections.namedtuple("LastCalls", ("rank", "calls", "may_go_on"), defaults=(False,))


class Expectation:
    def __init__(self):
        self.ranks = 0
        self.expect = ""
        self.required, self.allowed = [], []  # deadlocks
        self.allowed_ids = []
        self.findings = []  # (id, severity)
        self.calls, self.last = [], []
        self.advises, self.says, self.never_says, self.reports, self.says_lines = [], [], [], [], []
        self.messages, self.pending = None, None  # sets of ((rank, mark), (rank, mark)), and of (rank, mark)
        self.output = []
        self.exits = []
        self.stop = None  # regular expression
        self.interrupt = None  # seconds
        self.options = ()
        self.plain = ""
        self.is_compared = False
        self.is_mixed = False  # the launcher mixes the lines of ranks: run.py
        self.report_ranks = None
        self.incomplete = False
        self.folds = False
        self.calls_gone = False
        self.file = ""
        self.marks = {}  # mark -> line numbers


COMMENT = re.compile(r"\s*(?:/\*|\*/|\*|//|!|#)")
KEY = re.compile(r"([A-Z][A-Z_]+):\s*(.*?)\s*(?:\*/)?$")
MARK = re.compile(r"(?:/\*|//|!|#)\s*([A-Z]+)\s*(?:\*/)?\s*$")


def parse_ranks(text):
    if text.strip() == "*":
        return None
    if not re.fullmatch(r"(\d+\s*)*", text.strip()):
        raise BadExpectation(f"ranks expected, not '{text}'")
    return frozenset(int(word) for word in text.split())


def parse_roots(text):
    if text.strip() == "*":
        return None
    if not re.fullmatch(r"(\{\d+(,\d+)*\}\s*)*", text.strip()):
        raise BadExpectation(f"root sets like {{0,1}} {{2}} expected, not '{text}'")
    sets = re.findall(r"\{([\d,]+)\}", text)
    return frozenset(frozenset(int(rank) for rank in one.split(",")) for one in sets)


def parse_deadlock(text):
    parts = text.split(";")
    if len(parts) != 3:
        raise BadExpectation(f"'class; ranks; roots' expected, not '{text}'")
    class_ = parts[0].strip()
    if class_ not in DEADLOCK_CLASSES:
        raise BadExpectation(f"no such class: '{class_}'")
    return Deadlock(class_, parse_ranks(parts[1]), parse_roots(parts[2]))


def parse_call(text):
    words = text.split()
    if len(words) not in (2, 3) or not words[0].isdigit():
        raise BadExpectation(f"'rank MPI_Function [MARK]' expected, not '{text}'")
    return Call(int(words[0]), *words[1:])


LAST_CALL = re.compile(r"(?:\[(\d+) x (\d+)\] )?(MPI\w+)(?: x (\d+))?(?: ([A-Z]+))?")


def parse_last(text):
    rank, _, calls = text.partition(":")
    before, _, rest = calls.rpartition(";")
    may_go_on = rest.strip() == "..."
    matches = [LAST_CALL.fullmatch(call.strip()) for call in (before if may_go_on else calls).split(";")]
    if not rank.isdigit() or None in matches:
        raise BadExpectation(f"'rank: MPI_Function [x times] [MARK]; ...' expected, not '{text}'")
    wanted = tuple((m[3], int(m[4] or 1), (int(m[2] or 0), int(m[1] or 0)), m[5]) for m in matches)
    return LastCalls(int(rank), wanted, may_go_on)


def parse_place(text):
    words = text.split()
    if len(words) != 2 or not words[0].isdigit():
        raise BadExpectation(f"'rank MARK' expected, not '{text}'")
    return int(words[0]), words[1]


def parse_places(text):
    return {parse_place(part) for part in text.split(";")}


def parse_messages(text):
    if text == "none":
        return set()
    pairs = [part.split(">") for part in text.split(";")]
    if any(len(pair) != 2 for pair in pairs):
        raise BadExpectation(f"'rank MARK > rank MARK; ...' expected, not '{text}'")
    return {tuple(parse_place(end) for end in pair) for pair in pairs}


def parse_finding(text):
    words = text.split()
    if len(words) != 2 or words[1] not in ("error", "warning", "note"):
        raise BadExpectation(f"'id severity' expected, not '{text}'")
    return tuple(words)


def parse_yes(text):
    if text != "yes":
        raise BadExpectation(f"'yes' expected, not '{text}'")
    return True


def parse_number(text, number=int):
    try:
        return number(text)
    except ValueError:
        raise BadExpectation(f"a number expected, not '{text}'") from None


# A formatter that fills the comment would join lines, and expectations would be lost.
JOINED = re.compile(
    r"[^\]]\s(?:SAYS|NEVER_SAYS|REPORTS|SAYS_LINE|FINDING|MAYBE|OUTPUT|EXIT|PLAIN|CALL|LAST|MESSAGES|PENDING|ADVISES):(?:\s|$)"
)


def head_lines(source):
    """(key, value) of the head comment, in order."""
    for line in source.splitlines():
        if line.strip() and not COMMENT.match(line):
            return
        text = COMMENT.sub("", line, count=1).strip()
        match = KEY.match(text)
        if JOINED.search(text):
            raise BadExpectation(f"one key a line is expected, not '{text}'")
        if match:
            yield match.groups()


def find_marks(source):
    marks = {}
    for number, line in enumerate(source.splitlines(), start=1):
        match = MARK.search(line)
        if match and COMMENT.match(line) is None:
            marks.setdefault(match.group(1), []).append(number)
    return marks


def parse(source, file=""):
    """The expectation of a program's source text. Raises BadExpectation."""
    result = Expectation()
    result.file, result.marks = file, find_marks(source)
    single = {}
    for key, value in head_lines(source):
        set_key(result, single, key, value)
    if single:
        missing = {"CLASS", "DEADLOCKED", "ROOTS"} - set(single)
        if missing:
            raise BadExpectation(f"{min(missing)} is missing")
        text = ";".join((single["CLASS"], single["DEADLOCKED"], single["ROOTS"]))
        result.required.insert(0, parse_deadlock(text))
    check(result)
    return result


def set_key(result, single, key, value):
    if key in ("CLASS", "DEADLOCKED", "ROOTS"):
        single[key] = value
    elif key == "RANKS":
        result.ranks = parse_number(value)
    elif key == "EXPECT":
        result.expect = value
    elif key == "SEVERAL":
        result.required.append(parse_deadlock(value))
    elif key == "MAYBE" and ";" in value:
        result.allowed.append(parse_deadlock(value))
    elif key == "MAYBE":
        result.allowed_ids.append(value)
    elif key == "FINDING":
        result.findings.append(parse_finding(value))
    elif key == "CALL":
        result.calls.append(parse_call(value))
    elif key == "LAST":
        result.last.append(parse_last(value))
    elif key == "MESSAGES":
        result.messages = parse_messages(value)
    elif key == "PENDING":
        result.pending = parse_places(value)
    elif key == "ADVISES":
        result.advises.append(value)
    elif key == "SAYS":
        result.says.append(value)
    elif key == "NEVER_SAYS":
        result.never_says.append(value)
    elif key == "REPORTS":
        result.reports.append(value)
    elif key == "SAYS_LINE":
        result.says_lines.append(value)
    elif key == "OUTPUT":
        result.output.append(value)
    elif key == "EXIT":
        result.exits = [parse_number(word) for word in value.split()]
    elif key == "OPTIONS":
        result.options = tuple(value.split())
    elif key == "STOP":
        result.stop = value
    elif key == "INTERRUPT":
        result.interrupt = parse_number(value, float)
    elif key == "PLAIN":
        result.plain = value
    elif key == "REPORT_RANKS":
        result.report_ranks = parse_number(value)
    elif key == "INCOMPLETE":
        result.incomplete = parse_yes(value)
    elif key == "FOLDS":
        result.folds = parse_yes(value)
    elif key == "CALLS_GONE":
        result.calls_gone = parse_yes(value)
    elif key != "SPDX":
        raise BadExpectation(f"unknown key {key}")


def check(e):
    """Refuse an expectation that contradicts itself; fill in defaults."""
    if e.ranks < 1:
        raise BadExpectation("RANKS is missing")
    if e.expect not in ("clean", "deadlock", "no-deadlock"):
        raise BadExpectation(f"EXPECT is 'clean', 'deadlock' or 'no-deadlock', not '{e.expect}'")
    if (e.expect == "deadlock") != bool(e.required):
        raise BadExpectation("EXPECT: deadlock and a description of the deadlock belong together")
    for rank in {rank for d in e.required for rank in d.ranks or ()}:
        if rank >= max(e.ranks, e.report_ranks or 0):
            raise BadExpectation(f"there is no rank {rank}")
    marks = [call.mark for call in e.calls] + [mark for last in e.last for *_, mark in last.calls]
    marks += [mark for _, mark in e.pending or ()] + [mark for pair in e.messages or () for _, mark in pair]
    for mark in e.says_lines + [mark for mark in marks if mark]:
        if mark not in e.marks:
            raise BadExpectation(f"no line carries the mark {mark}")
    if not e.plain:
        hangs = any(d.class_ == "manifest" for d in e.required)
        e.plain = "hangs" if hangs else "ends"
    if e.plain == "compared":
        e.plain, e.is_compared = "ends", True
    if e.plain not in ("ends", "hangs", "any"):
        raise BadExpectation(f"PLAIN is 'ends', 'compared', 'hangs' or 'any', not '{e.plain}'")
    if e.report_ranks is None:
        e.report_ranks = e.ranks
