/* SPDX-License-Identifier: BSD-3-Clause */
/* Where each rank is, and what the ranks that do not wait are doing, as seen from outside. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

#define RETURNS "all calls that it waits for were made"

/* The row of a rank that is in no call. Takes ownership of *text. */
static bool set_outside(struct ork_rank_row *w, char *text)
{
    char *call = strdup("");
    char *state = strdup("running");

    if (text == NULL || call == NULL || state == NULL) {
        free(text);
        free(call);
        free(state);
        return false;
    }
    uint32_t rank = w->rank;
    ork_rank_row_release(w);
    *w = (struct ork_rank_row){.rank = rank, .call = call, .state = state, .detail = text};
    return true;
}

/* The row of a rank that is in this call and does not wait; `detail` may be NULL. */
static bool set_inside(struct ork_root *root, struct ork_rank_row *w, unsigned call, uint32_t site,
                       const char *state, const char *detail)
{
    uint32_t rank = w->rank;
    struct ork_rank_row in = {.rank = rank,
                              .call = strdup(ork_call_name(call)),
                              .state = strdup(state),
                              .detail = detail != NULL ? strdup(detail) : NULL};

    if (in.call == NULL || in.state == NULL || (detail != NULL && in.detail == NULL) ||
        ork_call_sites_find(root->sites, rank, site, &in.where) != ORK_OK) {
        ork_rank_row_release(&in);
        return false;
    }
    ork_rank_row_release(w);
    *w = in;
    return true;
}

/* What it probes for. RATIONALE: with several threads, or records that the strict analysis has not
 * reached, the communicator's number may mean another one here. */
static bool set_probed(const struct ork_root *root, struct ork_rank_row *w,
                       const struct ork_record *r)
{
    const struct ork_detector *d = root->detector;
    bool is_known = r->comm <= ORK_COMM_SELF || ork_detector_queued(d, w->rank) == 0;
    uint32_t comm = is_known ? ork_detector_comm_of(d, w->rank, r->comm) : UINT32_MAX;

    w->peer = ork_phrase_peer(r->peer);
    w->tag = ork_phrase_tag(r->tag);
    w->remote = r->peer >= 0 && comm != UINT32_MAX && ork_detector_comm(d, comm).inter;
    if (comm != UINT32_MAX && (w->comm = ork_phrase_comm(d, root->sites, comm)) == NULL)
        return false;
    return w->peer != NULL && w->tag != NULL;
}

/* The row of a rank that polls. */
static bool set_polling(struct ork_root *root, struct ork_rank_row *w,
                        const struct ork_polled *polled)
{
    const struct ork_record poll = ork_polled_record(polled);

    return set_inside(root, w, poll.call, poll.site, "polling", NULL) &&
           (poll.kind != ORK_KIND_PROBED || set_probed(root, w, &poll));
}

static const char *doing_words(enum ork_doing doing)
{
    switch (doing) {
    case ORK_DOING_COMPUTES:
        return "outside MPI, computes";
    case ORK_DOING_STARVES:
        return "outside MPI, waits for a processor";
    case ORK_DOING_SLEEPS:
        return "outside MPI, uses no CPU time";
    case ORK_DOING_UNKNOWN:
    case ORK_DOING_INSIDE:
    case ORK_DOING_POLLS:
        break;
    }
    return "outside MPI";
}

/* RATIONALE: a waiting library polls or is woken up. A rank that uses no processor at all was
 * stopped, or its node is suspended. */
static const char *late_words(const struct ork_rank_activity *b)
{
    if (!ork_rank_activity_is_idle(b))
        return RETURNS;
    return b->is_runnable ? RETURNS "; waits for a processor" : RETURNS "; uses no CPU time";
}

/* "outside MPI, computes, last in MPI_Barrier at a.c:4" */
static char *outside_words(const struct ork_root *root, const struct ork_run_view *run,
                           uint32_t rank, enum ork_doing doing)
{
    if (run->newest.kind == ORK_KIND_CONT)
        return strdup(doing_words(doing));
    char *call = ork_phrase_call_at(root->sites, rank, run->newest.call, run->newest.site);
    char *text = call == NULL ? NULL : ork_text("%s, last in %s", doing_words(doing), call);
    free(call);
    return text;
}

/* ---- where the run is ---- */

/* Is the thread inside its latest call? */
static enum ork_ahead place_in(const struct ork_root *root, uint32_t rank,
                               const struct ork_run_view *run)
{
    const struct ork_snapshot *s = ork_snapshots_last(root->snapshots, rank);

    if (run->ended)
        return ORK_AHEAD_AFTER;
    if (s == NULL || run->newest.thread >= s->threads ||
        !ork_snapshots_is_current(root->snapshots, s, rank))
        return ORK_AHEAD_GOES;
    bool is_inside = (s->word[run->newest.thread] & 0xff) == ORK_STATE_BLOCKED ||
                     ((s->wrong >> run->newest.thread & 1) != 0 &&
                      ork_usages_keep(root->usages, rank, &run->newest));
    return is_inside ? ORK_AHEAD_INSIDE : ORK_AHEAD_AFTER;
}

