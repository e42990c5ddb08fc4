/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of findings: findings.def as data. */
#ifndef ORK_REPORT_FINDING_KIND_H
#define ORK_REPORT_FINDING_KIND_H

#include "report/report.h"

enum ork_finding_id {
#define ORK_FINDING_ID(name, id) ORK_FINDING_##name,
#include "report/findings.def"
#undef ORK_FINDING_ID
    ORK_FINDING_IDS
};

bool ork_finding_is(const struct ork_finding *finding, enum ork_finding_id id);

struct ork_finding_kind {
    const char *id;
    enum ork_class class_;
    const char *meaning; /* sentences; static storage, as all here */
    const char *advice;  /* sentences */
};

/* All kinds, *count of them. Kinds with the same id are neighbours. */
const struct ork_finding_kind *ork_finding_kinds(size_t *count);
/* The kind with this id and class; NULL: none. */
const struct ork_finding_kind *ork_finding_kind(const char *id, enum ork_class class_);

#endif
