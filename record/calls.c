/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/calls.h"

const char *ork_call_name(unsigned call)
{
    static const char *const name[] = {
        "?",
#define ORK_CALL(name) #name,
#include "generated/record/calls.def"
#undef ORK_CALL
    };
    return call < ORK_CALL_MAX ? name[call] : "?";
}
