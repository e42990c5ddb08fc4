/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/listing.h"

#include "common/hash.h"
#include "common/vec.h"
#include "report/finding_kind.h"
#include "report/unlisted.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Findings of one kind at the same calls that are listed, because they may concern other ranks. */
enum { ALIKE_MAX = 10 };

struct ork_listing_item {
    uint64_t hash; /* of kind and message */
    enum ork_severity severity;
};

/* ---- what is alike ---- */

static uint64_t where_hash(uint64_t hash, const struct ork_where *where)
{
    hash = ork_hash_add(ork_hash_text(hash, where->file), where->line);
    return where->file != NULL ? hash
                               : ork_hash_add(ork_hash_text(hash, where->module), where->offset);
}

static uint64_t end_hash(uint64_t hash, const struct ork_match_end *end)
{
    return where_hash(ork_hash_text(hash, end->call), &end->where);
}

/* The message without its numbers: those of ranks, and values. */
static uint64_t words_hash(const char *message)
{
    uint64_t hash = 0;

    for (; *message != '\0'; message++)
        if (!isdigit((unsigned char)*message))
            hash = ork_hash_add(hash, (unsigned char)*message);
    return hash;
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Of the call, its place, and the callers of that. */
static uint64_t row_hash(const struct ork_rank_row *row)
{
    uint64_t hash = where_hash(ork_hash_text(0, row->call), &row->where);

    for (uint32_t i = 0; i < row->num_callers; i++)
        hash = where_hash(hash, &row->caller[i]);
    return hash;
}

/* Of the set of its calls and places. */
static enum ork_status rows_hash(const struct ork_finding *f, uint64_t *hash)
{
    uint64_t *row = malloc(f->num_waits * sizeof(*row) + 1);

    if (row == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < f->num_waits; i++)
        row[i] = row_hash(&f->waits[i]);
    qsort(row, f->num_waits, sizeof(*row), compare_hashes);
    for (uint32_t i = 0; i < f->num_waits; i++)
        if (i == 0 || row[i] != row[i - 1])
            *hash = ork_hash_add(*hash, row[i]);
    free(row);
    return ORK_OK;
}

/* RATIONALE: of a deadlock, the headline names sets of ranks, and its places say the rest. Without
 * places, findings are alike only if their messages are equal. */
static enum ork_status set_places(struct ork_finding *f)
{
    uint64_t hash = ork_hash_add(ork_hash_text((uint64_t)f->severity, f->id), (uint64_t)f->class_);

    if (f->num_waits == 0)
        hash = ork_hash_text(hash, f->message);
    else if (f->class_ == ORK_CLASS_NONE)
        hash = ork_hash_add(hash, words_hash(f->message));
    for (uint32_t i = 0; i < f->num_decisions; i++) {
        hash = end_hash(hash, &f->decision[i].receive);
        hash = end_hash(hash, &f->decision[i].send);
    }
    enum ork_status status = rows_hash(f, &hash);
    f->places = hash | (hash == 0);
    return status;
}

static bool is_state(const struct ork_finding *f)
{
    return f->class_ == ORK_MANIFEST || ork_finding_is(f, ORK_FINDING_HANG) ||
           ork_finding_is(f, ORK_FINDING_STATE) || ork_finding_is(f, ORK_FINDING_STATUS) ||
           ork_finding_is(f, ORK_FINDING_ABNORMAL_END);
}

enum ork_status ork_listing_find_like(struct ork_report *report, struct ork_finding *finding,
                                      struct ork_finding **like)
{
    struct ork_finding *first = NULL;
    uint32_t alike = 0;

    *like = NULL;
    if (is_state(finding))
        return ORK_OK;
    enum ork_status status = set_places(finding);
    for (uint32_t i = 0; i < report->num_findings && status == ORK_OK; i++) {
        struct ork_finding *f = &report->finding[i];
        if (f->places != finding->places)
            continue;
        first = first != NULL ? first : f;
        if (++alike == ALIKE_MAX || strcmp(f->message, finding->message) == 0) {
            *like = alike == ALIKE_MAX ? first : f;
            break;
        }
    }
    return status;
}

/* ---- a report that is full ---- */

bool ork_listing_is_full(const struct ork_report *report, const struct ork_finding *finding)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < report->num_findings; i++) {
        const struct ork_finding *f = &report->finding[i];
        same += f->class_ == finding->class_ && strcmp(f->id, finding->id) == 0;
    }
    return finding->class_ != ORK_MANIFEST && same >= ORK_LISTED_MAX;
}

static uint64_t message_hash(const struct ork_finding *f, const char *message)
{
    return ork_hash_text(ork_hash_add(ork_hash_text(0, f->id), (uint64_t)f->class_), message);
}

enum ork_status ork_listing_leave_out(struct ork_listing *l, struct ork_report *report,
                                      const struct ork_finding *finding)
{
    if (!ork_vec_reserve(&l->item, &l->room, l->count + 1, sizeof(*l->item)))
        return ORK_NOMEM;
    enum ork_status status = ork_unlisted_add(report, finding);
    if (status == ORK_OK)
        l->item[l->count++] = (struct ork_listing_item){
            .hash = message_hash(finding, finding->message), .severity = finding->severity};
    return status;
}

enum ork_status ork_listing_change(struct ork_listing *l, struct ork_report *report,
                                   const struct ork_finding *finding, const char *earlier,
                                   bool is_gone)
{
    uint64_t hash = message_hash(finding, earlier);

    for (uint32_t i = 0; i < l->count; i++) {
        if (l->item[i].hash != hash)
            continue;
        ork_unlisted_remove(report, finding, l->item[i].severity);
        l->item[i] = l->item[--l->count];
        return is_gone ? ORK_OK : ork_listing_leave_out(l, report, finding);
    }
    return ORK_OK;
}

void ork_listing_release(struct ork_listing *l)
{
    free(l->item);
    *l = (struct ork_listing){0};
}
