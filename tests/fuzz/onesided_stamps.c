/* SPDX-License-Identifier: BSD-3-Clause */
/* Random one-sided programs, and their file of timestamps: whether one event is complete before
 * another one is exactly reachability in the graph of events, and each path is one of the graph. A
 * damaged file is read, or refused with a sentence. fuzz_onesided_stamps [SEED [PROGRAMS]] */
#include "overlay/root/timestamps.h"
#include "windows/stamps/stamps.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/onesided/damage.h"
#include "tests/fuzz/onesided/feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST = WINDOWS + 1 }; /* number of the first event: the windows were made before it */

struct comparison {
    const struct program *p;
    uint64_t number[RANKS_MAX][EVENTS_MAX];   /* of the event in the file; 0: it has none */
    int index[RANKS_MAX][FIRST + EVENTS_MAX]; /* and back */
    const struct program_order *o;
    const struct ork_stamps *s;
    uint64_t pairs, ordered, steps, wrong;
};

static void check(enum ork_status status)
{
    if (status != ORK_OK)
        abort();
}

static void complain(struct comparison *c, const char *what, const struct ork_stamps_event *a,
                     const struct ork_stamps_event *b)
{
    if (c->wrong++ < 3)
        printf("%s: event %" PRIu64 " of rank %" PRIu32 " (%d), event %" PRIu64 " of rank %" PRIu32
               " (%d)\n",
               what, a->number, a->rank, (int)a->number - FIRST, b->number, b->rank,
               (int)b->number - FIRST);
}

/* Does a rank tell or learn something in this event? Not when it waits for a send that need not be
 * received. */
static bool is_stamped(const struct program *p, int rank, int index)
{
    const struct event *e = &p->event[rank][index];

    for (int i = 0; i < index && e->type == EVENT_WAIT_REQUEST; i++) {
        const struct event *other = &p->event[rank][i];
        if (other->type == EVENT_SEND && other->request == e->request)
            return false;
    }
    return true;
}

static void number_events(struct comparison *c)
{
    for (int r = 0; r < c->p->ranks; r++) {
        uint64_t next = FIRST;
        for (int i = 0; i < c->p->events[r]; i++) {
            bool is = is_stamped(c->p, r, i);
            c->number[r][i] = is ? next : 0;
            c->index[r][next] = i;
            next += is;
        }
    }
}

static int index_of(const struct comparison *c, const struct ork_stamps_event *e)
{
    return program_event((int)e->rank, c->index[e->rank][e->number]);
}

/* Of the events that make the windows, nothing is expected. */
static bool is_expected(const struct comparison *c, const struct ork_stamps_step *x,
                        const struct ork_stamps_step *y)
{
    if (x->event.number < FIRST || y->event.number < FIRST)
        return false;
    if (x->why == ORK_STAMPS_SAME_RANK)
        return x->event.rank == y->event.rank && x->event.number < y->event.number;
    return x->event.rank != y->event.rank &&
           c->o->tells[index_of(c, &x->event)][index_of(c, &y->event)];
}

static void compare_path(struct comparison *c, const struct ork_stamps_event *a,
                         const struct ork_stamps_event *b, bool at_origin)
{
    struct ork_stamps_step *step;
    uint32_t count;

    c->ordered++;
    if (!ork_stamps_path(c->s, a, b, at_origin, &step, &count)) {
        complain(c, "no path", a, b);
        return;
    }
    bool is_good = step[0].event.rank == a->rank && step[0].event.number == a->number &&
                   step[count - 1].event.rank == b->rank &&
                   step[count - 1].event.number == b->number;
    for (uint32_t i = 0; i + 1 < count; i++)
        is_good &= is_expected(c, &step[i], &step[i + 1]);
    if (a->access == ORK_STAMPS_BY_CALL) /* the second event is one that completes it */
        is_good &= step[1].event.rank == a->rank && step[1].event.own >= a->origin;
    if (!is_good)
        complain(c, "wrong path", a, b);
    c->steps += count;
    free(step);
}

