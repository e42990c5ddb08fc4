/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/finding_kind.h"

#include <string.h>

static const struct ork_finding_kind kind[] = {
#define ORK_FINDING(id, class_, meaning, advice) {id, class_, meaning, advice},
#include "report/findings.def"
#undef ORK_FINDING
};

const struct ork_finding_kind *ork_finding_kinds(size_t *count)
{
    *count = sizeof(kind) / sizeof(kind[0]);
    return kind;
}

const struct ork_finding_kind *ork_finding_kind(const char *id, enum ork_class class_)
{
    for (size_t i = 0; i < sizeof(kind) / sizeof(kind[0]); i++)
        if (kind[i].class_ == class_ && strcmp(kind[i].id, id) == 0)
            return &kind[i];
    return NULL;
}
