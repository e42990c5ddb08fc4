/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/fold_windows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 1000, SIZE = 4, STEPS = 40, TAGS = 4, CONFLICTS = 256 };

struct found {
    struct ork_conflict conflict[CONFLICTS];
    uint32_t count;
};

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz.fold.programs: %s\n", what);
    abort();
}

void windows_create(struct windows *w, uint32_t ranks)
{
    *w = (struct windows){.ranks = ranks};
    require(ork_onesided_create(ranks, &w->plain) == ORK_OK &&
                ork_onesided_create(ranks, &w->folded) == ORK_OK,
            "no memory");
}

void windows_destroy(struct windows *w)
{
    ork_onesided_destroy(w->plain);
    ork_onesided_destroy(w->folded);
}

/* RATIONALE: a rank goes on after its last record. */
void windows_feed(struct ork_onesided *o, uint32_t rank, const struct ork_record *record, size_t n)
{
    for (size_t i = 0, end; i < n && o != NULL; i = end + 1) {
        for (end = i; end < n && record[end].kind != ORK_KIND_FINALIZE; end++) {
        }
        require(ork_onesided_feed(o, rank, record + i, end - i) == ORK_OK, "feeding failed");
    }
}

static void put(struct windows *w, uint32_t rank, struct ork_record record)
{
    record.call = record.kind == ORK_KIND_COMM_DEF ? 0 : 1;
    if (record.request == 0)
        record.request = ORK_REQUEST_NULL;
    windows_feed(w->plain, rank, &record, 1);
    windows_feed(w->folded, rank, &record, 1);
}

static void begin(struct windows *w, uint32_t rank)
{
    put(w, rank,
        (struct ork_record){
            .kind = ORK_KIND_COLL, .mode = ORK_COLL_WIN_CREATE, .peer = ORK_NO_PEER});
    put(w, rank,
        (struct ork_record){.kind = ORK_KIND_COMM_DEF,
                            .flags = ORK_F_SAME_GROUP,
                            .comm = WINDOW,
                            .mode = ORK_COLL_WIN_CREATE,
                            .extra = WINDOW});
    put(w, rank,
        (struct ork_record){.kind = ORK_KIND_WIN_MEMORY,
                            .comm = WINDOW,
                            .mode = ORK_COLL_WIN_CREATE,
                            .arg = 1,
                            .bytes = SIZE,
                            .extra = 1 << 20});
    put(w, rank,
        (struct ork_record){.kind = ORK_KIND_WIN_LOCK, .comm = WINDOW, .peer = ORK_NO_PEER});
}

static void access(struct windows *w, struct wfg_random *random, uint32_t site)
{
    uint32_t rank = wfg_random_below(random, w->ranks);
    uint32_t target = wfg_random_below(random, w->ranks);
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
    windows_feed(w->plain, rank, record, 1 + conts);
    windows_feed(w->folded, rank, record, 1 + conts);
    put(w, rank,
        (struct ork_record){.kind = ORK_KIND_WIN_FLUSH, .comm = WINDOW, .peer = ORK_NO_PEER});
}

static void message(struct windows *w, struct wfg_random *random)
{
    uint32_t from = wfg_random_below(random, w->ranks);
    uint32_t to = wfg_random_below(random, w->ranks);
    int32_t tag = (int32_t)wfg_random_below(random, TAGS);

    if (from == to)
        return;
    put(w, from, (struct ork_record){.kind = ORK_KIND_SEND, .peer = (int32_t)to, .tag = tag});
    put(w, to, (struct ork_record){.kind = ORK_KIND_RECV, .peer = (int32_t)from, .tag = tag});
}

static void synchronize(struct windows *w)
{
    for (uint32_t r = 0; r < w->ranks; r++)
        put(w, r,
            (struct ork_record){
                .kind = ORK_KIND_COLL, .mode = ORK_COLL_BARRIER, .peer = ORK_NO_PEER});
}

static bool take(void *context, const struct ork_conflict *conflict)
{
    struct found *f = context;

    if (f->count < CONFLICTS)
        f->conflict[f->count] = *conflict;
    return f->count++ < CONFLICTS;
}

static int compare_conflicts(const void *a, const void *b)
{
    const struct ork_conflict *x = a, *y = b;
    const uint32_t p[] = {x->first.site, x->second.site}, q[] = {y->first.site, y->second.site};

    return memcmp(p, q, sizeof(p));
}

static void find(struct windows *w, struct ork_onesided *o, struct found *f)
{
    f->count = 0;
    for (uint32_t r = 0; r < w->ranks; r++)
        require(ork_onesided_end(o, r) == ORK_OK, "the end failed");
    require(ork_onesided_conflicts(o, take, f) == ORK_OK, "no memory");
    qsort(f->conflict, f->count, sizeof(f->conflict[0]), compare_conflicts);
}

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

const char *windows_compare(struct windows *w, struct wfg_random *random)
{
    static struct found plain, folded;

    if (w->plain == NULL)
        return NULL;
    for (uint32_t r = 0; r < w->ranks; r++)
        begin(w, r);
    for (uint32_t i = 1; i <= STEPS; i++) {
        if (wfg_random_percent(random, 5))
            synchronize(w);
        else if (wfg_random_percent(random, 60))
            message(w, random);
        else
            access(w, random, i);
    }
    for (uint32_t r = 0; r < w->ranks; r++)
        put(w, r,
            (struct ork_record){.kind = ORK_KIND_WIN_UNLOCK, .comm = WINDOW, .peer = ORK_NO_PEER});
    find(w, w->plain, &plain);
    find(w, w->folded, &folded);
    if (!is_same(ork_onesided_unfollowed(w->plain), ork_onesided_unfollowed(w->folded)))
        return "other calls could not be followed";
    if (plain.count != folded.count)
        return "other conflicts";
    for (uint32_t i = 0; i < plain.count; i++) {
        if (compare_conflicts(&plain.conflict[i], &folded.conflict[i]) != 0)
            return "conflicts of other calls";
    }
    w->conflicts = plain.count;
    return NULL;
}