static void compare_pair(struct comparison *c, int r, int i, int q, int k)
{
    if (c->number[r][i] == 0 || c->number[q][k] == 0)
        return;
    struct ork_stamps_event a = ork_stamps_get(c->s, (uint32_t)r, c->number[r][i]);
    struct ork_stamps_event b = ork_stamps_get(c->s, (uint32_t)q, c->number[q][k]);
    int x = program_event(r, i), y = program_event(q, k);
    bool is = ork_stamps_is_before(c->s, &a, &b, false);
    bool is_at_origin = ork_stamps_is_before(c->s, &a, &b, true);

    c->pairs++;
    if (is != c->o->before[x][y])
        complain(c, is ? "not ordered" : "ordered", &a, &b);
    else if (is)
        compare_path(c, &a, &b, false);
    if (is_at_origin != c->o->before_at_origin[x][y])
        complain(c, is_at_origin ? "not ordered at the origin" : "ordered at the origin", &a, &b);
    else if (is_at_origin && !is)
        compare_path(c, &a, &b, true);
}

static void compare(struct comparison *c)
{
    number_events(c);
    for (int r = 0; r < c->p->ranks; r++) {
        uint64_t last = 0;
        for (int i = 0; i < c->p->events[r]; i++)
            last = c->number[r][i] > last ? c->number[r][i] : last;
        if (ork_stamps_count(c->s, (uint32_t)r) < last) {
            printf("rank %d: %" PRIu64 " events for %" PRIu64 "\n", r,
                   ork_stamps_count(c->s, (uint32_t)r), last);
            c->wrong++;
            return;
        }
    }
    for (int r = 0; r < c->p->ranks; r++) {
        for (int i = 0; i < c->p->events[r]; i++) {
            for (int q = 0; q < c->p->ranks; q++) {
                for (int k = 0; k < c->p->events[q]; k++)
                    compare_pair(c, r, i, q, k);
            }
        }
    }
}

static struct ork_stamps *write_and_read(const struct program *p, const char *path,
                                         uint64_t *random)
{
    char error[ORK_STAMPS_ERROR];
    struct ork_timestamps *t;
    struct ork_onesided *o;
    struct ork_stamps *s;

    check(ork_timestamps_create(path, (uint32_t)p->ranks, &t));
    check(ork_onesided_create((uint32_t)p->ranks, &o));
    check(ork_onesided_listen(o, ork_timestamps_listener(t)));
    program_feed(o, p, random);
    check(ork_timestamps_finish(t, NULL, ork_onesided_unfollowed(o)));
    ork_timestamps_destroy(t);
    ork_onesided_destroy(o);
    enum ork_status status = ork_stamps_read(path, &s, error);
    if (status != ORK_OK) {
        printf("%s: %s\n", path, status == ORK_INVALID ? error : ork_status_text(status));
        abort();
    }
    if (ork_stamps_why_lost(s) != NULL) {
        printf("lost: %s\n", ork_stamps_why_lost(s));
        abort();
    }
    return s;
}

int main(int argc, char **argv)
{
    uint64_t random = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t programs = argc > 2 ? strtoull(argv[2], NULL, 10) : 400;
    char path[64];
    static struct comparison c;

    snprintf(path, sizeof(path), "onesided_stamps_%ld.tmp", (long)getpid());
    for (uint64_t i = 0; i < (programs = within_budget(i, programs)) && c.wrong == 0; i++) {
        static struct program p;
        static struct program_order o;
        uint64_t before = random;
        program_generate(&p, &random, i % 4 == 3);
        program_order(&p, &o);
        struct ork_stamps *s = write_and_read(&p, path, &random);
        c.p = &p;
        c.o = &o;
        c.s = s;
        compare(&c);
        if (c.wrong == 0 && !stamps_survive_damage(path, &random)) {
            printf("a damaged file is not handled: %s\n", path);
            c.wrong++;
        }
        if (c.wrong > 0) {
            printf("program %" PRIu64 " (seed %" PRIu64 ")\n", i, before);
            program_print(&p);
        }
        ork_stamps_destroy(s);
        unlink(path);
    }
    printf("%" PRIu64 " programs, %" PRIu64 " pairs of events, %" PRIu64 " ordered, %" PRIu64
           " steps, %" PRIu64 " wrong\n",
           programs, c.pairs, c.ordered, c.steps, c.wrong);
    return c.wrong > 0;
}
