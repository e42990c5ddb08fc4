/* SPDX-License-Identifier: BSD-3-Clause */
/* Random small MPI programs: probing from their start against an exhaustive simulation, with and
 * without each of its short cuts. The same in every run. interleave_programs [first seed
 * [programs]]; the environment variable ORK_FUZZ_PROBES is another number of programs. */
#include "detector/interleave/interleave.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/detector/explore.h"
#include "tests/fuzz/wfg_random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 20000, VARIANTS = 6 };

struct build {
    const struct program *p;
    struct ork_interleave *probe;
    uint32_t group[MAX_COMMS + 1];
    uint32_t wave[MAX_COMMS + 1][MAX_STEPS]; /* the last row: MPI_Finalize */
    uint32_t waves[MAX_RANKS][MAX_COMMS];
    struct ork_interleave_part part[MAX_RANKS][MAX_STEPS];
    bool has_part[MAX_RANKS][MAX_STEPS];
    uint32_t taken[MAX_RANKS][MAX_STEPS]; /* of matched probes */
};

/* Outcomes of these are choices of the library, which a straight line cannot follow. */
static bool is_straight(const struct program *p)
{
    for (unsigned r = 0; r < p->ranks; r++) {
        for (unsigned i = 0; i < p->steps[r]; i++) {
            switch ((int)p->step[r][i].verb) {
            case VERB_IPROBE:
            case VERB_WAITANY:
            case VERB_WAITSOME:
            case VERB_TEST:
            case VERB_CANCEL:
                return false;
            default:
                break;
            }
        }
    }
    return true;
}

static bool is_member(const struct program *p, unsigned comm, unsigned rank)
{
    return p->members[comm] == 0 || (p->members[comm] >> rank & 1) != 0;
}

static void make_groups(struct build *b)
{
    for (unsigned c = 0; c <= MAX_COMMS; c++) {
        uint32_t member[MAX_RANKS], n = 0;
        for (unsigned r = 0; r < b->p->ranks; r++) {
            if (c == MAX_COMMS || is_member(b->p, c, r))
                member[n++] = r;
        }
        b->group[c] = ork_interleave_group(b->probe, member, n);
    }
    memset(b->wave, 0xff, sizeof(b->wave));
}

static uint32_t wave_of(struct build *b, unsigned comm, unsigned index)
{
    if (b->wave[comm][index] == ORK_INTERLEAVE_NONE)
        b->wave[comm][index] =
            ork_interleave_wave(b->probe, b->group[comm], comm == MAX_COMMS, ORK_INTERLEAVE_NONE);
    return b->wave[comm][index];
}

static void await(struct build *b, unsigned rank, unsigned step,
                  const struct ork_interleave_part *part, unsigned parts)
{
    ork_interleave_await(b->probe, rank, ORK_INTERLEAVE_ALL, part, parts, 0, step);
}

/* False: nothing is posted (MPI_PROC_NULL). */
static bool make_op(const struct build *b, unsigned rank, const struct step *s, bool is_send,
                    int peer, int tag, struct ork_interleave_op *op)
{
    *op = (struct ork_interleave_op){.rank = rank,
                                     .comm = s->comm,
                                     .is_send = is_send,
                                     .buffered = is_send && s->mode == ORK_SEND_BUFFERED,
                                     .extract = s->verb == VERB_MPROBE,
                                     .peer = peer == ORK_ANY_SOURCE ? ORK_INTERLEAVE_ANY
                                                                    : (uint32_t)peer,
                                     .tag = tag,
                                     .group = b->group[s->comm],
                                     .took = ORK_INTERLEAVE_ANY,
                                     .took_tag = ORK_ANY_TAG};
    return peer != ORK_PROC_NULL;
}

/* Post what the step posts; the parts it is to wait for. */
static unsigned post(struct build *b, unsigned rank, unsigned of,
                     struct ork_interleave_part part[2])
{
    const struct step *s = &b->p->step[rank][of];
    struct ork_interleave_op op;
    unsigned n = 0;

