# SPDX-License-Identifier: BSD-3-Clause
"""The part of JSON Schema 2020-12 that docs/reference/report.schema.json uses. A keyword that is not known here is an error of the
schema, so nothing in it goes unchecked.

With `closed`, a key that the schema does not name is a fault too: what the tool writes is all described."""

import re

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description", "default"}
TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: not isinstance(value, bool)
    and (isinstance(value, int) or isinstance(value, float) and value.is_integer()),
}


class BadSchema(Exception):
    pass


def equal(one, other):
    """JSON's equality: true is not 1."""
    return type(one) is type(other) and one == other or (
        TYPES["number"](one) and TYPES["number"](other) and one == other
    )


class Validator:
    def __init__(self, root, closed=False):
        self.root = root
        self.closed = closed

    def faults(self, value):
        """Sentences; none: it is valid."""
        return list(self.check(self.root, value, "$"))

    def resolve(self, reference):
        if not reference.startswith("#/$defs/") or reference[8:] not in self.root.get("$defs", {}):
            raise BadSchema(f"$ref {reference}")
        return self.root["$defs"][reference[8:]]

    def check(self, schema, value, place):
        for keyword in schema:
            if keyword not in ANNOTATIONS:
                rule = getattr(self, "rule_" + keyword.lstrip("$"), None)
                if rule is None:
                    raise BadSchema(f"keyword {keyword}")
                yield from rule(schema, value, place)

    def rule_ref(self, schema, value, place):
        yield from self.check(self.resolve(schema["$ref"]), value, place)

    def rule_type(self, schema, value, place):
        wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(TYPES[name](value) for name in wanted):
            yield f"{place}: {value!r} is not {' or '.join(wanted)}"

    def rule_const(self, schema, value, place):
        if not equal(value, schema["const"]):
            yield f"{place}: {value!r} is not {schema['const']!r}"

    def rule_enum(self, schema, value, place):
        if not any(equal(value, allowed) for allowed in schema["enum"]):
            yield f"{place}: {value!r} is none of {schema['enum']}"

    def rule_minimum(self, schema, value, place):
        if TYPES["number"](value) and value < schema["minimum"]:
            yield f"{place}: {value!r} is less than {schema['minimum']}"

    def rule_maximum(self, schema, value, place):
        if TYPES["number"](value) and value > schema["maximum"]:
            yield f"{place}: {value!r} is more than {schema['maximum']}"

    def rule_pattern(self, schema, value, place):
        if isinstance(value, str) and not re.search(schema["pattern"], value):
            yield f"{place}: {value!r} does not match {schema['pattern']}"

    def rule_required(self, schema, value, place):
        if isinstance(value, dict):
            for key in schema["required"]:
                if key not in value:
                    yield f"{place}: the key {key} is missing"

    def rule_properties(self, schema, value, place):
        if not isinstance(value, dict):
            return
        for key, inner in value.items():
            if key in schema["properties"]:
                yield from self.check(schema["properties"][key], inner, f"{place}.{key}")
            elif self.closed:
                yield f"{place}: the key {key} is not described"

    def rule_items(self, schema, value, place):
        if isinstance(value, list):
            for number, inner in enumerate(value):
                yield from self.check(schema["items"], inner, f"{place}[{number}]")

    def rule_anyOf(self, schema, value, place):
        tried = [list(self.check(inner, value, place)) for inner in schema["anyOf"]]
        if all(tried):
            yield from min(tried, key=len)
