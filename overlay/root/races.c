/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that receives and probes of this run could have taken instead, for --must:races. */
#include "overlay/root/root_internal.h"

#include "order/causality/races.h"
#include "common/assert.h"
#include "common/text.h"
#include "common/vec.h"
#include "overlay/findings/describe_race.h"
#include "overlay/findings/phrase.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 20 }; /* reported ones */

struct root_races {
    struct ork_races *races;
    uint32_t nprocs; /* of the first job: the processes of others are not followed */
    uint64_t raced;  /* receives and probes, when it was reported */
    uint32_t left;   /* places with a race that were not reported */
    bool has_choice; /* the first receive or probe that takes any message has come */
};

/* A race and its place. */
struct placed {
    const struct ork_race *race;
    struct ork_where where;
};

struct placed_list {
    const struct ork_root *root;
    struct placed *item;
    uint32_t count, room;
    enum ork_status status;
};

/* Those of one place: a part of the list. */
struct race_group {
    uint32_t first, count;
    uint64_t raced;
};

static enum ork_status create(struct ork_root *root, uint32_t nprocs)
{
    struct root_races *r = calloc(1, sizeof(*r));

    if (r == NULL)
        return ORK_NOMEM;
    root->races = r;
    r->nprocs = nprocs;
    enum ork_status status = ork_races_create(nprocs, &r->races);
    if (status == ORK_OK)
        ork_races_set_limit(r->races, root->options.queue_limit);
    return status;
}

static void destroy(struct ork_root *root)
{
    struct root_races *r = root->races;

    if (r == NULL)
        return;
    ork_races_destroy(r->races);
    free(r);
}

/* RATIONALE: a message that was taken before the first choice could not have been taken by it. So
 * iterations of all ranks may be missing until then: see write_state() in conflicts.c. */
static enum ork_need need(const struct ork_root *root)
{
    return root->races->has_choice ? ORK_NEED_ALL : ORK_NEED_RANKS;
}

static bool has_choice(const struct ork_record *record, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct ork_record *r = &record[i];
        bool is_exchange = r->kind == ORK_KIND_SENDRECV;
        bool receives = r->kind == ORK_KIND_RECV || r->kind == ORK_KIND_PROBE ||
                        r->kind == ORK_KIND_PROBED || is_exchange;
        if (receives && ((is_exchange ? r->peer2 : r->peer) == ORK_ANY_SOURCE ||
                         (is_exchange ? r->tag2 : r->tag) == ORK_ANY_TAG))
            return true;
    }
    return false;
}

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct root_races *r = root->races;

    if (!r->has_choice)
        r->has_choice = has_choice(record, n);
    return ork_races_feed(r->races, rank, record, n);
}

static enum ork_status end(struct ork_root *root, uint32_t rank, enum ork_causal_end how)
{
    (void)how;
    ork_races_end(root->races->races, rank);
    return ORK_OK;
}

/* ---- places ---- */

static bool add_race(void *context, const struct ork_race *race)
{
    struct placed_list *list = context;
    const struct ork_root *root = list->root;

    if (ork_detector_rank(root->detector, race->rank).quiet)
        return true;
    if (!ork_vec_reserve(&list->item, &list->room, list->count + 1, sizeof(*list->item))) {
        list->status = ORK_NOMEM;
        return false;
    }
    struct placed *p = &list->item[list->count++];
    p->race = race;
    list->status = ork_call_sites_find(root->sites, race->rank, race->site, &p->where);
    return list->status == ORK_OK;
}

