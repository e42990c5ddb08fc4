/* SPDX-License-Identifier: BSD-3-Clause */
/* Life cycle of the handle, and the building calls, which check and record their arguments.
 * wfg->error stores the first failure; later calls do nothing, and ork_wfg_search() returns it. */
#include "common/assert.h"
#include "common/vec.h"
#include "wfg/wfg_internal.h"

#include <stdlib.h>

enum ork_status ork_wfg_create(uint32_t nprocs, struct ork_wfg **out)
{
    struct ork_wfg *wfg = calloc(1, sizeof(*wfg));
    if (wfg == NULL)
        return ORK_NOMEM;
    wfg->conditions.num_processes = nprocs;
    wfg->conditions.state = ork_array_create(nprocs, sizeof(*wfg->conditions.state));
    if (wfg->conditions.state == NULL)
        goto err_free_wfg;
    *out = wfg;
    return ORK_OK;

err_free_wfg:
    free(wfg);
    return ORK_NOMEM;
}

void ork_conditions_release(struct ork_conditions *conditions)
{
    free(conditions->state);
    free(conditions->token);
    free(conditions->hub);
    free(conditions->member);
    *conditions = (struct ork_conditions){0};
}

void ork_wfg_destroy(struct ork_wfg *wfg)
{
    if (wfg == NULL)
        return;
    ork_conditions_release(&wfg->conditions);
    ork_wfg_graph_release(&wfg->graph);
    ork_results_release(&wfg->results);
    free(wfg);
}

/* Is this call allowed now? If not, set the graph's error, unless it has one. */
static bool check(struct ork_wfg *wfg, bool in_place)
{
    if (wfg->searched || wfg->error != ORK_OK)
        return false;
    if (!in_place)
        wfg->error = ORK_INVALID;
    return in_place;
}

static bool is_op(enum ork_wfg_op op)
{
    return op == ORK_WFG_AND || op == ORK_WFG_OR;
}

/* Make room for one more than `count` elements; if that fails, set the graph's error. */
static bool reserve(struct ork_wfg *wfg, void *array, uint32_t count, uint32_t *capacity,
                    size_t size)
{
    if (count != ORK_NONE && ork_vec_reserve(array, capacity, count + 1, size))
        return true;
    wfg->error = ORK_NOMEM;
    return false;
}

static void record(struct ork_wfg *wfg, enum ork_token_kind kind, uint32_t value, uint32_t label)
{
    struct ork_conditions *c = &wfg->conditions;

    if (reserve(wfg, &c->token, c->num_tokens, &c->token_capacity, sizeof(*c->token)))
        c->token[c->num_tokens++] = (struct ork_token){kind, value, label};
}

/* Is a part of a condition allowed here? ork_wfg_end() checks their number. */
static bool check_part(struct ork_wfg *wfg, bool valid)
{
    if (!check(wfg, valid && wfg->inside))
        return false;
    if (wfg->depth == 0)
        wfg->num_parts++;
    return true;
}

uint32_t ork_wfg_add_hub(struct ork_wfg *wfg, enum ork_wfg_op op, uint32_t label)
{
    struct ork_conditions *c = &wfg->conditions;

    if (!check(wfg, is_op(op)))
        return ORK_NONE;
    if (!reserve(wfg, &c->hub, c->num_hubs, &c->hub_capacity, sizeof(*c->hub)))
        return ORK_NONE;
    c->hub[c->num_hubs] = (struct ork_hub){op, label};
    return c->num_hubs++;
}

void ork_wfg_add_member(struct ork_wfg *wfg, uint32_t hub, uint32_t process)
{
    struct ork_conditions *c = &wfg->conditions;

    if (!check(wfg, hub < c->num_hubs && process < c->num_processes))
        return;
    if (reserve(wfg, &c->member, c->num_members, &c->member_capacity, sizeof(*c->member)))
        c->member[c->num_members++] = (struct ork_member){hub, process};
}

static bool is_free(const struct ork_wfg *wfg, uint32_t process)
{
    return process < wfg->conditions.num_processes &&
           wfg->conditions.state[process] == ORK_PROCESS_FREE;
}

void ork_wfg_begin(struct ork_wfg *wfg, uint32_t process)
{
    if (!check(wfg, !wfg->inside && is_free(wfg, process)))
        return;
    ORK_ASSERT(wfg->depth == 0); /* the previous condition was closed */
    wfg->conditions.state[process] = ORK_PROCESS_WAITS;
    wfg->inside = true;
    wfg->process = process;
    wfg->num_parts = 0;
    record(wfg, ORK_TOKEN_BEGIN, process, 0);
}

void ork_wfg_open(struct ork_wfg *wfg, enum ork_wfg_op op, uint32_t label)
{
    struct ork_conditions *c = &wfg->conditions;

    if (!check_part(wfg, is_op(op)))
        return;
    c->num_open++;
    if (++wfg->depth > c->max_depth)
        c->max_depth = wfg->depth;
    record(wfg, ORK_TOKEN_OPEN, op, label);
}

void ork_wfg_atom(struct ork_wfg *wfg, uint32_t process, uint32_t label)
{
    if (check_part(wfg, process < wfg->conditions.num_processes))
        record(wfg, ORK_TOKEN_ATOM, process, label);
}

void ork_wfg_hub(struct ork_wfg *wfg, uint32_t hub, uint32_t label)
{
    if (check_part(wfg, hub < wfg->conditions.num_hubs))
        record(wfg, ORK_TOKEN_HUB, hub, label);
}

void ork_wfg_true(struct ork_wfg *wfg)
{
    if (check_part(wfg, true))
        record(wfg, ORK_TOKEN_TRUE, 0, 0);
}

void ork_wfg_close(struct ork_wfg *wfg)
{
    if (!check(wfg, wfg->depth > 0))
        return;
    wfg->depth--;
    record(wfg, ORK_TOKEN_CLOSE, 0, 0);
}

void ork_wfg_end(struct ork_wfg *wfg)
{
    if (check(wfg, wfg->inside && wfg->depth == 0 && wfg->num_parts == 1))
        wfg->inside = false;
}

void ork_wfg_set_done(struct ork_wfg *wfg, uint32_t process)
{
    if (check(wfg, is_free(wfg, process)))
        wfg->conditions.state[process] = ORK_PROCESS_DONE;
}
