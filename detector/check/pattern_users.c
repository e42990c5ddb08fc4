/* SPDX-License-Identifier: BSD-3-Clause */
/* RATIONALE: a pattern is known by the process's own number of the communicator, because the record
 * that defines the number may still wait in a queue. A number that is reused at worst joins the
 * users of two communicators. */
#include "detector/check/pattern_users.h"

#include "record/ring.h"

#include <stdlib.h>

/* With more patterns, nothing is known of a process with several threads. */
enum { PATTERNS_MAX = 4096, SLOTS_MIN = 32 };
/* Users: the instance of a thread, or: */
enum { NOBODY = 0, SEVERAL = UINT32_MAX };

struct pattern {
    uint32_t comm;
    int32_t peer, tag; /* as in the record, with wildcards */
    bool is_send;
};

struct used {
    struct pattern pattern;
    uint32_t user;
};

/* Open hash, never more than half full. */
struct pattern_users {
    uint32_t slots, used;
    struct used slot[];
};

static uint32_t hash_of(const struct pattern *p)
{
    uint64_t h = ((uint64_t)p->comm << 1 | p->is_send) * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ h >> 31 ^ (uint32_t)p->peer) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 29 ^ (uint32_t)p->tag) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(h >> 32);
}

static bool is_same(const struct pattern *a, const struct pattern *b)
{
    return a->comm == b->comm && a->peer == b->peer && a->tag == b->tag && a->is_send == b->is_send;
}

/* Its slot, or the free one where it belongs. */
static struct used *slot_of(struct pattern_users *t, const struct pattern *p)
{
    uint32_t i = hash_of(p) & (t->slots - 1);

    while (t->slot[i].user != NOBODY && !is_same(&t->slot[i].pattern, p))
        i = (i + 1) & (t->slots - 1);
    return &t->slot[i];
}

/* Make room for one more. NULL: out of memory. */
static struct pattern_users *reserve(struct proc *p)
{
    struct pattern_users *t = p->pattern_users;

    if (t != NULL && (t->used + 1) * 2 <= t->slots)
        return t;
    uint32_t slots = t == NULL ? SLOTS_MIN : t->slots * 2;
    struct pattern_users *bigger = calloc(1, sizeof(*bigger) + slots * sizeof(*bigger->slot));
    if (bigger == NULL) {
        p->d->failed = true;
        return NULL;
    }
    bigger->slots = slots;
    for (uint32_t i = 0; t != NULL && i < t->slots; i++) {
        if (t->slot[i].user != NOBODY)
            *slot_of(bigger, &t->slot[i].pattern) = t->slot[i];
    }
    bigger->used = t == NULL ? 0 : t->used;
    free(t);
    p->pattern_users = bigger;
    return bigger;
}

/* ---- who uses a pattern ---- */

/* Is `pattern` used by *user only? NOBODY: the first one found becomes it. */
static bool is_user(struct pattern_users *t, const struct pattern *pattern, uint32_t *user)
{
    uint32_t found = slot_of(t, pattern)->user;

    if (found == NOBODY)
        return true;
    if (*user == NOBODY)
        *user = found;
    return found != SEVERAL && found == *user;
}

/* Do receives with or without wildcards that may take these messages come from one thread? */
static bool is_of_one_thread(struct pattern_users *t, const struct pattern *p)
{
    const struct pattern any_source = {p->comm, ORK_ANY_SOURCE, p->tag, false};
    const struct pattern any_tag = {p->comm, p->peer, ORK_ANY_TAG, false};
    const struct pattern any = {p->comm, ORK_ANY_SOURCE, ORK_ANY_TAG, false};
    uint32_t user = NOBODY;

    return is_user(t, p, &user) &&
           (p->is_send || (is_user(t, &any_source, &user) && is_user(t, &any_tag, &user) &&
                           is_user(t, &any, &user)));
}

static void doubt(struct proc *p, int32_t tag)
{
    p->doubted_tag = p->has_doubts && p->doubted_tag != tag ? ORK_ANY_TAG : tag;
    p->has_doubts = true;
}

/* RATIONALE: this thread may have called before those whose messages were compared already. */
static void look_again(struct proc *p, const struct pattern *pattern)
{
    bool is_wild = pattern->peer == ORK_ANY_SOURCE || pattern->tag == ORK_ANY_TAG;

    if (!p->is_of_several) /* its earlier messages were compared as those of one thread */
        doubt(p, ORK_ANY_TAG);
    else if (is_wild || !is_of_one_thread(p->pattern_users, pattern))
        doubt(p, pattern->tag);
    p->is_of_several = true;
}