    bool sends = s->verb == VERB_SEND || s->verb == VERB_ISEND || s->verb == VERB_SEND_INIT ||
                 s->verb == VERB_SENDRECV;
    bool receives = !sends || s->verb == VERB_SENDRECV;
    if (sends && make_op(b, rank, s, true, s->peer, s->tag, &op))
        part[n++] = (struct ork_interleave_part){.number = ork_interleave_post(b->probe, &op)};
    int peer = s->verb == VERB_SENDRECV ? s->peer2 : s->peer;
    int tag = s->verb == VERB_SENDRECV ? s->tag2 : s->tag;
    if (receives && make_op(b, rank, s, false, peer, tag, &op))
        part[n++] = (struct ork_interleave_part){.number = ork_interleave_post(b->probe, &op)};
    return n;
}

static void post_request(struct build *b, unsigned rank, unsigned of)
{
    b->has_part[rank][of] = post(b, rank, of, &b->part[rank][of]) > 0;
}

static void wait_for(struct build *b, unsigned rank, unsigned step)
{
    struct ork_interleave_part part[MAX_STEPS];
    unsigned n = 0;

    for (unsigned q = 0; q < step; q++) {
        if ((b->p->step[rank][step].set >> q & 1) == 0 || !b->has_part[rank][q])
            continue;
        part[n++] = b->part[rank][q];
        b->has_part[rank][q] = false;
    }
    await(b, rank, step, part, n);
}

static void build_step(struct build *b, unsigned rank, unsigned i)
{
    const struct step *s = &b->p->step[rank][i];
    struct ork_interleave_part part[2];
    struct ork_interleave_op op;

    switch ((int)s->verb) {
    case VERB_SEND:
    case VERB_RECV:
    case VERB_SENDRECV:
        await(b, rank, i, part, post(b, rank, i, part));
        break;
    case VERB_MPROBE:
        b->taken[rank][i] = ORK_INTERLEAVE_NONE;
        if (post(b, rank, i, part) > 0) {
            b->taken[rank][i] = part[0].number;
            await(b, rank, i, part, 1);
        }
        break;
    case VERB_MRECV:
    case VERB_IMRECV:
        if (b->taken[rank][s->of] != ORK_INTERLEAVE_NONE)
            ork_interleave_release(b->probe, b->taken[rank][s->of]);
        break;
    case VERB_PROBE:
        if (make_op(b, rank, s, false, s->peer, s->tag, &op))
            ork_interleave_peek(b->probe, &op, i);
        break;
    case VERB_ISEND:
    case VERB_IRECV:
        post_request(b, rank, i);
        break;
    case VERB_START:
        for (unsigned q = 0; q < i; q++) {
            if (s->set >> q & 1)
                post_request(b, rank, q);
        }
        break;
    case VERB_WAIT:
        wait_for(b, rank, i);
        break;
    case VERB_FREE:
        for (unsigned q = 0; q < i; q++)
            b->has_part[rank][q] &= (s->set >> q & 1) == 0;
        break;
    case VERB_COLL:
    case VERB_ICOLL:
    case VERB_CONSTRUCT:
    case VERB_FINALIZE:
        if (s->verb != VERB_FINALIZE && !is_member(b->p, s->comm, rank))
            break;
        part[0] = (struct ork_interleave_part){
            .is_wave = true,
            .number = s->verb == VERB_FINALIZE ? wave_of(b, MAX_COMMS, 0)
                                               : wave_of(b, s->comm, b->waves[rank][s->comm]++)};
        ork_interleave_arrive(b->probe, rank, part[0].number);
        b->part[rank][i] = part[0];
        b->has_part[rank][i] = s->verb == VERB_ICOLL;
        if (s->verb != VERB_ICOLL)
            await(b, rank, i, part, 1);
        break;
    default:
        break;
    }
}

static struct ork_interleave *build(const struct program *p)
{
    struct build b = {.p = p};

    if (ork_interleave_create(p->ranks, &b.probe) != ORK_OK)
        abort();
    make_groups(&b);
    for (unsigned r = 0; r < p->ranks; r++) {
        for (unsigned i = 0; i < p->steps[r]; i++)
            build_step(&b, r, i);
        ork_interleave_set_end(b.probe, r,
                               p->ending[r] == ENDING_EXIT ? ORK_INTERLEAVE_ENDED
                                                           : ORK_INTERLEAVE_UNKNOWN);
    }
    return b.probe;
}

