/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/search.h"

#include "common/assert.h"
#include "common/hash.h"
#include "common/vec.h"
#include "order/explore/branches.h"
#include "order/explore/loops.h"
#include "order/explore/sites.h"

#include <stdlib.h>
#include <string.h>

/* ASIDE: it is not to be proposed, because loops like this one did not give up. */
enum wanted { DONE, LEFT, ASIDE };

/* A run, and what it could have done otherwise. */
struct node {
    struct ork_alternatives *alternatives; /* NULL: unknown */
    uint8_t *wanted;                       /* by alternative: enum wanted */
    uint32_t depth;                        /* decisions on the way to it */
    bool is_polled;                        /* one of these was another outcome of a poll */
    const struct ork_change *made;         /* NULL: the first run */
};

/* A decision that is left. */
struct item {
    uint32_t run, index;
};

/* Runs at a depth, and decisions that they brought. */
struct level {
    uint64_t runs, decisions;
};

struct ork_search {
    struct ork_search_bounds bounds;
    uint32_t ranks;
    struct ork_explored *explored;
    struct node *node;
    uint32_t nodes, room;
    /* The last one is next; those that are not left any more are skipped. Those of polls that do
     * not wait come when no other is left. */
    struct items {
        struct item *item;
        uint32_t num, room;
    } first, of_polls;
    uint64_t left;
    uint64_t waiting,
        left_waiting; /* runs, and decisions that are left, in which each poll waits */
    struct item *aside;
    uint32_t asides, aside_room;
    struct level *level;
    uint32_t levels, level_room;
    struct ork_hash_map seen;  /* decisions and runs, by hash */
    struct ork_hash_map quota; /* by call site */
    struct ork_loops loops;
    struct ork_sites sites;
    uint64_t left_out[ORK_BOUND_MAX], unfit;
    uint64_t proposed, covered; /* decisions that were looked at as the next one */
    double branched;            /* sum of ork_branches_of() over the runs */
    uint64_t random;
};

enum ork_status ork_search_create(uint32_t ranks, const struct ork_search_bounds *bounds,
                                  struct ork_search **out)
{
    struct ork_search *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return ORK_NOMEM;
    s->bounds = *bounds;
    s->ranks = ranks;
    s->sites.ranks = ranks;
    s->random = bounds->seed;
    enum ork_status status = ork_explored_create(ranks, bounds->symmetric, &s->explored);
    if (status == ORK_OK)
        *out = s;
    else
        ork_search_destroy(s);
    return status;
}

void ork_search_destroy(struct ork_search *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->nodes; i++) {
        ork_alternatives_destroy(s->node[i].alternatives);
        free(s->node[i].wanted);
    }
    free(s->node);
    free(s->first.item);
    free(s->of_polls.item);
    free(s->aside);
    free(s->level);
    ork_hash_map_release(&s->seen);
    ork_sites_release(&s->sites);
    ork_hash_map_release(&s->quota);
    ork_loops_release(&s->loops);
    ork_explored_destroy(s->explored);
    free(s);
}

const struct ork_explored *ork_search_explored(const struct ork_search *s)
{
    return s->explored;
}

/* ---- call sites ---- */

/* All choices of a run. */
static bool count_run(struct ork_search *s, uint32_t run)
{
    for (uint32_t r = 0; r < s->ranks; r++) {
        const struct ork_choice *c;
        for (uint64_t n = 1; (c = ork_explored_choice(s->explored, run, r, n)) != NULL; n++) {
            uint64_t polled = ork_explored_outcome(s->explored, run, r, n);
            if (!ork_sites_count(&s->sites, r, c, polled, ork_choice_identity(r, n, c), true))
                return false;
        }
    }
    return true;
}

uint32_t ork_search_num_sites(const struct ork_search *s)
{
    return s->sites.num;
}

struct ork_search_site ork_search_site(const struct ork_search *s, uint32_t i)
{
    ORK_ASSERT(i < s->sites.num);
    return s->sites.site[i];
}

/* ---- bounds ---- */