static void use(struct mpi_thread *th, const struct pattern *pattern)
{
    struct proc *p = th->proc;
    struct pattern_users *t = reserve(p);
    /* the last number stands for all further threads */
    uint32_t user = th->thread == ORK_RING_THREADS - 1 ? SEVERAL : th->instance;

    if (t == NULL || pattern->peer == ORK_PROC_NULL)
        return;
    struct used *slot = slot_of(t, pattern);
    bool is_new = slot->user == NOBODY;
    bool is_changed = is_new || (slot->user != user && slot->user != SEVERAL);
    if (is_new && t->used == PATTERNS_MAX) {
        p->are_patterns_unknown = true;
    } else if (is_new) {
        *slot = (struct used){*pattern, user};
        t->used++;
    } else if (is_changed) {
        slot->user = SEVERAL;
    }
    if (p->several && (is_changed || !p->is_of_several))
        look_again(p, pattern);
}

static void use_message(struct mpi_thread *th, const struct ork_record *rec, bool is_send)
{
    bool both = rec->kind == ORK_KIND_SENDRECV && !is_send;

    use(th, &(struct pattern){.comm = rec->comm,
                              .peer = both ? rec->peer2 : rec->peer,
                              .tag = both ? rec->tag2 : rec->tag,
                              .is_send = is_send});
}

/* MPI_Start. The thread that made a request uses its pattern already. */
static void use_started(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    const struct request_names *names = &th->proc->request_names;

    for (uint32_t i = 0; th->proc->several && i < rec->count; i++) {
        if (list[i] < names->num_makers && names->maker[list[i]] == th->instance)
            continue;
        const struct request *r = ork_request_find(th->proc, list[i]);
        if (r == NULL || !r->persistent) /* the record that made it waits in a queue */
            th->proc->are_patterns_unknown = true;
        else if (r->call.kind == ORK_KIND_SEND || r->call.kind == ORK_KIND_RECV)
            use_message(th, &r->call, r->call.kind == ORK_KIND_SEND);
    }
}

void ork_pattern_users_note(struct mpi_thread *th, const struct ork_record *rec,
                            const uint32_t *list)
{
    if (rec->kind == ORK_KIND_INIT && rec->arg < ORK_THREAD_SERIALIZED)
        th->proc->several_may_call = false;
    if (rec->kind == ORK_KIND_SEND || rec->kind == ORK_KIND_SENDRECV)
        use_message(th, rec, true);
    if (rec->kind == ORK_KIND_RECV || rec->kind == ORK_KIND_SENDRECV ||
        ((rec->kind == ORK_KIND_PROBE || rec->kind == ORK_KIND_PROBED) &&
         (rec->flags & ORK_F_MATCHED) != 0))
        use_message(th, rec, false);
    if (rec->kind == ORK_KIND_START)
        use_started(th, rec, list);
}

/* The number by which `p` knows the communicator, and the rank of `process` there. */
static bool find_peer(struct proc *p, uint32_t comm, uint32_t process, uint32_t *local_id,
                      int32_t *peer)
{
    const struct comm_ref *ref;
    uint32_t found, slot = 0;

    while ((ref = ork_number_map_next(&p->comms, &slot, local_id, sizeof(*ref))) != NULL) {
        if (ref->comm->id != comm)
            continue;
        for (*peer = 0; ork_comm_peer(ref, *peer, &found); ++*peer) {
            if (found == process)
                return true;
        }
    }
    return false;
}

static bool has_one_user(struct proc *p, uint32_t comm, uint32_t process, int32_t tag, bool is_send)
{
    struct pattern pattern = {.tag = tag, .is_send = is_send};

    return !p->several || (p->pattern_users != NULL && !p->are_patterns_unknown &&
                           find_peer(p, comm, process, &pattern.comm, &pattern.peer) &&
                           is_of_one_thread(p->pattern_users, &pattern));
}

bool ork_pattern_has_one_user(struct ork_detector *d, uint32_t comm, uint32_t source, uint32_t dest,
                              int32_t tag)
{
    return has_one_user(d->proc[source], comm, dest, tag, true) &&
           has_one_user(d->proc[dest], comm, source, tag, false);
}