static bool is_outcome(const struct outcomes *all, const struct program *p,
                       struct ork_interleave *probe)
{
    struct outcome here = {0};

    for (unsigned r = 0; r < p->ranks; r++) {
        struct ork_interleave_position place = ork_interleave_position(probe, r);
        if (place.deadlocked && place.inside)
            here.deadlocked |= (uint8_t)(1u << r);
        here.pc[r] = (uint8_t)place.info;
    }
    for (unsigned i = 0; i < all->count; i++) {
        const struct outcome *o = &all->item[i];
        bool same = (o->deadlocked & here.deadlocked) == here.deadlocked;
        for (unsigned r = 0; r < p->ranks; r++)
            same &= !(here.deadlocked >> r & 1) || o->pc[r] == here.pc[r];
        if (same)
            return true;
    }
    return false;
}

struct tally {
    uint64_t programs, deadlocks, states[VARIANTS];
};

static const char *check(const struct program *p, struct tally *tally)
{
    struct model m;
    struct outcomes all = {0};
    const char *problem = NULL;
    bool deadlocks = false;

    if (!is_straight(p) || !model_init(&m, p, false, false) || !explore(&m, NULL, &all)) {
        free(all.item);
        return NULL;
    }
    for (unsigned i = 0; i < all.count; i++)
        deadlocks |= all.item[i].deadlocked != 0;
    tally->programs++;
    tally->deadlocks += deadlocks;
    for (unsigned v = 0; v < VARIANTS && problem == NULL; v++) {
        struct ork_interleave_options options = {.no_filter = v == 1,
                                                 .no_components = v == 2,
                                                 .no_persistent = v == 3,
                                                 .no_memo = v == 4,
                                                 .no_symmetry = v == 5};
        struct ork_interleave *probe = build(p);
        enum ork_interleave_result result;
        if (ork_interleave_search(probe, &options, &result) != ORK_OK)
            problem = "the search failed";
        else if (deadlocks && result != ORK_INTERLEAVE_DEADLOCK)
            problem = "a deadlock is missed";
        else if (!deadlocks && result != ORK_INTERLEAVE_SAFE)
            problem = "a deadlock that is none";
        else if (deadlocks && !is_outcome(&all, p, probe))
            problem = "not a deadlock of the program";
        tally->states[v] += ork_interleave_statistics(probe).states;
        ork_interleave_destroy(probe);
        if (problem != NULL)
            printf("variant %u: %s\n", v, problem);
    }
    free(all.item);
    return problem;
}

static void report(struct program *p)
{
    struct tally ignored = {0};

    printf("seed %" PRIu64 " fails; what is left when steps are dropped:\n", p->seed);
    for (unsigned r = 0; r < p->ranks; r++) {
        for (unsigned i = 0; i < p->steps[r]; i++) {
            struct program less = *p;
            if (!program_drop(&less, r, i) || check(&less, &ignored) == NULL)
                continue;
            *p = less;
            r = 0;
            i = UINT32_MAX; /* from the beginning */
        }
    }
    program_print(p, stdout);
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("ORK_FUZZ_PROBES");
    uint64_t seed = wfg_random_argument(argc, argv, 1, 1);
    uint64_t programs =
        wfg_random_argument(argc, argv, 2, wanted != NULL ? strtoull(wanted, NULL, 10) : PROGRAMS);
    struct tally tally = {0};

    for (uint64_t i = 0; i < (programs = within_budget(i, programs)); i++) {
        struct program p;
        program_random(seed + i, &p);
        if (check(&p, &tally) != NULL) {
            report(&p);
            return EXIT_FAILURE;
        }
    }
    printf("%" PRIu64 " programs, %" PRIu64 " of them may deadlock; states: %" PRIu64
           ", without filter %" PRIu64 ", components %" PRIu64 ", persistent sets %" PRIu64
           ", memo %" PRIu64 ", symmetry %" PRIu64 "\n",
           tally.programs, tally.deadlocks, tally.states[0], tally.states[1], tally.states[2],
           tally.states[3], tally.states[4], tally.states[5]);
    return EXIT_SUCCESS;
}
