/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/datatype_expanded.h"

#include <stdlib.h>
#include <string.h>

static bool is_marker(const struct entry *e)
{
    return e->id == MARKED_LB || e->id == MARKED_UB;
}

void expanded_add(struct expanded *map, uint32_t id, int64_t at)
{
    if (map->n == map->room) {
        map->room = map->room == 0 ? 16 : 2 * map->room;
        map->entry = realloc(map->entry, map->room * sizeof(*map->entry));
        if (map->entry == NULL)
            abort();
    }
    map->entry[map->n++] = (struct entry){id, at};
}

void expanded_free(struct expanded *map)
{
    free(map->entry);
    *map = (struct expanded){0};
}

static int64_t size_of(const struct entry *e)
{
    return ork_basic_size_of_id(e->id);
}

bool expanded_data(const struct expanded *map, struct ork_type_bounds *data)
{
    bool any = false;

    for (size_t i = 0; i < map->n; i++) {
        const struct entry *e = &map->entry[i];
        if (is_marker(e))
            continue;
        if (!any || e->at < data->low)
            data->low = e->at;
        if (!any || e->at + size_of(e) > data->high)
            data->high = e->at + size_of(e);
        any = true;
    }
    return any;
}

int64_t expanded_lb(const struct expanded *map)
{
    struct ork_type_bounds data = {0};
    bool marked = false;
    int64_t lb = 0;

    for (size_t i = 0; i < map->n; i++) {
        if (map->entry[i].id == MARKED_LB && (!marked || map->entry[i].at < lb)) {
            lb = map->entry[i].at;
            marked = true;
        }
    }
    return !marked && expanded_data(map, &data) ? data.low : lb;
}

static int64_t alignment(const struct expanded *map)
{
    int64_t most = 1;

    for (size_t i = 0; i < map->n; i++) {
        if (is_marker(&map->entry[i]))
            continue;
        bool is_complex = ork_basic_kind(ork_basic_of_id(map->entry[i].id)) == ORK_BASIC_IS_COMPLEX;
        int64_t a = is_complex ? size_of(&map->entry[i]) / 2 : size_of(&map->entry[i]);
        most = a > most ? a : most;
    }
    return most;
}

int64_t expanded_ub(const struct expanded *map)
{
    struct ork_type_bounds data = {0};
    bool marked = false;
    int64_t ub = 0;

    for (size_t i = 0; i < map->n; i++) {
        if (map->entry[i].id == MARKED_UB && (!marked || map->entry[i].at > ub)) {
            ub = map->entry[i].at;
            marked = true;
        }
    }
    if (marked || !expanded_data(map, &data))
        return ub;
    uint64_t k = (uint64_t)alignment(map);
    uint64_t extent = (uint64_t)(data.high - expanded_lb(map));
    return data.high + (int64_t)((k - extent % k) % k);
}

void expanded_add_copies(struct expanded *map, const struct expanded *old, int64_t count,
                         int64_t at)
{
    int64_t extent = expanded_ub(old) - expanded_lb(old);

    for (int64_t i = 0; i < count; i++) {
        for (size_t k = 0; k < old->n; k++)
            expanded_add(map, old->entry[k].id, at + i * extent + old->entry[k].at);
    }
}

void expanded_resize(struct expanded *map, int64_t lb, int64_t extent)
{
    size_t kept = 0;

    for (size_t i = 0; i < map->n; i++) {
        if (!is_marker(&map->entry[i]))
            map->entry[kept++] = map->entry[i];
    }
    map->n = kept;
    expanded_add(map, MARKED_LB, lb);
    expanded_add(map, MARKED_UB, lb + extent);
}

size_t expanded_length(const struct expanded *map)
{
    size_t n = 0;

    for (size_t i = 0; i < map->n; i++)
        n += !is_marker(&map->entry[i]);
    return n;
}

uint32_t *expanded_sequence(const struct expanded *map, size_t count)
{
    uint32_t *ids = calloc(expanded_length(map) * count + 1, sizeof(*ids));
    size_t n = 0;

    if (ids == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < map->n; k++) {
            if (!is_marker(&map->entry[k]))
                ids[n++] = map->entry[k].id;
        }
    }
    return ids;
}

static int compare(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

bool expanded_repeats(const struct expanded *map)
{
    struct expanded data = {0};
    bool repeats = false;

    for (size_t i = 0; i < map->n; i++) {
        if (!is_marker(&map->entry[i]))
            expanded_add(&data, map->entry[i].id, map->entry[i].at);
    }
    if (data.n > 1)
        qsort(data.entry, data.n, sizeof(*data.entry), compare);
    for (size_t i = 1; i < data.n; i++)
        repeats |= data.entry[i - 1].at + size_of(&data.entry[i - 1]) > data.entry[i].at;
    expanded_free(&data);
    return repeats;
}
