/* SPDX-License-Identifier: BSD-3-Clause */
/* Of other processors, nothing is known. */
#include "overlay/stacktrace/load_flow.h"

struct ork_flow ork_flow_of_load(const struct ork_code *code, uint64_t address,
                                 ork_callee_of *callee_of, void *context)
{
    (void)code;
    (void)address;
    (void)callee_of;
    (void)context;
    return (struct ork_flow){.is_known = false};
}
