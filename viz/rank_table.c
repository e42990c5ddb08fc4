/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/rank_table.h"

#include "common/hash.h"
#include "report/escape.h"
#include "report/ranks.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STRING_MAX 160u /* characters of one of the application's strings */

/* A shorter series is easier to read row by row. */
#define SHIFTED_MIN 9u

/* Waits sorted by their contents: equal neighbours make a row. */
enum grouping { GROUP_OPEN, GROUP_CLOSED, GROUP_SHIFTED };
struct key {
    uint64_t open;    /* everything except the rank */
    uint64_t closed;  /* as if each waited for itself, too */
    uint64_t shifted; /* its partner relative to its own rank */
    uint64_t group;   /* the one of these that it is grouped by */
    int64_t offset;
    bool can_shift;
    uint32_t rank;
    uint32_t index; /* in finding->waits */
    bool root;
    enum grouping by;
};

static uint64_t hash_place(uint64_t h, const struct ork_where *where)
{
    h = ork_hash_text(h, where->function);
    h = ork_hash_text(h, where->file);
    h = ork_hash_add(h, where->line);
    h = ork_hash_text(h, where->module);
    return ork_hash_add(h, where->offset);
}

/* Everything except the ranks that it waits for. */
static uint64_t hash_wait(const struct ork_rank_row *wait, bool root)
{
    uint64_t h = ork_hash_text(root, wait->call);

    h = ork_hash_text(h, wait->comm);
    h = ork_hash_text(h, wait->tag);
    for (uint32_t i = 0; wait->remote && i < wait->waits_for.count; i++)
        h = ork_hash_add(h, wait->waits_for.item[i]); /* the same number is another rank there */
    h = ork_hash_text(h, wait->operation);
    h = ork_hash_add(h, wait->is_or);
    h = ork_hash_text(h, wait->state);
    h = ork_hash_text(h, wait->detail);
    h = hash_place(h, &wait->where);
    h = ork_hash_add(h, wait->now.ahead);
    h = ork_hash_text(h, wait->now.call);
    h = hash_place(h, &wait->now.where);
    for (uint32_t i = 0; i < wait->num_callers; i++)
        h = hash_place(h, &wait->caller[i]);
    for (uint32_t i = 0; i < wait->num_stack; i++)
        h = hash_place(h, &wait->stack[i]);
    return h;
}

/* Does it wait for one rank, named as peer, at a distance that makes sense from every rank? */
static bool shift_of(const struct ork_rank_row *wait, int64_t *offset)
{
    char peer[16];

    if (wait->waits_for.count != 1 || wait->peer == NULL || wait->detail != NULL)
        return false;
    *offset = (int64_t)wait->waits_for.item[0] - wait->rank;
    snprintf(peer, sizeof(peer), "%" PRIu32, wait->waits_for.item[0]);
    return *offset != 0 && strcmp(peer, wait->peer) == 0;
}

static uint64_t hash_rank(uint32_t rank)
{
    return ork_hash_add(1, rank);
}

static struct key make_key(const struct ork_rank_row *wait, uint32_t index, bool root)
{
    uint64_t alike = hash_wait(wait, root);
    uint64_t peer_hash = ork_hash_text(alike, wait->peer);
    int64_t offset = 0;
    bool can_shift = shift_of(wait, &offset);
    uint64_t set = 0; /* a sum, because a set has no order */
    bool self = false;

    for (uint32_t i = 0; i < wait->waits_for.count; i++) {
        set += hash_rank(wait->waits_for.item[i]);
        self = self || wait->waits_for.item[i] == wait->rank;
    }
    uint64_t open = ork_hash_add(peer_hash, set);
    uint64_t closed = ork_hash_add(peer_hash + 1, self ? set : set + hash_rank(wait->rank));
    return (struct key){.open = open,
                        .closed = closed,
                        .shifted = ork_hash_add(alike + 2, (uint64_t)offset),
                        .offset = offset,
                        .can_shift = can_shift,
                        .group = open,
                        .rank = wait->rank,
                        .index = index,
                        .root = root};
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_group(const void *a, const void *b)
{
    const struct key *x = a;
    const struct key *y = b;
    int by_group = compare_u64(x->group, y->group);
    int by_rank = compare_u64(x->rank, y->rank);

    if (by_group != 0)
        return by_group;
    return by_rank != 0 ? by_rank : compare_u64(x->index, y->index);
}

/* Index after the keys that are grouped with key i. */
static uint32_t group_end(const struct key *key, uint32_t count, uint32_t i)
{
    uint32_t end = i + 1;

    while (end < count && key[end].group == key[i].group)
        end++;
    return end;
}

/* Keys without an equal one are grouped again by "all wait for all others", and then by "all wait
 * for the next rank". */
static void regroup_singles(struct key *key, uint32_t count, enum grouping by)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        end = group_end(key, count, i);
        if (end - i > 1 || (by == GROUP_SHIFTED && !key[i].can_shift))
            continue;
        key[i].group = by == GROUP_CLOSED ? key[i].closed : key[i].shifted;
        key[i].by = by;
    }
    qsort(key, count, sizeof(*key), compare_group);
}

