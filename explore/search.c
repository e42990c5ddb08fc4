/* SPDX-License-Identifier: BSD-3-Clause */
#include "explore/search.h"

#include "common/hash.h"
#include "common/vec.h"
#include "explore/branches.h"

#include <stdlib.h>
#include <string.h>

/* A run, and what it could have done otherwise. */
struct node {
    struct ork_alternatives *alternatives; /* NULL: unknown */
    bool *is_left;                         /* by alternative: it can still be proposed */
    uint32_t depth;                        /* decisions on the way to it */
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
    struct item *item; /* the last one is next; those that are not left any more are skipped */
    uint32_t items, item_room;
    uint64_t left;
    struct level *level;
    uint32_t levels, level_room;
    struct ork_map seen; /* decisions, runs, choices and outcomes that were counted, by hash */
    struct ork_map sites, quota; /* by call site */
    struct ork_map endless;      /* by rank and call site: loops that did not give up */
    struct ork_search_site *site;
    bool **is_of; /* of each site */
    uint32_t num_sites, site_room, is_of_room;
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
        free(s->node[i].is_left);
    }
    free(s->node);
    free(s->item);
    free(s->level);
    for (uint32_t i = 0; i < s->num_sites; i++)
        free(s->is_of[i]);
    free(s->is_of);
    free(s->site);
    ork_map_release(&s->seen);
    ork_map_release(&s->sites);
    ork_map_release(&s->quota);
    ork_map_release(&s->endless);
    ork_explored_destroy(s->explored);
    free(s);
}

const struct ork_explored *ork_search_explored(const struct ork_search *s)
{
    return s->explored;
}

/* *is_new: the hash was not there. False: out of memory. */
static bool note(struct ork_map *map, uint64_t hash, bool *is_new)
{
    uint32_t *value = ork_map_use(map, hash);

    if (value == NULL)
        return false;
    *is_new = *value == 0;
    *value = 1;
    return true;
}

/* ---- call sites ---- */

static uint64_t hash_site(const struct ork_choice *c)
{
    return ork_hash_add(c->place, c->call);
}

/* NULL: out of memory. */
static struct ork_search_site *site_of(struct ork_search *s, const struct ork_choice *c)
{
    uint32_t *at = ork_map_use(&s->sites, hash_site(c));

    if (at == NULL)
        return NULL;
    if (*at == 0) {
        bool *is_of = calloc(s->ranks, sizeof(*is_of));
        if (is_of == NULL ||
            !ork_vec_reserve(&s->site, &s->site_room, s->num_sites + 1, sizeof(*s->site)) ||
            !ork_vec_reserve(&s->is_of, &s->is_of_room, s->num_sites + 1, sizeof(*s->is_of))) {
            free(is_of);
            return NULL;
        }
        s->is_of[s->num_sites] = is_of;
        s->site[s->num_sites++] =
            (struct ork_search_site){.place = c->place, .call = c->call, .is_of = is_of};
        *at = s->num_sites;
    }
    return &s->site[*at - 1];
}

/* What a choice is, whatever its outcome. */
static uint64_t hash_identity(uint32_t rank, uint64_t number, const struct ork_choice *c)
{
    uint64_t h = ork_hash_add(hash_site(c), rank);

    return ork_choice_is_posted(c) ? ork_hash_add(ork_hash_add(h, c->post), 1)
                                   : ork_hash_add(h, number);
}

static uint64_t hash_outcome(uint64_t identity, const struct ork_choice *c, uint64_t polled)
{
    return ork_trace_join(identity, ork_trace_own(c, polled), c->source);
}

/* This outcome of the choice is known to be possible; `is_seen`: it was seen. */
static bool count_outcome(struct ork_search *s, uint32_t rank, const struct ork_choice *c,
                          uint64_t polled, uint64_t identity, bool is_seen)
{
    uint64_t outcome = hash_outcome(identity, c, polled);
    struct ork_search_site *site = site_of(s, c);
    bool is_choice, is_known, is_tried = false;

    if (site == NULL || !note(&s->seen, identity, &is_choice) ||
        !note(&s->seen, ork_hash_add(outcome, 1), &is_known) ||
        (is_seen && !note(&s->seen, ork_hash_add(outcome, 2), &is_tried)))
        return false;
    s->is_of[site - s->site][rank] = true;
    site->choices += is_choice;
    site->known += is_known;
    site->tried += is_tried;
    return true;
}

static bool count_run(struct ork_search *s, uint32_t run)
{
    for (uint32_t r = 0; r < s->ranks; r++) {
        const struct ork_choice *c;
        for (uint64_t n = 1; (c = ork_explored_choice(s->explored, run, r, n)) != NULL; n++) {
            uint64_t polled = ork_explored_outcome(s->explored, run, r, n);
            if (!count_outcome(s, r, c, polled, hash_identity(r, n, c), true))
                return false;
        }
    }
    return true;
}

uint32_t ork_search_num_sites(const struct ork_search *s)
{
    return s->num_sites;
}

struct ork_search_site ork_search_site(const struct ork_search *s, uint32_t i)
{
    return s->site[i];
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
    if (b->quota > 0 && ork_map_get(&s->quota, hash_site(choice)) >= b->quota)
        return ORK_BOUND_QUOTA;
    return ORK_BOUND_MAX;
}

/* ---- loops that poll for ever ---- */

