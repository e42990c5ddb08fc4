/* SPDX-License-Identifier: BSD-3-Clause */
/* What this run could have done otherwise, for an exploration: docs/explanation/exploration.md. */
#include "overlay/root/root_internal.h"

#include "common/output_file.h"
#include "common/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

struct root_alternatives {
    struct ork_causality *causality;
    const char *path;
    uint32_t nprocs;        /* of the first job: the processes of others are not followed */
    struct ork_where found; /* the latest place */
    int error;              /* errno of what could not be written; 0: none */
};

static enum ork_status create(struct ork_root *root, uint32_t nprocs)
{
    struct root_alternatives *a = calloc(1, sizeof(*a));

    if (a == NULL)
        return ORK_NOMEM;
    root->alternatives = a;
    a->nprocs = nprocs;
    a->path = root->options.alternatives;
    enum ork_status status = ork_causality_create(nprocs, &a->causality);
    if (status == ORK_OK)
        ork_causality_set_limit(a->causality, root->options.queue_limit);
    return status;
}

static void destroy(struct ork_root *root)
{
    struct root_alternatives *a = root->alternatives;

    if (a == NULL)
        return;
    ork_causality_destroy(a->causality);
    ork_where_release(&a->found);
    free(a);
}

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    return ork_causality_feed(root->alternatives->causality, rank, record, n);
}

static enum ork_status end(struct ork_root *root, uint32_t rank, enum ork_causal_end how)
{
    ork_causality_end(root->alternatives->causality, rank, how);
    return ORK_OK;
}

static enum ork_status find_place(void *context, uint32_t rank, uint32_t site,
                                  struct ork_call_place *place)
{
    struct ork_root *root = context;
    struct ork_where *found = &root->alternatives->found;

    ork_where_release(found);
    enum ork_status status = ork_call_sites_find(root->sites, rank, site, found);
    *place = (struct ork_call_place){.function = found->function,
                                     .file = found->file,
                                     .module = found->module,
                                     .line = found->line,
                                     .offset = found->offset};
    return status;
}

/* RATIONALE: a failure to write is no failure of the run: the exploration says what is missing. */
static enum ork_status finish(struct ork_root *root)
{
    struct root_alternatives *a = root->alternatives;
    struct ork_unordered_calls calls;
    enum ork_status status = ork_root_list_unordered(root, &calls);

    if (status != ORK_OK)
        return status;
    FILE *out = ork_output_stream(ork_output_new(AT_FDCWD, a->path));
    const struct ork_call_places places = {find_place, root};
    status =
        out == NULL ? ORK_IO : ork_alternatives_write(a->causality, a->nprocs, calls, places, out);
    if (status == ORK_IO)
        a->error = errno;
    if (out != NULL && fclose(out) != 0 && a->error == 0)
        a->error = errno;
    return status == ORK_NOMEM ? ORK_NOMEM : ORK_OK;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    const struct root_alternatives *a = root->alternatives;

    if (a->error == 0)
        return ORK_OK;
    return ork_report_take_note(
        report, ork_text("the alternatives of the run could not be written to %s: %s", a->path,
                         strerror(a->error)));
}

const struct ork_follower ork_follow_alternatives = {.is_of_first_job = true,
                                                     .create = create,
                                                     .destroy = destroy,
                                                     .feed = feed,
                                                     .end = end,
                                                     .need = ork_need_all,
                                                     .finish = finish,
                                                     .summary = summary};
