/* SPDX-License-Identifier: BSD-3-Clause */
/* What the order of the run does not contain, although outcomes depend on it: calls of which
 * nothing says which comes first, and which are no choice points (docs/explanation/order.md). */
#include "overlay/root/root_internal.h"

#include "common/text.h"
#include "common/vec.h"
#include "windows/onesided/onesided.h"
#include "overlay/findings/phrase.h"
#include "record/access.h"

#include <stdlib.h>
#include <string.h>

struct root_unordered {
    bool is_off;   /* accesses to windows have no records: --must:rma off */
    bool has_uses; /* there are epochs of windows, or calls with a shared file pointer */
    char **call;   /* "MPI_Fetch_and_op at a.c:31": each once */
    uint32_t calls, room;
    enum ork_status status;
    const struct ork_root *root; /* while they are listed */
};

enum ork_status ork_root_unordered_create(const struct ork_root_options *options,
                                          struct root_unordered **out)
{
    struct root_unordered *u = calloc(1, sizeof(*u));

    if (u == NULL)
        return ORK_NOMEM;
    u->is_off = options->rma == ORK_RMA_OFF;
    *out = u;
    return ORK_OK;
}

void ork_root_unordered_destroy(struct root_unordered *u)
{
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

void ork_root_unordered_feed(struct root_unordered *u, const struct ork_record *record, size_t n)
{
    for (size_t i = 0; u != NULL && i < n && !u->has_uses; i++)
        u->has_uses = is_use(&record[i]);
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

enum ork_status ork_root_unordered_finish(struct ork_root *root)
{
    struct root_unordered *u = root->unordered;

    if (u == NULL)
        return ORK_OK;
    if (!ork_root_conflicts_follow(root->conflicts)) {
        const char *why = u->is_off ? "--must:rma off" : "the first one came late: --must:rma on";
        return !u->has_uses || add_accesses(u, why) ? ORK_OK : ORK_NOMEM;
    }
    struct ork_onesided *o = ork_root_conflicts_onesided(root->conflicts);
    u->root = root;
    enum ork_status status = ork_onesided_racing(o, take, u);
    u->root = NULL;
    const char *lost = u->has_uses ? ork_onesided_lost(o) : NULL;
    if (lost != NULL && !add_accesses(u, lost))
        u->status = ORK_NOMEM;
    return status == ORK_OK ? u->status : status;
}

char *const *ork_root_unordered_calls(const struct root_unordered *u, uint32_t *count)
{
    *count = u == NULL ? 0 : u->calls;
    return u == NULL ? NULL : u->call;
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

enum ork_status ork_root_unordered_summary(const struct root_unordered *u,
                                           struct ork_report *report)
{
    if (u == NULL || u->calls == 0)
        return ORK_OK;
    report->statistics.unordered_calls = u->calls;
    char *calls = calls_words(u), *note = NULL;
    if (calls != NULL)
        note = ork_text("outcomes can depend on which of these calls comes first, and the order of "
                        "the run does not say it: %s. Another run with the same order can end "
                        "otherwise",
                        calls);
    enum ork_status status = note == NULL ? ORK_NOMEM : ork_report_add_note(report, note);
    free(calls);
    free(note);
    return status;
}
