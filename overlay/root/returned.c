/* SPDX-License-Identifier: BSD-3-Clause */
/* Amounts of data that do not fit, whose error the MPI library returned to the application: these
 * are reported while the run goes on, as it may go on for long. What comes later at the same places
 * is added to the same finding at the end. */
#include "overlay/root/root_internal.h"

#include "common/assert.h"
#include "common/vec.h"
#include "overlay/findings/describe_internal.h"

#include <stdlib.h>
#include <string.h>

/* How long other ranks may take to get the same, before it is reported. */
#define TOGETHER_NS (200 * MS)

/* Issues that are one finding. RATIONALE: by number, as the detector moves them. */
struct group {
    uint32_t *issue;
    uint32_t count;
    uint64_t times; /* as reported last */
    char *message;  /* the same; NULL: not yet */
};

struct root_returned {
    struct group *group;
    uint32_t count;
    uint32_t seen;     /* issues of the detector that had returned at the last look */
    uint64_t first_ns; /* when the first one came that is not reported; 0: none */
};

void ork_root_returned_destroy(struct root_returned *t)
{
    for (uint32_t i = 0; t != NULL && i < t->count; i++) {
        free(t->group[i].issue);
        free(t->group[i].message);
    }
    if (t != NULL)
        free(t->group);
    free(t);
}

static const struct ork_issue *issue_of(const struct ork_root *root, uint32_t i)
{
    return ork_detector_issue(root->detector, i);
}

static enum ork_status add_to(struct group *g, uint32_t issue)
{
    if (!ork_vec_extend(&g->issue, g->count, g->count + 1, sizeof(*g->issue)))
        return ORK_NOMEM;
    g->issue[g->count++] = issue;
    return ORK_OK;
}

/* The group of the issue; a new one, if there is none. */
static enum ork_status group_of(struct ork_root *root, uint32_t issue, struct group **group)
{
    struct root_returned *t = root->reports.returned;

    for (uint32_t i = 0; i < t->count; i++) {
        bool yes = false;
        ORK_ASSERT(t->group[i].count > 0);
        enum ork_status status = ork_issue_is_alike(
            root->sites, issue_of(root, t->group[i].issue[0]), issue_of(root, issue), &yes);
        *group = &t->group[i];
        if (status != ORK_OK || yes)
            return status;
    }
    if (!ork_vec_extend(&t->group, t->count, t->count + 1, sizeof(*t->group)))
        return ORK_NOMEM;
    *group = &t->group[t->count++];
    **group = (struct group){0};
    return ORK_OK;
}

static enum ork_status collect(struct ork_root *root, uint64_t at)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < ork_detector_num_issues(root->detector) && status == ORK_OK; i++) {
        const struct ork_issue *issue = issue_of(root, i);
        struct group *group = NULL;
        if (!issue->returned || issue->withdrawn || issue->quiet || i < root->reports.issues ||
            ork_root_is_issue_reported(root, i))
            continue;
        status = group_of(root, i, &group);
        if (status == ORK_OK)
            status = add_to(group, i);
        if (status == ORK_OK)
            status = ork_root_mark_issue(root, i);
        if (root->reports.returned->first_ns == 0)
            root->reports.returned->first_ns = at;
    }
    return status;
}

static enum ork_status report_first(struct ork_root *root, const struct ork_issue *const *issue,
                                    uint32_t n, struct ork_finding *finding)
{
    struct shown_ranks shown = ork_root_shown_ranks(root, issue, n, finding);

    return ork_root_report_with_calls(root, finding, &(struct ork_u32s){shown.item, shown.count});
}

static enum ork_status report_group(struct ork_root *root, struct group *g,
                                    const struct ork_issue **issue)
{
    struct ork_finding finding;
    uint64_t times = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        issue[i] = issue_of(root, g->issue[i]);
        times += issue[i]->repeats + 1;
    }
    if (g->message != NULL && g->times == times)
        return ORK_OK;
    enum ork_status status =
        ork_describe_type_issues(root->detector, root->sites, issue, g->count, &finding);
    if (status != ORK_OK)
        return status;
    char *message = strdup(finding.message);
    if (message == NULL)
        status = ORK_NOMEM;
    else if (g->message == NULL)
        status = report_first(root, issue, g->count, &finding);
    else
        root->sink->changed(root->sink->context, &finding, g->message);
    free(g->message);
    g->message = message;
    g->times = times;
    ork_finding_release(&finding);
    return status;
}

/* `all`: also those that were reported, and have changed. */
static enum ork_status report_groups(struct ork_root *root, bool all)
{
    struct root_returned *t = root->reports.returned;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < t->count && status == ORK_OK; i++) {
        struct group *g = &t->group[i];
        if (g->message != NULL && !all)
            continue;
        const struct ork_issue **issue = calloc(g->count, sizeof(struct ork_issue *));
        status = issue == NULL ? ORK_NOMEM : report_group(root, g, issue);
        free(issue);
    }
    t->first_ns = 0;
    return status;
}

enum ork_status ork_root_report_returned(struct ork_root *root, uint64_t at, bool all)
{
    struct root_returned *t = root->reports.returned;
    uint32_t returned = ork_detector_num_returned(root->detector);
    enum ork_status status = ORK_OK;

    if (returned == 0)
        return ORK_OK;
    if (t == NULL && (t = root->reports.returned = calloc(1, sizeof(*t))) == NULL)
        return ORK_NOMEM;
    if (t->seen != returned) {
        t->seen = returned;
        status = collect(root, at);
    }
    if (status != ORK_OK || !(all || (t->first_ns != 0 && at >= t->first_ns + TOGETHER_NS)))
        return status;
    return report_groups(root, all);
}
