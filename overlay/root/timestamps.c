/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/timestamps.h"

#include "common/vec.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "windows/stamps/stamps.h"

#include <stdlib.h>

enum { SITES_MAX = 1 << 22 };

/* The latest event of a rank, and which of its call sites have events. */
struct rank_stamps {
    uint64_t number;
    bool *has_site;
    uint32_t sites;
};

struct ork_timestamps {
    struct ork_onesided_listener listener;
    struct ork_stamps_writer *writer; /* NULL: it is finished */
    struct rank_stamps *rank;
    uint32_t nprocs;
    bool failed; /* out of memory */
};

static void note_site(struct ork_timestamps *t, struct rank_stamps *r, uint32_t site)
{
    if (site >= SITES_MAX)
        return;
    if (site >= r->sites) {
        uint32_t sites = site * 2 + 16;
        if (!ork_vec_extend(&r->has_site, r->sites, sites, sizeof(*r->has_site))) {
            t->failed = true;
            return;
        }
        r->sites = sites;
    }
    r->has_site[site] = true;
}

static void event(void *context, const struct ork_stamped *e)
{
    struct ork_timestamps *t = context;
    struct rank_stamps *r = &t->rank[e->rank];

    r->number = e->number;
    note_site(t, r, e->site);
    ork_stamps_event(t->writer, e->rank, e->number, e->call == 0 ? "-" : ork_call_name(e->call),
                     e->site, e->clock);
}

static void access(void *context, uint32_t rank, uint32_t window, uint32_t target, bool reads)
{
    const struct ork_timestamps *t = context;

    ork_stamps_access(t->writer, rank, t->rank[rank].number, window, target,
                      reads ? "read" : "update");
}

static void touch(void *context, uint32_t rank, uint32_t window, bool reads)
{
    const struct ork_timestamps *t = context;

    ork_stamps_access(t->writer, rank, t->rank[rank].number, window, rank,
                      reads ? "load" : "store");
}

static void private_copy(void *context, uint32_t rank, uint64_t seen)
{
    const struct ork_timestamps *t = context;

    ork_stamps_private(t->writer, rank, t->rank[rank].number, seen);
}

static void complete(void *context, uint32_t rank, uint64_t number, bool at_target, uint32_t value)
{
    const struct ork_timestamps *t = context;

    ork_stamps_complete(t->writer, rank, number, at_target, value);
}

static void learn(void *context, uint32_t rank, uint64_t number, uint32_t from, uint64_t mark,
                  bool at_start)
{
    const struct ork_timestamps *t = context;

    ork_stamps_learn(t->writer, rank, number, from, mark, at_start);
}

static void arrive(void *context, uint32_t rank, uint64_t wave)
{
    const struct ork_timestamps *t = context;

    ork_stamps_part(t->writer, rank, t->rank[rank].number, wave);
}

static void learn_all(void *context, uint32_t rank, uint64_t wave)
{
    const struct ork_timestamps *t = context;

    ork_stamps_learn_all(t->writer, rank, t->rank[rank].number, wave);
}

enum ork_status ork_timestamps_create(const char *path, uint32_t nprocs,
                                      struct ork_timestamps **out)
{
    struct ork_timestamps *t = calloc(1, sizeof(*t));

    if (t == NULL)
        return ORK_NOMEM;
    t->nprocs = nprocs;
    t->listener = (struct ork_onesided_listener){.context = t,
                                                 .event = event,
                                                 .access = access,
                                                 .touch = touch,
                                                 .private_copy = private_copy,
                                                 .complete = complete,
                                                 .learn = learn,
                                                 .arrive = arrive,
                                                 .learn_all = learn_all};
    t->rank = calloc(nprocs, sizeof(*t->rank));
    enum ork_status status =
        t->rank == NULL ? ORK_NOMEM : ork_stamps_create(path, nprocs, &t->writer);
    if (status == ORK_OK) {
        *out = t;
        return ORK_OK;
    }
    free(t->rank);
    free(t);
    return status;
}

const struct ork_onesided_listener *ork_timestamps_listener(struct ork_timestamps *t)
{
    return &t->listener;
}

static enum ork_status put_places(const struct ork_timestamps *t, uint32_t rank,
                                  struct ork_call_sites *sites)
{
    const struct rank_stamps *r = &t->rank[rank];

    for (uint32_t i = 0; i < r->sites; i++) {
        char *place = r->has_site[i] ? ork_phrase_place(sites, rank, i) : NULL;
        if (r->has_site[i] && place == NULL)
            return ORK_NOMEM;
        if (place != NULL && place[0] != '\0')
            ork_stamps_place(t->writer, rank, i, place);
        free(place);
    }
    return ORK_OK;
}

enum ork_status ork_timestamps_finish(struct ork_timestamps *t, struct ork_call_sites *sites,
                                      const char *lost)
{
    enum ork_status status = t->failed ? ORK_NOMEM : ORK_OK;

    if (lost != NULL)
        ork_stamps_lost(t->writer, lost);
    for (uint32_t r = 0; sites != NULL && r < t->nprocs && status == ORK_OK; r++)
        status = put_places(t, r, sites);
    enum ork_status closed = ork_stamps_close(t->writer, status == ORK_OK);
    t->writer = NULL;
    return status == ORK_OK ? closed : status;
}

void ork_timestamps_destroy(struct ork_timestamps *t)
{
    if (t == NULL)
        return;
    ork_stamps_close(t->writer, false);
    for (uint32_t r = 0; r < t->nprocs; r++)
        free(t->rank[r].has_site);
    free(t->rank);
    free(t);
}