static void release(struct placed_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        ork_where_release(&list->item[i].where);
    free(list->item);
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* RATIONALE: a compiler makes several call sites of one line. */
static int compare_where(const struct ork_where *a, const struct ork_where *b)
{
    int order = compare_texts(a->file, b->file);

    if (order == 0)
        order = compare_numbers(a->line, b->line);
    if (order == 0)
        order = compare_numbers(a->path, b->path);
    if (order != 0 || a->file != NULL)
        return order;
    order = compare_texts(a->module, b->module);
    return order != 0 ? order : compare_numbers(a->offset, b->offset);
}

static int compare_places(const struct placed *a, const struct placed *b)
{
    int order = compare_where(&a->where, &b->where);

    if (order == 0)
        order = compare_numbers(a->race->call, b->race->call);
    return order != 0 ? order : compare_numbers(a->race->is_probe, b->race->is_probe);
}

static int compare_placed(const void *x, const void *y)
{
    const struct placed *a = x;
    const struct placed *b = y;
    int order = compare_places(a, b);

    if (order == 0)
        order = compare_numbers(a->race->rank, b->race->rank);
    return order != 0 ? order : compare_numbers(a->race->site, b->race->site);
}

/* The most raced first. */
static int compare_groups(const void *x, const void *y)
{
    const struct race_group *a = x;
    const struct race_group *b = y;
    int order = compare_numbers(b->raced, a->raced);

    return order != 0 ? order : compare_numbers(a->first, b->first);
}

/* `group` has room for as many as the list has races. Returns their number. */
static uint32_t divide(struct placed_list *list, struct race_group *group)
{
    uint32_t n = 0;

    qsort(list->item, list->count, sizeof(*list->item), compare_placed);
    for (uint32_t i = 0; i < list->count; i++) {
        if (i == 0 || compare_places(&list->item[i - 1], &list->item[i]) != 0)
            group[n++] = (struct race_group){.first = i};
        group[n - 1].count++;
        group[n - 1].raced += list->item[i].race->raced;
    }
    qsort(group, n, sizeof(*group), compare_groups);
    ORK_ASSERT(n > 0 && n <= list->count);
    return n;
}

/* ---- the report ---- */

/* `race`: room for the races of the group. */
static enum ork_status report_group(struct ork_root *root, const struct placed *placed,
                                    uint32_t count, const struct ork_race **race)
{
    struct ork_finding finding;

    for (uint32_t i = 0; i < count; i++)
        race[i] = placed[i].race;
    enum ork_status status = ork_describe_race(root->sites, race, count, &finding);
    if (status != ORK_OK)
        return status;
    uint32_t ranks[] = {race[0]->rank, race[0]->took.sender, race[0]->other.sender};
    status = ork_root_report_with_calls(root, &finding, &(struct ork_u32s){ranks, 3});
    ork_finding_release(&finding);
    return status;
}

static enum ork_status report_list(struct ork_root *root, struct placed_list *list)
{
    struct race_group *group = calloc(list->count, sizeof(*group));
    const struct ork_race **race = calloc(list->count, sizeof(*race));
    enum ork_status status = group == NULL || race == NULL ? ORK_NOMEM : ORK_OK;
    uint32_t n = status == ORK_OK ? divide(list, group) : 0;

    for (uint32_t i = 0; i < n; i++)
        root->races->raced += group[i].raced;
    for (uint32_t i = 0; i < n && i < PLACES_MAX && status == ORK_OK; i++)
        status = report_group(root, &list->item[group[i].first], group[i].count, race);
    root->races->left = n > PLACES_MAX ? n - PLACES_MAX : 0;
    free(group);
    free(race);
    return status;
}

static enum ork_status report_races(struct ork_root *root)
{
    struct placed_list list = {.root = root};

    ork_races_list(root->races->races, add_race, &list);
    if (list.status == ORK_OK && list.count > 0)
        list.status = report_list(root, &list);
    release(&list);
    return list.status;
}

/* The ranks that were not followed to their end. */
static enum ork_status add_lost(const struct root_races *r, struct ork_report *report)
{
    struct ork_u32s lost = {0};
    uint32_t room = 0;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < r->nprocs && status == ORK_OK; i++) {
        if (ork_races_lost(r->races, i) == NULL)
            continue;
        if (ork_vec_reserve(&lost.item, &room, lost.count + 1, sizeof(*lost.item)))
            lost.item[lost.count++] = i;
        else
            status = ORK_NOMEM;
    }
    if (status == ORK_OK && lost.count > 0) {
        char *ranks = ork_phrase_ranks(lost.item, lost.count);
        char *first = lost.count > 1 ? ork_text("of rank %u: ", lost.item[0]) : strdup("");
        status = ranks == NULL || first == NULL
                     ? ORK_NOMEM
                     : ork_report_take_note(
                           report, ork_text("the search for races of messages did not follow "
                                            "%s to the end (%s%s)",
                                            ranks, first, ork_races_lost(r->races, lost.item[0])));
        free(ranks);
        free(first);
    }
    free(lost.item);
    return status;
}

bool ork_root_count_raced(const struct ork_root *root, uint64_t *raced)
{
    const struct root_races *r = root->races;

    for (uint32_t i = 0; r != NULL && i < r->nprocs; i++) {
        if (ork_races_lost(r->races, i) != NULL)
            return false;
    }
    *raced = r != NULL ? r->raced : 0;
    return r != NULL;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    const struct root_races *r = root->races;
    enum ork_status status = add_lost(r, report);

    if (status == ORK_OK && r->left > 0)
        status =
            ork_report_take_note(report, ork_text("%u more call%s could have taken other messages "
                                                  "(--must:races)",
                                                  r->left, r->left == 1 ? "" : "s"));
    return status;
}

const struct ork_follower ork_follow_races = {.is_of_first_job = true,
                                              .create = create,
                                              .destroy = destroy,
                                              .feed = feed,
                                              .end = end,
                                              .need = need,
                                              .report = report_races,
                                              .summary = summary};
