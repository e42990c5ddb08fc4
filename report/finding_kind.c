/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/finding_kind.h"

#include <string.h>

#define ORK_FINDING_ID(name, id) static const char text_of_##name[] = id;
#include "report/findings.def"
#undef ORK_FINDING_ID

static const char *const text_of[ORK_FINDING_IDS] = {
#define ORK_FINDING_ID(name, id) [ORK_FINDING_##name] = text_of_##name,
#include "report/findings.def"
#undef ORK_FINDING_ID
};

bool ork_finding_is(const struct ork_finding *finding, enum ork_finding_id id)
{
    return strcmp(finding->id, text_of[id]) == 0;
}

static const struct ork_finding_kind kind[] = {
#define ORK_FINDING(name, class_, meaning, advice) {text_of_##name, class_, meaning, advice},
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
