/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/finding_places.h"

#include "report/causes.h"
#include "report/ranks.h"
#include "viz/source_root.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_at(const struct ork_finding_place *place, const struct ork_rank_row *row)
{
    const struct ork_where *a = place->where, *b = &row->where;

    return a->line == b->line && a->offset == b->offset &&
           is_same(place->call, ork_rank_row_name(row)) && is_same(a->file, b->file) &&
           is_same(a->module, b->module) && is_same(a->function, b->function);
}

static void add_row(struct ork_finding_places *out, const struct ork_rank_row *row)
{
    uint32_t i = 0;

    while (i < out->count && !is_at(&out->place[i], row))
        i++;
    struct ork_finding_place *place = &out->place[i];
    if (i == out->count) {
        out->count++;
        *place = (struct ork_finding_place){.where = &row->where, .call = ork_rank_row_name(row)};
    }
    place->num_ranks++;
}

static bool has_place(const struct ork_rank_row *row)
{
    return row->where.file != NULL || row->where.module != NULL;
}

/* The rows that cause it come first, so that their places do. */
static void add_rows(struct ork_finding_places *out, const struct ork_finding *f,
                     const uint32_t *cause, uint32_t count, bool of_causes)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_rank_row *row = &f->waits[i];
        if (has_place(row) && ork_rank_in(cause, count, row->rank) == of_causes)
            add_row(out, row);
    }
}

/* Room for the ranks of each place, one behind the other in `room`; then the ranks. */
static void add_ranks(struct ork_finding_places *out, const struct ork_finding *f)
{
    uint32_t *room = out->room;

    for (uint32_t i = 0; i < out->count; i++) {
        struct ork_finding_place *place = &out->place[i];
        place->rank = room;
        room += place->num_ranks;
        place->num_ranks = 0;
        for (uint32_t k = 0; k < f->num_waits; k++)
            if (has_place(&f->waits[k]) && is_at(place, &f->waits[k]))
                place->rank[place->num_ranks++] = f->waits[k].rank;
    }
}

enum ork_status ork_finding_places_init(struct ork_finding_places *out, const struct ork_finding *f)
{
    uint32_t count = 0;
    uint32_t *cause = ork_finding_origins(f, &count);
    enum ork_status status = ORK_NOMEM;

    *out =
        (struct ork_finding_places){.place = calloc((size_t)f->num_waits + 1, sizeof(*out->place)),
                                    .room = calloc((size_t)f->num_waits + 1, sizeof(*out->room))};
    if (cause != NULL && out->place != NULL && out->room != NULL) {
        add_rows(out, f, cause, count, true);
        add_rows(out, f, cause, count, false);
        add_ranks(out, f);
        status = ORK_OK;
    } else {
        ork_finding_places_release(out);
    }
    free(cause);
    return status;
}

void ork_finding_places_release(struct ork_finding_places *places)
{
    free(places->place);
    free(places->room);
}

char *ork_finding_place_path(const struct ork_report *report, const struct ork_where *where)
{
    return ork_source_path(report->source_root, where->file != NULL ? where->file : where->module);
}