/* Short series of ranks that wait for their neighbours stay separate. */
static void ungroup_few(struct key *key, uint32_t count)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        end = group_end(key, count, i);
        bool few = key[i].by == GROUP_SHIFTED && end - i < SHIFTED_MIN;
        for (uint32_t k = i; k < end && few; k++) {
            key[k].group = key[k].open;
            key[k].by = GROUP_OPEN;
        }
    }
    qsort(key, count, sizeof(*key), compare_group);
}

/* All ranks of bottom knots, ascending. NULL: no memory. */
static uint32_t *root_ranks(const struct ork_finding *finding, uint32_t *count)
{
    size_t total = 0;

    for (uint32_t i = 0; i < finding->num_roots; i++)
        total += finding->roots[i].count;
    uint32_t *rank = malloc((total + 1) * sizeof(*rank));
    if (rank == NULL)
        return NULL;
    total = 0;
    for (uint32_t i = 0; i < finding->num_roots; i++)
        for (uint32_t j = 0; j < finding->roots[i].count; j++)
            rank[total++] = finding->roots[i].item[j];
    qsort(rank, total, sizeof(*rank), ork_rank_compare);
    *count = (uint32_t)total;
    return rank;
}

/* Grouped keys of all waits. NULL: no memory. */
static struct key *make_keys(const struct ork_finding *finding)
{
    uint32_t num_roots;
    uint32_t *root = root_ranks(finding, &num_roots);

    if (root == NULL)
        return NULL;
    struct key *key = malloc(((size_t)finding->num_waits + 1) * sizeof(*key));
    for (uint32_t i = 0; key != NULL && i < finding->num_waits; i++)
        key[i] =
            make_key(&finding->waits[i], i, ork_rank_in(root, num_roots, finding->waits[i].rank));
    free(root);
    if (key == NULL)
        return NULL;
    qsort(key, finding->num_waits, sizeof(*key), compare_group);
    regroup_singles(key, finding->num_waits, GROUP_CLOSED);
    regroup_singles(key, finding->num_waits, GROUP_SHIFTED);
    ungroup_few(key, finding->num_waits);
    return key;
}

static int compare_row(const void *a, const void *b)
{
    const struct ork_row *x = a;
    const struct ork_row *y = b;
    int by_rank = compare_u64(x->rank[0], y->rank[0]);

    return by_rank != 0 ? by_rank : (x->wait > y->wait) - (x->wait < y->wait);
}

/* The ranks that `wait` waits for and its own rank, ascending. NULL: no memory. */
static uint32_t *closed_set(const struct ork_rank_row *wait, uint32_t *count)
{
    uint32_t n = wait->waits_for.count;
    uint32_t *set = malloc(((size_t)n + 1) * sizeof(*set));

    if (set == NULL)
        return NULL;
    memcpy(set, wait->waits_for.item, n * sizeof(*set));
    if (!ork_rank_in(set, n, wait->rank))
        set[n++] = wait->rank;
    qsort(set, n, sizeof(*set), ork_rank_compare);
    *count = n;
    return set;
}

static enum ork_status fill_rows(struct ork_rank_table *rows, const struct ork_finding *finding,
                                 const struct key *key)
{
    for (uint32_t i = 0, end; i < finding->num_waits; i = end) {
        struct ork_row *row = &rows->row[rows->count++];
        for (end = i; end < finding->num_waits && key[end].group == key[i].group; end++)
            rows->rank[end] = key[end].rank;
        *row = (struct ork_row){.wait = &finding->waits[key[i].index],
                                .rank = &rows->rank[i],
                                .count = end - i,
                                .root = key[i].root,
                                .shifted = key[i].by == GROUP_SHIFTED,
                                .offset = key[i].offset};
        if (key[i].by == GROUP_CLOSED && end - i > 1 && row->wait->waits_for.count > 0) {
            row->others = closed_set(row->wait, &row->num_others);
            if (row->others == NULL)
                return ORK_NOMEM;
        }
    }
    qsort(rows->row, rows->count, sizeof(*rows->row), compare_row);
    return ORK_OK;
}

enum ork_status ork_rank_table_init(struct ork_rank_table *rows, const struct ork_finding *finding)
{
    size_t room = (size_t)finding->num_waits + 1;
    struct key *key = make_keys(finding);