/* How many choices of its rank were made freely before this one, and it. */
static uint64_t distance(const struct node *node, const struct ork_change *change)
{
    const struct ork_change *made = node->made;
    uint64_t forced = made == NULL ? 0 : made->keep[change->rank];

    if (made != NULL && made->rank == change->rank && made->number == forced + 1)
        forced++;
    return change->number > forced ? change->number - forced : 0;
}

/* How many choices of the rank at the same call site are before this one. */
static uint64_t occurrence(const struct ork_search *s, uint32_t run,
                           const struct ork_change *change, const struct ork_choice *choice)
{
    uint64_t n = 0;

    for (uint64_t i = 1; i < change->number; i++) {
        const struct ork_choice *c = ork_explored_choice(s->explored, run, change->rank, i);
        n += c->place == choice->place && c->call == choice->call;
    }
    return n;
}

/* ORK_BOUND_MAX: within all bounds. */
static enum ork_bound exceeds(struct ork_search *s, uint32_t run, const struct ork_change *change,
                              const struct ork_choice *choice)
{
    const struct ork_search_bounds *b = &s->bounds;
    const struct node *node = &s->node[run];

    if (b->mixing > 0 && node->made != NULL && distance(node, change) > b->mixing)
        return ORK_BOUND_MIXING;
    if (b->loop > 0 && occurrence(s, run, change, choice) >= b->loop)
        return ORK_BOUND_LOOP;
    if (b->quota > 0 && ork_hash_map_get(&s->quota, ork_choice_site_hash(choice)) >= b->quota)
        return ORK_BOUND_QUOTA;
    return ORK_BOUND_MAX;
}

/* ---- decisions ---- */

static struct level *level_of(struct ork_search *s, uint32_t depth)
{
    if (!ork_vec_reserve(&s->level, &s->level_room, depth + 1, sizeof(*s->level)))
        return NULL;
    if (depth >= s->levels)
        s->levels = depth + 1;
    return &s->level[depth];
}

/* Does it decide that a poll does not wait: that it fails, or that another one is successful? */
static bool is_of_polls(const struct ork_search *s, uint32_t run, uint32_t index)
{
    return s->node[run].alternatives->change[index].polls != ORK_POLLS_SAME;
}

/* Would a run of it be an order in which each poll waits? */
static bool is_waiting(const struct ork_search *s, uint32_t run, uint32_t index)
{
    return !s->node[run].is_polled && !is_of_polls(s, run, index);
}

static bool push(struct ork_search *s, uint32_t run, uint32_t index,
                 const struct ork_choice *choice)
{
    struct level *level = level_of(s, s->node[run].depth);
    uint32_t *quota = ork_hash_map_use(&s->quota, ork_choice_site_hash(choice));
    struct items *to = is_of_polls(s, run, index) ? &s->of_polls : &s->first;

    if (level == NULL || quota == NULL ||
        !ork_vec_reserve(&to->item, &to->room, to->num + 1, sizeof(*to->item)))
        return false;
    ORK_ASSERT(s->node[run].wanted[index] != LEFT); /* it is in one list, once */
    to->item[to->num++] = (struct item){run, index};
    s->node[run].wanted[index] = LEFT;
    s->left++;
    s->left_waiting += is_waiting(s, run, index);
    ORK_ASSERT(s->left_waiting <= s->left && s->left <= s->first.num + (uint64_t)s->of_polls.num);
    level->decisions++;
    ++*quota;
    return true;
}

/* Unless it is beyond a bound. */
static bool propose(struct ork_search *s, uint32_t run, uint32_t index,
                    const struct ork_choice *choice)
{
    const struct ork_change *change = &s->node[run].alternatives->change[index];
    enum ork_bound bound = exceeds(s, run, change, choice);

    if (bound == ORK_BOUND_MAX)
        return push(s, run, index, choice);
    s->node[run].wanted[index] = DONE;
    s->left_out[bound]++;
    return true;
}

/* ---- loops that poll for ever ---- */