/* The row of a rank that the strict analysis holds in a call. */
static enum ork_status add_now(struct ork_root *root, struct ork_rank_row *w,
                               const struct ork_run_view *run)
{
    if (!run->is_ahead)
        return ORK_OK;
    w->now.ahead = place_in(root, w->rank, run);
    if (w->now.ahead == ORK_AHEAD_GOES)
        return ORK_OK;
    w->now.call = strdup(ork_call_name(run->newest.call));
    return w->now.call == NULL
               ? ORK_NOMEM
               : ork_call_sites_find(root->sites, w->rank, run->newest.site, &w->now.where);
}

enum ork_status ork_root_describe_now(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->num_waits && status == ORK_OK; i++) {
        struct ork_run_view run = ork_detector_run(root->detector, f->waits[i].rank);
        if (f->waits[i].call[0] != '\0')
            status = add_now(root, &f->waits[i], &run);
    }
    return status;
}

/* The row of a rank that runs in the strict analysis. */
static bool set_place(struct ork_root *root, struct ork_rank_row *w, const struct ork_run_view *run)
{
    enum ork_ahead place = place_in(root, w->rank, run);
    const struct ork_ended *died = ork_root_died(root, w->rank);

    if (died != NULL && died->ending.polls > 0)
        return set_polling(root, w, &died->ending.polled);
    if (died != NULL && died->ending.how == ORK_DEATH_INSIDE)
        place = ORK_AHEAD_INSIDE;
    if (place == ORK_AHEAD_GOES || run->newest.kind == ORK_KIND_CONT)
        return true;
    return place == ORK_AHEAD_INSIDE
               ? set_inside(root, w, run->newest.call, run->newest.site, "stalled", RETURNS)
               : set_outside(w, outside_words(root, run, w->rank, ORK_DOING_UNKNOWN));
}

static enum ork_status place_row(struct ork_root *root, struct ork_rank_row *w)
{
    struct ork_run_view run = ork_detector_run(root->detector, w->rank);
    enum ork_rank_status now = ork_detector_rank(root->detector, w->rank).status;

    if (now == ORK_RANK_RUNNING)
        return set_place(root, w, &run) ? ORK_OK : ORK_NOMEM;
    return now != ORK_RANK_DONE ? add_now(root, w, &run) : ORK_OK;
}

enum ork_status ork_root_describe_places(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->num_waits && status == ORK_OK; i++)
        status = place_row(root, &f->waits[i]);
    return status;
}

enum ork_status ork_root_describe_died(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->num_waits && status == ORK_OK; i++) {
        struct ork_rank_row *w = &f->waits[i];
        struct ork_run_view run = ork_detector_run(root->detector, w->rank);
        if (ork_root_died(root, w->rank) != NULL &&
            ork_detector_rank(root->detector, w->rank).status == ORK_RANK_RUNNING &&
            !set_place(root, w, &run))
            status = ORK_NOMEM;
    }
    return status;
}

/* ---- observed activity ---- */

static enum ork_status set_row(struct ork_root *root, struct ork_rank_row *w)
{
    const struct ork_rank_activity *b = ork_activity_of(root->activity, w->rank);
    struct ork_run_view run = ork_detector_run(root->detector, w->rank);
    enum ork_rank_status now = ork_detector_rank(root->detector, w->rank).status;
    bool runs = now == ORK_RANK_RUNNING, ok = true;

    if (now == ORK_RANK_DONE)
        return ORK_OK;
    if (ork_root_died(root, w->rank) != NULL)
        return place_row(root, w);
    if (!runs && (b->is_in_call || b->doing == ORK_DOING_UNKNOWN))
        return add_now(root, w, &run);
    if (b->doing == ORK_DOING_POLLS || b->polls_mostly)
        ok = set_polling(root, w, &b->polled);
    else if (!b->is_in_call)
        ok = set_outside(w, outside_words(root, &run, w->rank, b->doing));
    else if (run.newest.kind != ORK_KIND_CONT)
        ok = set_inside(root, w, run.newest.call, run.newest.site, "stalled", late_words(b));
    return ok ? ORK_OK : ORK_NOMEM;
}

enum ork_status ork_root_describe_activity(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < f->num_waits && status == ORK_OK; i++)
        status = set_row(root, &f->waits[i]);
    return status;
}
