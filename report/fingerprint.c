/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/fingerprint.h"

#include "common/hash.h"
#include "report/causes.h"
#include "report/enum_names.h"
#include "report/escape.h"
#include "report/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A finding among those with the same hash. */
struct entry {
    uint64_t hash;
    uint64_t at; /* the first line of its causes; without lines, the first offset */
    const char *message;
    uint32_t index;
};

static const char *last_part(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;

    return slash != NULL ? slash + 1 : path;
}

/* RATIONALE: a text as JSON has it, so that a report that was read again has the same hashes. */
static bool add_text(uint64_t *hash, const char *s)
{
    char *clean = s != NULL ? ork_utf8_clean(s) : NULL;

    *hash = ork_hash_text(*hash, clean);
    free(clean);
    return s == NULL || clean != NULL;
}

/* RATIONALE: no line and no folder, which differ from commit to commit and from one machine to
 * another. False: out of memory. */
static bool hash_row(const struct ork_rank_row *row, uint64_t *hash)
{
    const struct ork_where *where = &row->where;
    const char *file = where->file != NULL ? where->file : where->module;

    *hash = 0;
    return add_text(hash, row->call) && add_text(hash, where->function) &&
           add_text(hash, last_part(file));
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Of the rows, each counts once, in any order: so the number of ranks does not matter. */
static uint64_t hash_of_rows(uint64_t hash, uint64_t *row, uint32_t count)
{
    if (count > 0)
        qsort(row, count, sizeof(*row), compare_hashes);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || row[i] != row[i - 1])
            hash = ork_hash_add(hash, row[i]);
    }
    return hash;
}

static uint64_t place_in_file(const struct ork_where *where)
{
    return where->line != 0 ? where->line : where->offset;
}

static enum ork_status make_entry(const struct ork_finding *f, uint32_t index, struct entry *out)
{
    uint32_t causes = 0, count = 0;
    uint32_t *cause = ork_finding_origins(f, &causes);
    uint64_t *row = malloc(((size_t)f->num_waits + 1) * sizeof(*row));
    uint64_t at = UINT64_MAX;
    bool made = cause != NULL && row != NULL;

    for (uint32_t i = 0; made && i < f->num_waits; i++) {
        const struct ork_rank_row *wait = &f->waits[i];
        if (!ork_rank_in(cause, causes, wait->rank))
            continue;
        made = hash_row(wait, &row[count++]);
        at = place_in_file(&wait->where) < at ? place_in_file(&wait->where) : at;
    }
    *out = (struct entry){.at = at, .message = f->message, .index = index};
    made = made && add_text(&out->hash, f->id) && add_text(&out->hash, ork_class_word(f->class_));
    if (made)
        out->hash = hash_of_rows(out->hash, row, count);
    free(cause);
    free(row);
    return made ? ORK_OK : ORK_NOMEM;
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    int order = strcmp(x->message, y->message);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static void number(struct entry *entry, uint32_t count, struct ork_fingerprint *out)
{
    uint32_t n = 0;

    qsort(entry, count, sizeof(*entry), compare_entries);
    for (uint32_t i = 0; i < count; i++) {
        n = i > 0 && entry[i].hash == entry[i - 1].hash ? n + 1 : 1;
        snprintf(out[entry[i].index].text, sizeof(out->text), "%016" PRIx64 ":%" PRIu32,
                 entry[i].hash, n);
    }
}

enum ork_status ork_fingerprints(const struct ork_report *report, struct ork_fingerprint **out)
{
    uint32_t count = report->num_findings;
    struct entry *entry = malloc(((size_t)count + 1) * sizeof(*entry));
    struct ork_fingerprint *list = malloc(((size_t)count + 1) * sizeof(*list));
    enum ork_status status = entry != NULL && list != NULL ? ORK_OK : ORK_NOMEM;

    for (uint32_t i = 0; status == ORK_OK && i < count; i++)
        status = make_entry(&report->finding[i], i, &entry[i]);
    if (status == ORK_OK) {
        number(entry, count, list);
        *out = list;
        list = NULL;
    }
    free(entry);
    free(list);
    return status;
}