static struct ork_loop loop_of(const struct ork_search *s, uint32_t run,
                               const struct ork_change *change)
{
    struct ork_choice c = ork_explored_changed(s->explored, run, change);
    uint64_t place =
        ork_hash_add(ork_hash_add(ork_choice_site_hash(&c), change->rank), (uint64_t)change->polls);

    uint64_t loop = ork_hash_add(place, occurrence(s, run, change, &c));
    const uint64_t *prefix = ork_explored_rank(s->explored, run, change->rank)->prefix;

    return (struct ork_loop){place, loop, ork_hash_add(loop, prefix[change->keep[change->rank]])};
}

static enum ork_loop_ends loop_ends(const struct ork_search *s, uint32_t run,
                                    const struct ork_change *change)
{
    return ork_change_abandons(change) ? ork_loops_find(&s->loops, loop_of(s, run, change))
                                       : ORK_LOOP_MAY_END;
}

static bool set_aside(struct ork_search *s, uint32_t run, uint32_t index)
{
    if (!ork_vec_reserve(&s->aside, &s->aside_room, s->asides + 1, sizeof(*s->aside)))
        return false;
    s->aside[s->asides++] = (struct item){run, index};
    s->node[run].wanted[index] = ASIDE;
    return true;
}

/* A loop was abandoned at a place where others were not: what was set aside there is to be tried.
 */
static bool take_back(struct ork_search *s)
{
    uint32_t kept = 0;
    bool done = true;

    for (uint32_t i = 0; i < s->asides; i++) {
        struct item item = s->aside[i];
        ORK_ASSERT(item.run < s->nodes && kept <= i);
        if (s->node[item.run].wanted[item.index] != ASIDE)
            continue;
        const struct ork_change *change = &s->node[item.run].alternatives->change[item.index];
        if (loop_ends(s, item.run, change) != ORK_LOOP_MAY_END) {
            s->aside[kept++] = item;
            continue;
        }
        struct ork_choice choice = ork_explored_changed(s->explored, item.run, change);
        done = done && propose(s, item.run, item.index, &choice);
    }
    s->asides = kept;
    return done;
}

/* A run that was to give up has done so, or not. */
static bool note_loop(struct ork_search *s, const struct ork_decision_of_run *made,
                      const struct ork_trace *trace)
{
    const struct ork_change *change = made == NULL ? NULL : made->change;
    bool is_first = false;

    if (change == NULL || !ork_change_abandons(change))
        return true;
    struct ork_loop loop = loop_of(s, made->run, change);
    if (ork_change_is_abandoned(change, trace))
        return ork_loops_note_abandoned(&s->loops, loop, &is_first) && (!is_first || take_back(s));
    if (!ork_change_went_on(change, trace))
        return true;
    struct ork_choice choice = ork_explored_changed(s->explored, made->run, change);
    return ork_sites_note_endless(&s->sites, &choice) && ork_loops_note_endless(&s->loops, loop);
}

/* Did the rank poll on, with other calls in between, until it was not forced any more? RATIONALE:
 * the order is a further one, because of the calls; but it shows nothing else than that of the
 * decision in which the poll was successful earlier, nor do those that it leads to. */
static bool is_in_vain(const struct ork_decision_of_run *made, const struct ork_trace *trace)
{
    return made != NULL && made->change->polls == ORK_POLLS_ALL_ABANDONED &&
           ork_change_went_on(made->change, trace);
}

/* Was a Compare_and_swap decided that then failed, and that the rank made again at once, as a loop
 * does that waits until it succeeds? RATIONALE: it waits in all other runs; so this one shows
 * nothing that they do not show. */
static bool is_wait(const struct ork_decision_of_run *made, const struct ork_alternatives *a)
{
    const struct ork_change *change = made == NULL ? NULL : made->change;

    if (change == NULL || a == NULL || change->kind != ORK_CHOICE_LOCK)
        return false;
    for (uint32_t i = 0; i < a->num_locked; i++) {
        const struct ork_locked_choice *l = &a->locked[i];
        if (l->is_repeated && l->rank == change->rank && l->number == change->number)
            return true;
    }
    return false;
}

/* Its call site is named: nobody knows how often such a loop tries. */
static bool note_wait(struct ork_search *s, const struct ork_decision_of_run *made)
{
    struct ork_choice choice = ork_explored_changed(s->explored, made->run, made->change);

    return ork_sites_note_endless(&s->sites, &choice);
}