    *rows = (struct ork_rank_table){
        .row = malloc(room * sizeof(*rows->row)),
        .rank = malloc(room * sizeof(*rows->rank)),
        .num_ranks = finding->num_waits,
    };
    bool ready = key != NULL && rows->row != NULL && rows->rank != NULL;
    enum ork_status status = ready ? fill_rows(rows, finding, key) : ORK_NOMEM;
    free(key);
    if (status != ORK_OK)
        ork_rank_table_release(rows);
    return status;
}

void ork_rank_table_release(struct ork_rank_table *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        free(rows->row[i].others);
    free(rows->row);
    free(rows->rank);
    memset(rows, 0, sizeof(*rows));
}

/* In this call, peer and tag are those of the leaders. */
static bool is_of_leaders(const struct ork_rank_row *wait)
{
    return wait->call != NULL && strcmp(wait->call, "MPI_Intercomm_create") == 0;
}

const char *ork_row_peer_word(const struct ork_rank_row *wait)
{
    if (is_of_leaders(wait))
        return "remote leader ";
    return wait->tag != NULL ? "peer " : "root ";
}

static bool has_detail(const struct ork_rank_row *wait)
{
    return wait->detail != NULL && wait->detail[0] != '\0';
}

const char *ork_row_state_words(const struct ork_rank_row *wait)
{
    if (wait->state == NULL || strcmp(wait->state, "unknown") != 0)
        return wait->state != NULL ? wait->state : "";
    if (has_detail(wait))
        return "";
    return wait->call != NULL && wait->call[0] != '\0' ? "the tool cannot see what it waits for"
                                                       : "the tool cannot see what it does";
}

/* RATIONALE: a call of several parts (Sendrecv, Waitall) may need one of these ranks and any of
 * those. Its parts are in the detail, so the row has no "all of". */
static const char *quantity_words(const struct ork_rank_row *wait, bool others)
{
    if (wait->is_or)
        return others ? "any other of " : "any of ";
    if (has_detail(wait))
        return others ? "others of " : "";
    return others ? "all others of " : "all of ";
}

/* Does the report number its only peer differently from the communicator? */
static bool is_numbered_otherwise(const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;
    char rank[16];

    if (wait->tag == NULL || is_of_leaders(wait) || wait->peer == NULL ||
        !isdigit((unsigned char)wait->peer[0]) || wait->detail != NULL || row->others != NULL ||
        wait->waits_for.count != 1)
        return false;
    snprintf(rank, sizeof(rank), "%" PRIu32, wait->waits_for.item[0]);
    return strcmp(rank, wait->peer) != 0;
}

void ork_row_put_remote(FILE *out, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;

    if (row->shifted || (!wait->remote && !is_numbered_otherwise(row)))
        return;
    if (wait->remote)
        fputs(" of the remote group", out);
    if (wait->waits_for.count == 1)
        fprintf(out, " (rank %" PRIu32 ")", wait->waits_for.item[0]);
}

static void put_argument(FILE *out, const char *name, const char *value, bool *first)
{
    if (value == NULL)
        return;
    fprintf(out, "%s%s", *first ? "(" : ", ", name);
    ork_escape_text(out, value, STRING_MAX);
    *first = false;
}

void ork_row_put_call(FILE *out, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;
    bool first = true;

    if (wait->own_name != NULL) {
        ork_escape_text(out, wait->own_name, STRING_MAX);
        fputs(": ", out);
    }
    ork_escape_text(out, wait->call, STRING_MAX);
    put_argument(out, ork_row_peer_word(wait), row->shifted ? NULL : wait->peer, &first);
    ork_row_put_remote(out, row);
    put_argument(out, "tag ", wait->tag, &first);
    put_argument(out, "", wait->operation, &first);
    put_argument(out, "", wait->comm, &first);
    if (!first)
        fputc(')', out);
}

bool ork_row_put_for(FILE *out, const struct ork_row *row, uint32_t max_runs)
{
    const struct ork_rank_row *wait = row->wait;

    if (row->others != NULL) {
        fputs(quantity_words(wait, true), out);
        ork_put_ranks(out, row->others, row->num_others, max_runs);
        return true;
    }
    if (row->shifted) {
        fprintf(out, "rank%+" PRId64, row->offset);
        return true;
    }
    if (wait->waits_for.count == 0) {
        if (wait->is_or)
            fputs("no rank: none can complete this call", out);
        return wait->is_or;
    }
    if (wait->waits_for.count > 1)
        fputs(quantity_words(wait, false), out);
    ork_put_ranks(out, wait->waits_for.item, wait->waits_for.count, max_runs);
    return true;
}
