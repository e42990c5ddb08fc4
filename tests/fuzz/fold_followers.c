/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/fold_followers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 1000, SITE = 1 << 20, SIZE = 4, STEPS = 40, TAGS = 4, FOUND = 256 };

struct found {
    struct ork_conflict conflict[FOUND];
    struct ork_race race[FOUND];
    uint32_t conflicts, races;
    const char *lost;
    bool has_all_races; /* no rank was lost by who looks for them */
};

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.fold.programs: %s\n", what);
    abort();
}

static void create(struct follower *f, uint32_t ranks)
{
    require(ork_onesided_create(ranks, &f->onesided) == ORK_OK &&
                ork_races_create(ranks, &f->races) == ORK_OK,
            "no memory");
}

void followers_create(struct followers *f, uint32_t ranks)
{
    *f = (struct followers){.ranks = ranks};
    create(&f->plain, ranks);
    create(&f->folded, ranks);
}

static void destroy(struct follower *f)
{
    ork_onesided_destroy(f->onesided);
    ork_races_destroy(f->races);
}

void followers_destroy(struct followers *f)
{
    if (f->ranks == 0)
        return;
    destroy(&f->plain);
    destroy(&f->folded);
}

/* RATIONALE: a rank goes on after its last record. */
void follower_feed(struct follower *f, uint32_t rank, const struct ork_record *record, size_t n)
{
    for (size_t i = 0, end; i < n && f->onesided != NULL; i = end + 1) {
        for (end = i; end < n && record[end].kind != ORK_KIND_FINALIZE; end++) {
        }
        require(ork_onesided_feed(f->onesided, rank, record + i, end - i) == ORK_OK &&
                    ork_races_feed(f->races, rank, record + i, end - i) == ORK_OK,
                "feeding failed");
    }
}

static void put(struct followers *f, uint32_t rank, struct ork_record record)
{
    record.call = record.kind == ORK_KIND_COMM_DEF ? 0 : 1;
    if (record.request == 0)
        record.request = ORK_REQUEST_NULL;
    follower_feed(&f->plain, rank, &record, 1);
    follower_feed(&f->folded, rank, &record, 1);
}

static void begin(struct followers *f, uint32_t rank)
{
    put(f, rank,
        (struct ork_record){
            .kind = ORK_KIND_COLL, .mode = ORK_COLL_WIN_CREATE, .peer = ORK_NO_PEER});
    put(f, rank,
        (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                            .flags = ORK_F_SAME_GROUP,
                            .comm = WINDOW,
                            .mode = ORK_COLL_WIN_CREATE,
                            .extra = WINDOW});
    put(f, rank,
        (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                            .comm = WINDOW,
                            .mode = ORK_COLL_WIN_CREATE,
                            .arg = 1,
                            .bytes = SIZE,
                            .extra = 1 << 20});
    put(f, rank,
        (struct ork_record){.kind = ORK_KIND_WIN_LOCK, .comm = WINDOW, .peer = ORK_NO_PEER});
}

static void access(struct followers *f, struct wfg_random *random, uint32_t site)
{
    uint32_t rank = wfg_random_below(random, f->ranks);
    uint32_t target = wfg_random_below(random, f->ranks);
    struct ork_access_list list = {.target_size = 1, .origin = 1, .origin_size = 1};
    struct ork_record record[1 + ORK_ACCESS_WORDS] = {{.kind = ORK_KIND_ACCESS,
                                                       .call = 1,
                                                       .mode = ORK_ACCESS_PUT,
                                                       .site = site,
                                                       .comm = WINDOW,
                                                       .request = ORK_REQUEST_NULL,
                                                       .peer = (int32_t)target,
                                                       .count = ORK_ACCESS_WORDS,
                                                       .bytes = 1,
                                                       .extra = wfg_random_below(random, SIZE)}};
    uint32_t conts = ork_record_conts(ORK_ACCESS_WORDS), left = ORK_ACCESS_WORDS;

    for (uint32_t i = 0; i < conts; i++) {
        uint32_t words = left < ORK_CONT_WORDS ? left : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)words};
        memcpy(cont.word, (const uint32_t *)(const void *)&list + i * ORK_CONT_WORDS,
               words * sizeof(uint32_t));
        memcpy(&record[1 + i], &cont, sizeof(cont));
        left -= words;
    }
    follower_feed(&f->plain, rank, record, 1 + conts);
    follower_feed(&f->folded, rank, record, 1 + conts);
    put(f, rank,
        (struct ork_record){.kind = ORK_KIND_WIN_FLUSH, .comm = WINDOW, .peer = ORK_NO_PEER});
}

