# SPDX-License-Identifier: BSD-3-Clause
"""Expected verdicts: "clean", "findings", "deadlock", "any", or a list of findings such as "request-leak" or "deadlock:potential".
One that ends with a question mark may be reported or not."""

import re

WORDS = ("clean", "findings", "deadlock", "any")
NAME = re.compile(r"[a-z][a-z0-9-]*(:[a-z]+)?\??")


def problem(value):
    """What is wrong with an expectation, or None."""
    if isinstance(value, str):
        return None if value in WORDS else f"'{value}' is not one of {', '.join(WORDS)}, and not a list of findings"
    if not value:
        return 'the list of findings is empty; use "clean"'
    for name in value:
        if not NAME.fullmatch(name):
            return f"'{name}' is not the name of a finding"
    return None


def from_words(text):
    """An expectation as it stands on a command line."""
    return text if text in WORDS else [word.strip() for word in text.split(",")]


def show(value):
    return value if isinstance(value, str) else ", ".join(value)


def name_of(finding):
    return f"{finding['id']}:{finding['class']}" if finding["class"] else finding["id"]


def means(name, finding):
    return name.removesuffix("?") in (finding["id"], name_of(finding))


def allows_clean(value):
    """May a run end without a finding? Then everything must have been seen."""
    return value == "clean" or (not isinstance(value, str) and all(name.endswith("?") for name in value))


def counts(finding):
    """Notes say where ranks were; they are no fault."""
    return finding["severity"] != "note"


def unexpected(value, findings):
    """The findings that should not be there."""
    if value == "clean":
        return [finding for finding in findings if counts(finding)]
    if value == "deadlock":
        return [finding for finding in findings if counts(finding) and finding["id"] != "deadlock"]
    if isinstance(value, str):
        return []
    return [finding for finding in findings if counts(finding) and not any(means(name, finding) for name in value)]


def missing(value, findings):
    """Names of the findings that should be there."""
    if value == "deadlock":
        return [] if any(finding["id"] == "deadlock" for finding in findings) else ["deadlock"]
    if value == "findings":
        return [] if any(counts(finding) for finding in findings) else ["a finding"]
    if isinstance(value, str):
        return []
    return [name for name in value if not name.endswith("?") and not any(means(name, finding) for finding in findings)]
