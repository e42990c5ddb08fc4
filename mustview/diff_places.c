/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/diff_places.h"

#include "common/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    return slash != NULL ? slash + 1 : path;
}

uint64_t ork_place_hash(uint64_t hash, const struct ork_rank_row *wait)
{
    const struct ork_where *where = &wait->where;

    hash = ork_hash_text(hash, wait->call);
    hash = ork_hash_text(hash, base_name(where->file != NULL ? where->file : where->module));
    return ork_hash_add(hash, where->file != NULL ? where->line : where->offset);
}

bool ork_place_equal(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return strcmp(a, b) == 0;
}

static char *place_words(const struct ork_rank_row *wait)
{
    const struct ork_where *where = &wait->where;
    const char *call = wait->call[0] != '\0' ? wait->call : wait->state;
    char *text = NULL;
    int n;

    if (where->file != NULL)
        n = asprintf(&text, "%s at %s:%" PRIu32, call, base_name(where->file), where->line);
    else if (where->module != NULL)
        n = asprintf(&text, "%s at %s+0x%" PRIx64, call, base_name(where->module), where->offset);
    else
        n = asprintf(&text, "%s", call);
    return n < 0 ? NULL : text;
}

/* Ranks with the index of their wait; those without a wait come last. */
struct entry {
    uint32_t rank;
    uint32_t wait;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->wait > y->wait) - (x->wait < y->wait);
}

enum ork_status ork_places_init(struct ork_places *places, const struct ork_finding *finding)
{
    size_t room = (size_t)finding->num_waits + finding->ranks.count + 1;
    struct entry *entry = malloc(room * sizeof(*entry));
    uint32_t n = 0;

    *places = (struct ork_places){.finding = finding, .item = calloc(room, sizeof(*places->item))};
    if (entry == NULL || places->item == NULL) {
        free(entry);
        return ORK_NOMEM;
    }
    for (uint32_t i = 0; i < finding->num_waits; i++)
        entry[n++] = (struct entry){.rank = finding->waits[i].rank, .wait = i};
    for (uint32_t i = 0; i < finding->ranks.count; i++)
        entry[n++] = (struct entry){.rank = finding->ranks.item[i], .wait = UINT32_MAX};
    qsort(entry, n, sizeof(*entry), compare_entries);
    enum ork_status status = ORK_OK;
    for (uint32_t i = 0; i < n && status == ORK_OK; i++) {
        if (i > 0 && entry[i].rank == entry[i - 1].rank)
            continue;
        struct ork_place *place = &places->item[places->count++];
        place->rank = entry[i].rank;
        place->words =
            entry[i].wait != UINT32_MAX ? place_words(&finding->waits[entry[i].wait]) : strdup("");
        status = place->words != NULL ? ORK_OK : ORK_NOMEM;
    }
    free(entry);
    return status;
}

void ork_places_release(struct ork_places *places)
{
    for (uint32_t i = 0; i < places->count; i++)
        free(places->item[i].words);
    free(places->item);
    memset(places, 0, sizeof(*places));
}