static void message(struct followers *f, struct wfg_random *random, uint32_t site)
{
    uint32_t from = wfg_random_below(random, f->ranks);
    uint32_t to = wfg_random_below(random, f->ranks);
    int32_t tag = (int32_t)wfg_random_below(random, TAGS);
    bool is_any = wfg_random_percent(random, 30);

    if (from == to)
        return;
    put(f, from, (struct ork_record){.kind = ORK_KIND_SEND, .peer = (int32_t)to, .tag = tag});
    put(f, to,
        (struct ork_record){.kind = ORK_KIND_RECV,
                            .site = site,
                            .peer = is_any ? ORK_ANY_SOURCE : (int32_t)from,
                            .tag = tag});
    if (is_any)
        put(f, to, (struct ork_record){.kind = ORK_KIND_EXIT, .peer = (int32_t)from, .tag = tag});
}

static void synchronize(struct followers *f)
{
    for (uint32_t r = 0; r < f->ranks; r++)
        put(f, r,
            (struct ork_record){
                .kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER, .peer = ORK_NO_PEER});
}

static bool take_conflict(void *context, const struct ork_conflict *conflict)
{
    struct found *f = context;

    if (f->conflicts < FOUND)
        f->conflict[f->conflicts] = *conflict;
    return f->conflicts++ < FOUND;
}

static bool take_race(void *context, const struct ork_race *race)
{
    struct found *f = context;

    if (f->races < FOUND)
        f->race[f->races] = *race;
    return f->races++ < FOUND;
}

static int compare_conflicts(const void *a, const void *b)
{
    const struct ork_conflict *x = a, *y = b;
    const uint32_t p[] = {x->first.site, x->second.site}, q[] = {y->first.site, y->second.site};

    return memcmp(p, q, sizeof(p));
}

static void find(struct follower *f, uint32_t ranks, struct found *found)
{
    found->conflicts = found->races = 0;
    found->has_all_races = true;
    for (uint32_t r = 0; r < ranks; r++) {
        require(ork_onesided_end(f->onesided, r) == ORK_OK, "the end failed");
        ork_races_end(f->races, r);
    }
    require(ork_onesided_conflicts(f->onesided, take_conflict, found) == ORK_OK, "no memory");
    for (uint32_t r = 0; r < ranks; r++)
        found->has_all_races &= ork_races_lost(f->races, r) == NULL;
    ork_races_list(f->races, take_race, found);
    qsort(found->conflict, found->conflicts, sizeof(found->conflict[0]), compare_conflicts);
    found->lost = ork_onesided_unfollowed(f->onesided);
}

static bool is_same_race(const struct ork_race *a, const struct ork_race *b)
{
    return a->rank == b->rank && a->site == b->site && a->times == b->times &&
           a->raced == b->raced && a->sources == b->sources &&
           memcmp(a->source, b->source, a->sources * sizeof(a->source[0])) == 0;
}

/* RATIONALE: if a rank is lost, how far the others are followed depends on the order in which their
 * records come, also if nothing is kept back. */
static const char *compare_races(const struct found *a, const struct found *b)
{
    if (a->has_all_races != b->has_all_races)
        return "ranks are lost by who looks for races";
    if (!a->has_all_races)
        return NULL;
    if (a->races != b->races)
        return "another number of races";
    for (uint32_t i = 0; i < a->races && i < FOUND; i++) {
        if (!is_same_race(&a->race[i], &b->race[i]))
            return "other races";
    }
    return NULL;
}

static const char *compare(const struct found *a, const struct found *b)
{
    if ((a->lost == NULL) != (b->lost == NULL) ||
        (a->lost != NULL && strcmp(a->lost, b->lost) != 0))
        return "other calls could not be followed";
    if (a->conflicts != b->conflicts)
        return "another number of conflicts";
    for (uint32_t i = 0; i < a->conflicts && i < FOUND; i++) {
        if (compare_conflicts(&a->conflict[i], &b->conflict[i]) != 0)
            return "conflicts of other calls";
    }
    return compare_races(a, b);
}

const char *followers_compare(struct followers *f, struct wfg_random *random)
{
    static struct found plain, folded;

    for (uint32_t r = 0; r < f->ranks; r++)
        begin(f, r);
    for (uint32_t i = 1; i <= STEPS && f->ranks > 0; i++) {
        if (wfg_random_percent(random, 5))
            synchronize(f);
        else if (wfg_random_percent(random, 60))
            message(f, random, SITE + i);
        else
            access(f, random, SITE + i);
    }
    for (uint32_t r = 0; r < f->ranks; r++)
        put(f, r,
            (struct ork_record){.kind = ORK_KIND_WIN_UNLOCK, .comm = WINDOW, .peer = ORK_NO_PEER});
    if (f->ranks == 0)
        return NULL;
    find(&f->plain, f->ranks, &plain);
    find(&f->folded, f->ranks, &folded);
    f->conflicts = plain.conflicts;
    f->races = plain.has_all_races ? plain.races : 0;
    return compare(&plain, &folded);
}
