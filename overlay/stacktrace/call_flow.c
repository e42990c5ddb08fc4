/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/call_flow.h"

#include "overlay/stacktrace/object_code.h"

bool ork_calls_are_sequence(const char *path, uint64_t a, uint64_t b)
{
    struct ork_object *object = ork_object_open(path);
    struct ork_function function, other;
    bool is_sequence = false;

    /* RATIONALE: the call itself ends before its return address, which may be another function's */
    if (object != NULL && a > 0 && b > 0 && ork_object_function(object, a - 1, &function) &&
        ork_object_function(object, b - 1, &other) && function.code.address == other.code.address)
        is_sequence = ork_flow_is_sequence(&function.code, a, b) ||
                      ork_flow_is_sequence(&function.code, b, a);
    ork_object_close(object);
    return is_sequence;
}
