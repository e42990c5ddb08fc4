/* SPDX-License-Identifier: BSD-3-Clause */
/* What the order of the run does not contain, although outcomes depend on it: calls of which
 * nothing says which comes first, and which are no choice points (docs/explanation/order.md). */
#include "overlay/root/root_internal.h"

#include "common/assert.h"
#include "common/text.h"
#include "common/vec.h"
#include "windows/onesided/onesided.h"
#include "overlay/findings/phrase.h"
#include "record/access.h"

#include <stdlib.h>
#include <string.h>

struct root_unordered {
    bool is_off; /* accesses to windows have no records: --must:rma off */
    bool is_listed;
    bool has_uses; /* there are epochs of windows, or calls with a shared file pointer */
    char **call;   /* "MPI_Fetch_and_op at a.c:31": each once */
    uint32_t calls, room;
    enum ork_status status;
    const struct ork_root *root; /* while they are listed */
};

static enum ork_status create(struct ork_root *root, uint32_t nprocs)
{
    struct root_unordered *u = calloc(1, sizeof(*u));

    (void)nprocs;
    if (u == NULL)
        return ORK_NOMEM;
    u->is_off = root->options.rma == ORK_RMA_OFF;
    root->unordered = u;
    return ORK_OK;
}

static void destroy(struct ork_root *root)
{
    struct root_unordered *u = root->unordered;

    if (u == NULL)
        return;
    for (uint32_t i = 0; i < u->calls; i++)
        free(u->call[i]);
    free(u->call);
    free(u);
}

static bool is_use(const struct ork_record *r)
{
    return r->kind == ORK_KIND_WIN_LOCK || r->kind == ORK_KIND_WIN_POST ||
           (r->kind == ORK_KIND_COLL && r->mode == ORK_COLL_WIN_FENCE) ||
           (r->kind == ORK_KIND_FILE_ACCESS && r->mode == ORK_FILE_POINTER_SHARED);
}

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct root_unordered *u = root->unordered;

    (void)rank;
    for (size_t i = 0; i < n && !u->has_uses; i++)
        u->has_uses = is_use(&record[i]);
    return ORK_OK;
}

/* ---- calls ---- */

/* Takes over `text`. False: out of memory. */
static bool add(struct root_unordered *u, char *text)
{
    if (text == NULL)
        return false;
    for (uint32_t i = 0; i < u->calls; i++) {
        if (strcmp(u->call[i], text) == 0) {
            free(text);
            return true;
        }
    }
    if (!ork_vec_reserve(&u->call, &u->room, u->calls + 1, sizeof(*u->call))) {
        free(text);
        return false;
    }
    u->call[u->calls++] = text;
    return true;
}

/* "a load at a.c:31" */
static char *touch_words(struct ork_call_sites *sites, const struct ork_racing_call *c)
{
    char *place = ork_phrase_place(sites, c->rank, c->site);
    const char *what = c->touch == ORK_TOUCH_LOAD ? "a load" : "a store";
    char *text = place == NULL ? NULL : ork_text("%s%s%s", what, *place ? " at " : "", place);

    free(place);
    return text;
}

static bool take(void *context, const struct ork_racing_call *c)
{
    struct root_unordered *u = context;

    ORK_ASSERT(u->root != NULL);
    struct ork_call_sites *sites = u->root->sites;

    if (!add(u, c->call != 0 ? ork_phrase_call_at(sites, c->rank, c->call, c->site)
                             : touch_words(sites, c)))
        u->status = ORK_NOMEM;
    return u->status == ORK_OK;
}

/* RATIONALE: nothing of them is known, so the order may decide their outcome. */
static bool add_accesses(struct root_unordered *u, const char *why)
{
    return add(u, ork_text("accesses to windows and uses of shared file pointers, which were not "
                           "compared (%s)",
                           why));
}

static enum ork_status finish(struct ork_root *root)
{
    struct root_unordered *u = root->unordered;
    struct ork_onesided *o = ork_root_onesided(root);

    if (u->is_listed)
        return ORK_OK;
    u->is_listed = true;
    if (o == NULL) {
        const char *why = u->is_off ? "--must:rma off" : "the first one came late: --must:rma on";
        return !u->has_uses || add_accesses(u, why) ? ORK_OK : ORK_NOMEM;
    }
    u->root = root;
    enum ork_status status = ork_onesided_racing(o, take, u);
    u->root = NULL;
    const char *lost = u->has_uses ? ork_onesided_lost(o) : NULL;
    if (lost != NULL && !add_accesses(u, lost))
        u->status = ORK_NOMEM;
    return status == ORK_OK ? u->status : status;
}

enum ork_status ork_root_list_unordered(struct ork_root *root, struct ork_unordered_calls *calls)
{
    enum ork_status status = finish(root);

    *calls = (struct ork_unordered_calls){root->unordered->call, root->unordered->calls};
    return status;
}

/* ---- the report ---- */

enum { CALLS_NAMED = 12 };

/* "MPI_Put at a.c:3, MPI_Get at b.c:7 and 3 more calls" */
static char *calls_words(const struct root_unordered *u)
{
    uint32_t named = u->calls <= CALLS_NAMED ? u->calls : CALLS_NAMED;
    char *text = strdup("");

    for (uint32_t i = 0; i < named && text != NULL; i++) {
        bool is_last = i > 0 && i + 1 == u->calls;
        char *longer = ork_text("%s%s%s", text, i == 0 ? "" : is_last ? " and " : ", ", u->call[i]);
        free(text);
        text = longer;
    }
    if (text == NULL || named == u->calls)
        return text;
    char *longer =
        ork_text("%s and %u more call%s", text, u->calls - named, u->calls - named == 1 ? "" : "s");
    free(text);
    return longer;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    const struct root_unordered *u = root->unordered;

    if (u->calls == 0)
        return ORK_OK;
    report->statistics.unordered_calls = u->calls;
    char *calls = calls_words(u), *note = NULL;
    if (calls != NULL)
        note = ork_text("outcomes can depend on which of these calls comes first, and the order of "
                        "the run does not say it: %s. Another run with the same order can end "
                        "otherwise",
                        calls);
    free(calls);
    return ork_report_take_note(report, note);
}

const struct ork_follower ork_follow_unordered = {
    .create = create, .destroy = destroy, .feed = feed, .finish = finish, .summary = summary};