static uint64_t hash_loop(const struct ork_search *s, uint32_t run, const struct ork_change *change)
{
    struct ork_choice c = ork_explored_changed(s->explored, run, change);

    return ork_hash_add(ork_hash_add(hash_site(&c), change->rank), (uint64_t)change->polls);
}

static bool is_to_give_up(const struct ork_change *change)
{
    return change->polls == ORK_POLLS_GIVEN_UP || change->polls == ORK_POLLS_ALL_GIVEN_UP;
}

/* The run was to give up, and has not. */
static bool note_endless(struct ork_search *s, const struct ork_decision_of_run *made,
                         const struct ork_trace *trace)
{
    bool is_new;

    if (made == NULL || !is_to_give_up(made->change) || ork_change_is_given_up(made->change, trace))
        return true;
    return note(&s->endless, hash_loop(s, made->run, made->change), &is_new);
}

/* Did the rank poll on, with other calls in between, until it was not forced any more? RATIONALE:
 * the order is a further one, because of the calls; but it shows nothing else than that of the
 * decision in which the poll was successful earlier, nor do those that it leads to. */
static bool is_in_vain(const struct ork_decision_of_run *made, const struct ork_trace *trace)
{
    const struct ork_change *change = made == NULL ? NULL : made->change;

    return change != NULL && change->polls == ORK_POLLS_ALL_GIVEN_UP &&
           !ork_change_is_given_up(change, trace) &&
           trace->rank[change->rank].num > change->keep[change->rank];
}

/* RATIONALE: it would be forced after each order of what comes before. */
static bool is_endless(const struct ork_search *s, uint32_t run, const struct ork_change *change)
{
    return is_to_give_up(change) && ork_map_get(&s->endless, hash_loop(s, run, change)) != 0;
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

static bool push(struct ork_search *s, uint32_t run, uint32_t index,
                 const struct ork_choice *choice)
{
    struct level *level = level_of(s, s->node[run].depth);
    uint32_t *quota = ork_map_use(&s->quota, hash_site(choice));

    if (level == NULL || quota == NULL ||
        !ork_vec_reserve(&s->item, &s->item_room, s->items + 1, sizeof(*s->item)))
        return false;
    s->item[s->items++] = (struct item){run, index};
    s->node[run].is_left[index] = true;
    s->left++;
    level->decisions++;
    ++*quota;
    return true;
}

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
    if (is_endless(s, run, change))
        return true;
    if (!ork_change_is_failure(change) &&
        !count_outcome(s, change->rank, &to, polled,
                       hash_identity(change->rank, change->number, choice), false))
        return false;
    if (!note(&s->seen, ork_explored_hash(s->explored, run, change), &is_new))
        return false;
    if (!is_new || ork_explored_covers(s->explored, run, change))
        return true;
    enum ork_bound bound = exceeds(s, run, change, choice);
    if (bound != ORK_BOUND_MAX) {
        s->left_out[bound]++;
        return true;
    }
    return push(s, run, index, choice);
}

static bool add_node(struct ork_search *s, const struct ork_decision_of_run *made,
                     struct ork_alternatives *alternatives)
{
    struct node *node = &s->node[s->nodes];
    uint32_t num = alternatives != NULL ? alternatives->num : 0;

    *node = (struct node){.alternatives = alternatives,
                          .is_left = calloc(num + (size_t)1, sizeof(bool)),
                          .depth = made != NULL ? s->node[made->run].depth + 1 : 0,
                          .made = made != NULL ? made->change : NULL};
    s->nodes++;
    struct level *level = level_of(s, node->depth);
    if (node->is_left == NULL || level == NULL || !count_run(s, s->nodes - 1))
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

    *is_new = !is_in_vain(made, trace);
    if (!*is_new && note_endless(s, made, trace))
        status = ORK_NOTFOUND;
    else if (note_endless(s, made, trace) && note(&s->seen, hash, is_new) && *is_new &&
             ork_vec_reserve(&s->node, &s->room, s->nodes + 1, sizeof(*s->node)))
        status = ork_explored_add(s->explored, trace);
    else if (!*is_new)
        status = ORK_NOTFOUND;
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
    s->left -= s->node[run].is_left[index];
    s->node[run].is_left[index] = false;
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
    if (s->bounds.samples) {
        uint32_t i = (uint32_t)(draw(s) % s->items);
        struct item drawn = s->item[i];
        s->item[i] = s->item[s->items - 1];
        s->item[s->items - 1] = drawn;
    }
    return s->item[--s->items];
}

bool ork_search_next(struct ork_search *s, struct ork_decision_of_run *next)
{
    while (s->items > 0) {
        struct item item = pop(s);
        if (!s->node[item.run].is_left[item.index])
            continue;
        ork_search_take(s, item.run, item.index, next);
        s->proposed++;
        if (is_endless(s, item.run, next->change)) {
            s->covered++;
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
    double fresh = s->proposed > 0 ? 1 - (double)s->covered / (double)s->proposed : 1;
    double orders = s->nodes;

    for (uint32_t i = 0; i < s->items; i++) {
        const struct item *item = &s->item[i];
        if (s->node[item->run].is_left[item->index])
            orders += fresh * below(s, s->node[item->run].depth + 1, fresh);
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

struct ork_search_counts ork_search_count(struct ork_search *s)
{
    struct ork_search_counts c = {
        .orders = s->nodes, .left = s->left, .unfit = s->unfit, .estimate = estimate(s)};

    memcpy(c.left_out, s->left_out, sizeof(c.left_out));
    return c;
}