/* ---- runs ---- */

/* An alternative of a new run. */
static bool consider(struct ork_search *s, uint32_t run, uint32_t index)
{
    const struct ork_change *change = &s->node[run].alternatives->change[index];
    bool is_new;

    if (!ork_explored_fits(s->explored, run, change)) {
        s->unfit++;
        return true;
    }
    struct ork_choice was = ork_explored_changed(s->explored, run, change);
    const struct ork_choice *choice = &was;
    struct ork_choice to = ork_change_apply(choice, change);
    uint64_t polled = ork_explored_changed_outcome(s->explored, run, change);
    if (!ork_change_is_failure(change) &&
        !ork_sites_count(&s->sites, change->rank, &to, polled,
                         ork_choice_identity(change->rank, change->number, choice), false))
        return false;
    if (!ork_hash_map_note(&s->seen, ork_explored_hash(s->explored, run, change), &is_new))
        return false;
    if (!is_new || ork_explored_covers(s->explored, run, change))
        return true;
    if (loop_ends(s, run, change) != ORK_LOOP_MAY_END)
        return set_aside(s, run, index);
    return propose(s, run, index, choice);
}

static bool add_node(struct ork_search *s, const struct ork_decision_of_run *made,
                     struct ork_alternatives *alternatives)
{
    struct node *node = &s->node[s->nodes];
    uint32_t num = alternatives != NULL ? alternatives->num : 0;

    ORK_ASSERT(made == NULL || made->run < s->nodes);
    *node = (struct node){.alternatives = alternatives,
                          .wanted = calloc(num + (size_t)1, sizeof(uint8_t)),
                          .depth = made != NULL ? s->node[made->run].depth + 1 : 0,
                          .is_polled = made != NULL && !is_waiting(s, made->run, made->index),
                          .made = made != NULL ? made->change : NULL};
    s->nodes++;
    s->waiting += !node->is_polled;
    ORK_ASSERT(s->waiting <= s->nodes);
    struct level *level = level_of(s, node->depth);
    if (node->wanted == NULL || level == NULL || !count_run(s, s->nodes - 1))
        return false;
    level->runs++;
    double branches = ork_branches_of(s->explored, s->nodes - 1, alternatives);
    s->branched += branches;
    for (uint32_t i = 0; i < num; i++) {
        if (!consider(s, s->nodes - 1, i))
            return false;
    }
    return branches >= 0;
}

