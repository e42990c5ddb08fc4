#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Record the traces anew: record.sh BUILD-FOLDER [name...]. The build must have mustrun and the programs of tests/e2e. A trace whose
# .expect exists is checked against it; else what the detector says now is written there, to be read before it is kept.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
names=${*:-$(cat "$here/names")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for name in $names; do
    area=${name%%-*}
    program=${name#*-}
    source=$here/../e2e/programs/$area/$program.c
    ranks=$(sed -n 's/.*RANKS: \([0-9]*\).*/\1/p' "$source" | head -n 1)
    rm -f "$folder"/*.trace
    timeout 60 "$build/mustrun/mustrun" --must:quiet --must:output-dir "$folder" --must:trace "$folder/raw.trace" \
        --oversubscribe -np "$ranks" "$build/tests/e2e/e2e_${area}_$program" >"$folder/out" 2>&1 || true
    mkdir -p "$here/traces"
    trace=$here/traces/$name.trace
    rm -f "$trace"
    "$build/tests/replay/replay" --strip "$trace" "$folder/raw.trace"
    if [ -e "${trace%.trace}.expect" ]; then
        "$build/tests/replay/replay" --check "${trace%.trace}.expect" "$trace" || echo "$name: not as expected"
    else
        "$build/tests/replay/replay" "$trace" >"${trace%.trace}.expect"
    fi
done
