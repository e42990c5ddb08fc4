/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/status.h"

const char *ork_status_text(enum ork_status status)
{
    switch (status) {
    case ORK_OK:
        return "success";
#define ORK_STATUS(name, value, sentence)                                                          \
    case ORK_##name:                                                                               \
        return sentence;
#include "common/status.def"
#undef ORK_STATUS
    }
    return "unknown status";
}
