/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/fold_distance.h"

#include "common/hash.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 4u /* distances or ranks in a label */

uint64_t ork_distance_modulus(const struct ork_graph *graph)
{
    uint64_t modulus = 1;

    for (uint32_t i = 0; i < graph->num_nodes; i++)
        if (graph->node[i].rank >= modulus)
            modulus = (uint64_t)graph->node[i].rank + 1;
    return modulus;
}

static bool has_distance(const struct ork_graph *graph, const struct ork_link *link)
{
    return graph->node[link->from].kind != ORK_NODE_HUB &&
           graph->node[link->to].kind == ORK_NODE_RANK;
}

static int64_t straight(const struct ork_graph *graph, const struct ork_link *link)
{
    return (int64_t)graph->node[link->to].rank - graph->node[link->from].rank;
}

bool ork_distance_is_around(const struct ork_graph *graph, const struct ork_link *link,
                            uint64_t modulus)
{
    int64_t d = straight(graph, link);

    return has_distance(graph, link) && 2 * (uint64_t)(d < 0 ? -d : d) > modulus;
}

static int64_t distance(const struct ork_graph *graph, const struct ork_link *link,
                        uint64_t modulus)
{
    int64_t d = straight(graph, link);

    if (!ork_distance_is_around(graph, link, modulus))
        return d;
    return d < 0 ? d + (int64_t)modulus : d - (int64_t)modulus;
}

void ork_distance_hash(const struct ork_graph *graph, const struct ork_link *link,
                       uint32_t num_links, uint64_t *hash, uint64_t *target)
{
    uint64_t modulus = ork_distance_modulus(graph);

    memset(hash, 0, graph->num_nodes * sizeof(*hash));
    memset(target, 0, graph->num_nodes * sizeof(*target));
    for (uint32_t i = 0; i < num_links; i++) {
        if (!has_distance(graph, &link[i]))
            continue;
        hash[link[i].from] += ork_hash_add(6, (uint64_t)distance(graph, &link[i], modulus));
        target[link[i].from] += ork_hash_add(7, graph->node[link[i].to].rank);
    }
}

static int compare_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The node's distances or ranks, ascending, without doubles; UINT32_MAX: more than WORDS_MAX. */
static uint32_t collect(const struct ork_graph *graph, const struct ork_link *link,
                        uint32_t num_links, const struct ork_relation *relation, int64_t *value)
{
    uint64_t modulus = ork_distance_modulus(graph);
    uint32_t count = 0;

    for (uint32_t i = 0; i < num_links; i++) {
        if (link[i].from != relation->node || !has_distance(graph, &link[i]))
            continue;
        int64_t v = relation->same_distance ? distance(graph, &link[i], modulus)
                                            : graph->node[link[i].to].rank;
        uint32_t k = 0;
        while (k < count && value[k] != v)
            k++;
        if (k < count)
            continue;
        if (count == WORDS_MAX)
            return UINT32_MAX;
        value[count++] = v;
    }
    qsort(value, count, sizeof(*value), compare_i64);
    return count;
}

enum ork_status ork_relation_words(const struct ork_graph *graph, const struct ork_link *link,
                                   uint32_t num_links, const struct ork_relation *relation,
                                   char **text)
{
    int64_t value[WORDS_MAX];
    uint32_t count = collect(graph, link, num_links, relation, value);
    const char *between = graph->node[relation->node].is_or ? " or " : " and ";
    struct ork_text_stream stream;

    *text = NULL;
    if (count == 0 || count == UINT32_MAX)
        return ORK_OK;
    FILE *out = ork_text_open(&stream);
    if (out == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            fputs(between, out);
        if (!relation->same_distance)
            fprintf(out, "%" PRId64, value[i]);
        else if (value[i] == 0)
            fputs("itself", out);
        else
            fprintf(out, "rank%+" PRId64, value[i]);
    }
    if (relation->same_distance && relation->around)
        fprintf(out, " mod %" PRIu64, ork_distance_modulus(graph));
    return ork_text_take(&stream, ORK_OK, text);
}
