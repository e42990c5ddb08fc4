/* SPDX-License-Identifier: BSD-3-Clause */
/* Of other processors, nothing is known. */
#include "overlay/stacktrace/call_flow.h"

bool ork_flow_is_sequence(const struct ork_code *code, uint64_t first, uint64_t second)
{
    (void)code;
    (void)first;
    (void)second;
    return false;
}