enum ork_status ork_search_add(struct ork_search *s, const struct ork_decision_of_run *made,
                               struct ork_trace *trace, struct ork_alternatives *alternatives,
                               bool *is_new)
{
    uint64_t hash = ork_hash_add(ork_trace_hash_all(trace), 3);
    enum ork_status status = ORK_NOMEM;

    bool waits = is_wait(made, alternatives);
    *is_new = !waits && !is_in_vain(made, trace);
    bool done = (!waits || note_wait(s, made)) && note_loop(s, made, trace) &&
                (!*is_new || ork_hash_map_note(&s->seen, hash, is_new));
    if (done && !*is_new)
        status = ORK_NOTFOUND;
    else if (done && ork_vec_reserve(&s->node, &s->room, s->nodes + 1, sizeof(*s->node)))
        status = ork_explored_add(s->explored, trace);
    if (status == ORK_OK)
        return add_node(s, made, alternatives) ? ORK_OK : ORK_NOMEM;
    ork_trace_release(trace);
    ork_alternatives_destroy(alternatives);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

bool ork_search_take(struct ork_search *s, uint32_t run, uint32_t index,
                     struct ork_decision_of_run *taken)
{
    if (run >= s->nodes || s->node[run].alternatives == NULL ||
        index >= s->node[run].alternatives->num)
        return false;
    if (s->node[run].wanted[index] == LEFT) {
        ORK_ASSERT(s->left > 0 && s->left_waiting <= s->left);
        s->left--;
        s->left_waiting -= is_waiting(s, run, index);
        ORK_ASSERT(s->left_waiting <= s->left);
    }
    s->node[run].wanted[index] = DONE;
    *taken = (struct ork_decision_of_run){
        .run = run, .index = index, .change = &s->node[run].alternatives->change[index]};
    return true;
}

static uint64_t draw(struct ork_search *s)
{
    s->random += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    return ork_hash_mix(s->random);
}

static struct item pop(struct ork_search *s)
{
    struct items *of = s->first.num > 0 ? &s->first : &s->of_polls;

    ORK_ASSERT(of->num > 0);
    if (s->bounds.samples) {
        uint32_t i = (uint32_t)(draw(s) % of->num);
        struct item drawn = of->item[i];
        of->item[i] = of->item[of->num - 1];
        of->item[of->num - 1] = drawn;
    }
    return of->item[--of->num];
}

bool ork_search_next(struct ork_search *s, struct ork_decision_of_run *next)
{
    while (s->first.num + s->of_polls.num > 0) {
        struct item item = pop(s);
        if (s->node[item.run].wanted[item.index] != LEFT)
            continue;
        ork_search_take(s, item.run, item.index, next);
        s->proposed++;
        if (loop_ends(s, item.run, next->change) != ORK_LOOP_MAY_END) {
            s->covered++;
            if (!set_aside(s, item.run, item.index))
                return true; /* out of memory: try it */
            continue;
        }
        if (!ork_explored_covers(s->explored, item.run, next->change))
            return true;
        s->covered++;
    }
    return false;
}

/* ---- estimate ---- */

/* Orders below a decision of each depth, if those of a run branch as at its depth so far. */
static double below(const struct ork_search *s, uint32_t depth, double fresh)
{
    double orders = 1;

    for (uint32_t d = s->levels; d-- > depth;) {
        const struct level *l = &s->level[d];
        double branches = l->runs > 0 ? (double)l->decisions / (double)l->runs : 0;
        orders = 1 + fresh * branches * orders;
    }
    return orders;
}

static bool is_bounded(const struct ork_search_bounds *b)
{
    return b->mixing > 0 || b->loop > 0 || b->quota > 0 || b->symmetric != NULL;
}

/* What the decisions that are left bring, if all are new. RATIONALE: those of independent choices
 * bring the same orders, so this is far too much without bounds. */
static double estimate_bounded(const struct ork_search *s)
{
    const struct items *all[] = {&s->first, &s->of_polls};
    double fresh = s->proposed > 0 ? 1 - (double)s->covered / (double)s->proposed : 1;
    double orders = s->nodes;

    for (unsigned k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < all[k]->num; i++) {
            const struct item *item = &all[k]->item[i];
            if (s->node[item->run].wanted[item->index] == LEFT)
                orders += fresh * below(s, s->node[item->run].depth + 1, fresh);
        }
    }
    return orders;
}

/* RATIONALE: as Knuth (1975) estimates a tree from some of its paths: the mean product of the
 * branches along them. Runs are not drawn at random, unless the user wants it. */
static double estimate(const struct ork_search *s)
{
    double orders = s->nodes > 0 ? s->branched / s->nodes : 0;

    if (s->left == 0)
        return s->nodes;
    if (is_bounded(&s->bounds) && estimate_bounded(s) < orders)
        orders = estimate_bounded(s);
    return orders > s->nodes + 1.0 ? orders : s->nodes + 1.0;
}

/* Decisions that are not tried because all loops at their call that were went on. */
static uint64_t count_assumed(struct ork_search *s)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < s->asides; i++) {
        struct item item = s->aside[i];
        const struct ork_change *change = &s->node[item.run].alternatives->change[item.index];
        n += s->node[item.run].wanted[item.index] == ASIDE &&
             loop_ends(s, item.run, change) == ORK_LOOP_ASSUMED &&
             !ork_explored_covers(s->explored, item.run, change);
    }
    return n;
}

struct ork_search_counts ork_search_count(struct ork_search *s)
{
    struct ork_search_counts c = {.orders = s->nodes,
                                  .left = s->left,
                                  .waiting = s->waiting,
                                  .left_waiting = s->left_waiting,
                                  .unfit = s->unfit,
                                  .assumed = count_assumed(s),
                                  .estimate = estimate(s)};

    memcpy(c.left_out, s->left_out, sizeof(c.left_out));
    return c;
}
