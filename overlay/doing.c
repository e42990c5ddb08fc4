/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks do that wait for nobody, as far as it is seen from outside. */
#include "overlay/root_internal.h"

#include "overlay/words.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

/* The row of a rank that is in no call; *text is taken over. */
static bool set_outside(struct ork_wait *w, char *text)
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
    ork_wait_release(w);
    *w = (struct ork_wait){.rank = rank, .call = call, .state = state, .detail = text};
    return true;
}

/* Of one that is in this call and waits for nobody; `detail` may be NULL. */
static bool set_inside(struct ork_root *root, struct ork_wait *w, unsigned call, uint32_t site,
                       const char *state, const char *detail)
{
    uint32_t rank = w->rank;
    struct ork_wait in = {.rank = rank,
                          .call = strdup(ork_call_name(call)),
                          .state = strdup(state),
                          .detail = detail != NULL ? strdup(detail) : NULL};

    if (in.call == NULL || in.state == NULL || (detail != NULL && in.detail == NULL) ||
        ork_sites_find(root->sites, rank, site, &in.where) != ORK_OK) {
        ork_wait_release(&in);
        return false;
    }
    ork_wait_release(w);
    *w = in;
    return true;
}

static const char *doing_words(enum ork_doing doing)
{
    switch (doing) {
    case ORK_DOING_COMPUTES:
        return "outside MPI, computes";
    case ORK_DOING_SLEEPS:
        return "outside MPI, uses no processor time";
    case ORK_DOING_UNKNOWN:
    case ORK_DOING_INSIDE:
    case ORK_DOING_POLLS:
        break;
    }
    return "outside MPI";
}

/* RATIONALE: a library that waits polls, or is woken up; who uses nothing at all was stopped, or
 * its node is asleep. */
static const char *late_words(const struct ork_beat *b)
{
    return ork_beat_is_idle(b) ? "no call is missing for it to return; uses no processor time"
                               : "no call is missing for it to return";
}

/* "outside MPI, computes, last in MPI_Barrier at a.c:4" */
static char *outside_words(const struct ork_root *root, const struct ork_rank_view *v,
                           uint32_t rank, enum ork_doing doing)
{
    if (v->call.kind == ORK_KIND_CONT)
        return strdup(doing_words(doing));
    char *call = ork_words_call_at(root->sites, rank, v->call.call, v->call.site);
    char *text = call == NULL ? NULL : ork_words("%s, last in %s", doing_words(doing), call);
    free(call);
    return text;
}

static bool say_one(struct ork_root *root, struct ork_wait *w)
{
    const struct ork_beat *b = ork_pulse_beat(root->pulse, w->rank);
    struct ork_rank_view v = ork_detector_rank(root->detector, w->rank);
    bool runs = v.status == ORK_RANK_RUNNING;

    if (v.status == ORK_RANK_DONE || (b->is_in_call && !runs))
        return true; /* it is where the detector has it */
    if (b->doing == ORK_DOING_POLLS)
        return set_inside(root, w, b->poll_call, b->poll_site, "polling", NULL);
    if (b->is_in_call)
        return v.call.kind == ORK_KIND_CONT ||
               set_inside(root, w, v.call.call, v.call.site, "running", late_words(b));
    if (!runs && b->doing == ORK_DOING_UNKNOWN)
        return true;
    return set_outside(w, outside_words(root, &v, w->rank, b->doing));
}

enum ork_status root_say_doing(struct ork_root *root, struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (!say_one(root, &f->waits[i]))
            return ORK_NOMEM;
    }
    return ORK_OK;
}
