/* SPDX-License-Identifier: BSD-3-Clause */
/* What this run could have done otherwise, for an exploration: docs/explanation/exploration.md. */
#include "overlay/root/root_internal.h"

#include "common/output_file.h"
#include "common/text.h"
#include "order/explore/alternatives.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

struct root_alternatives {
    struct ork_causality *causality;
    const char *path;
    uint32_t nprocs; /* of the first job: the processes of others are not followed */
    int error;       /* errno of what could not be written; 0: none */
};

enum ork_status ork_root_alternatives_create(uint32_t nprocs, const char *path, uint64_t limit,
                                             struct root_alternatives **out)
{
    struct root_alternatives *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return ORK_NOMEM;
    *out = a; /* whoever destroys the root destroys it */
    a->nprocs = nprocs;
    a->path = path;
    enum ork_status status = ork_causality_create(nprocs, ORK_CLOCKS_EXACT, &a->causality);
    if (status == ORK_OK)
        ork_causality_set_limit(a->causality, limit);
    return status;
}

void ork_root_alternatives_destroy(struct root_alternatives *a)
{
    if (a == NULL)
        return;
    ork_causality_destroy(a->causality);
    free(a);
}

enum ork_status ork_root_alternatives_feed(struct root_alternatives *a, uint32_t rank,
                                           const struct ork_record *record, size_t n)
{
    if (a == NULL || rank >= a->nprocs)
        return ORK_OK;
    return ork_causality_feed(a->causality, rank, record, n);
}

void ork_root_alternatives_end(struct root_alternatives *a, uint32_t rank, enum ork_causal_end how)
{
    if (a != NULL && rank < a->nprocs)
        ork_causality_end(a->causality, rank, how);
}

/* RATIONALE: a failure to write is no failure of the run: the exploration says what is missing. */
enum ork_status ork_root_alternatives_finish(struct ork_root *root)
{
    struct root_alternatives *a = root->alternatives;
    struct ork_unordered_calls calls;

    if (a == NULL)
        return ORK_OK;
    calls.call = ork_root_unordered_calls(root->unordered, &calls.count);
    FILE *out = ork_output_stream(ork_output_new(AT_FDCWD, a->path));
    enum ork_status status =
        out == NULL ? ORK_IO : ork_alternatives_write(a->causality, a->nprocs, calls, out);
    if (status == ORK_IO)
        a->error = errno;
    if (out != NULL && fclose(out) != 0 && a->error == 0)
        a->error = errno;
    return status == ORK_NOMEM ? ORK_NOMEM : ORK_OK;
}

enum ork_status ork_root_alternatives_summary(const struct root_alternatives *a,
                                              struct ork_report *report)
{
    if (a == NULL || a->error == 0)
        return ORK_OK;
    char *note = ork_text("the alternatives of the run could not be written to %s: %s", a->path,
                          strerror(a->error));
    enum ork_status status = note == NULL ? ORK_NOMEM : ork_report_add_note(report, note);
    free(note);
    return status;
}
