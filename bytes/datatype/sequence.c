/* SPDX-License-Identifier: BSD-3-Clause */
#include "bytes/datatype/sequence.h"

#include <stdlib.h>

static struct ork_sequence *allocate(size_t num_parts)
{
    struct ork_sequence *s = calloc(1, sizeof(*s) + num_parts * sizeof(s->part[0]));

    if (s == NULL)
        return NULL;
    s->refs = 1;
    s->signature = ORK_SIGNATURE_EMPTY;
    s->num_parts = (uint32_t)num_parts;
    return s;
}

struct ork_sequence *ork_sequence_ref(struct ork_sequence *s)
{
    s->refs++;
    return s;
}

/* RATIONALE: the depth of the recursion is limited by ORK_SEQUENCE_DEPTH. */
void ork_sequence_unref(struct ork_sequence *s)
{
    if (s == NULL || --s->refs > 0)
        return;
    for (uint32_t i = 0; i < s->num_parts; i++)
        ork_sequence_unref(s->part[i].sequence);
    free(s);
}

struct ork_sequence *ork_sequence_unknown(uint64_t bytes)
{
    struct ork_sequence *s = allocate(0);

    if (s == NULL)
        return NULL;
    s->signature = ORK_SIGNATURE_UNKNOWN;
    s->bytes = bytes;
    return s;
}

static struct ork_sequence *single(uint32_t type_id)
{
    struct ork_sequence *s = allocate(0);

    if (s == NULL)
        return NULL;
    s->signature = ork_signature_of_basic(type_id);
    s->bytes = ork_basic_size_of_id(type_id);
    s->id = s->signature.unknown ? ORK_TYPE_UNKNOWN : type_id;
    return s;
}

struct ork_sequence *ork_sequence_of_basic(uint32_t type_id)
{
    uint32_t element[2];

    if (!ork_basic_pair(type_id, element))
        return single(type_id);
    struct ork_part part[2] = {{1, single(element[0])}, {1, single(element[1])}};
    struct ork_sequence *s = NULL;
    if (part[0].sequence != NULL && part[1].sequence != NULL)
        s = ork_sequence_of_parts(part, 2);
    ork_sequence_unref(part[0].sequence);
    ork_sequence_unref(part[1].sequence);
    return s;
}

/* ---- joining ---- */

static bool is_empty(const struct ork_part *p)
{
    return p->count == 0 || (p->sequence->signature.length == 0 && !p->sequence->signature.unknown);
}

/* Repetitions of repetitions are one. */
static struct ork_part simplify(struct ork_part p)
{
    const struct ork_sequence *s = p.sequence;

    if (s->num_parts == 1 && s->part[0].count <= UINT64_MAX / p.count)
        return (struct ork_part){.count = p.count * s->part[0].count,
                                 .sequence = s->part[0].sequence};
    return p;
}

static bool is_same(const struct ork_sequence *a, const struct ork_sequence *b)
{
    return a == b || (a->id == b->id && a->id != ORK_TYPE_UNKNOWN &&
                      ork_signature_is_exact(&a->signature, &b->signature));
}

/* Write the parts, joined with their neighbours, to `out`, unless it is NULL. Returns how many. */
static size_t collect(const struct ork_part *part, size_t n, struct ork_part *out)
{
    struct ork_part last = {0};
    size_t num = 0;

    for (size_t i = 0; i < n; i++) {
        if (is_empty(&part[i]))
            continue;
        struct ork_part p = simplify(part[i]);
        if (num > 0 && is_same(last.sequence, p.sequence) && p.count <= UINT64_MAX - last.count) {
            last.count += p.count;
        } else {
            num++;
            last = p;
        }
        if (out != NULL)
            out[num - 1] = last;
    }
    return num;
}

static uint32_t hash(const struct ork_signature *s)
{
    uint64_t x = (s->exact ^ s->length << 32 ^ s->length >> 32) * UINT64_C(0x9e3779b97f4a7c15);

    return ORK_TYPE_DERIVED | (uint32_t)(x >> 33);
}

/* Of `s`, whose parts are set. */
static void summarize(struct ork_sequence *s)
{
    for (uint32_t i = 0; i < s->num_parts; i++) {
        const struct ork_sequence *p = s->part[i].sequence;
        struct ork_signature repeated = ork_signature_repeat(&p->signature, s->part[i].count);
        s->signature = ork_signature_join(&s->signature, &repeated);
        s->bytes += s->part[i].count * p->bytes;
        s->depth = p->depth + 1 > s->depth ? p->depth + 1 : s->depth;
    }
    if (s->depth > ORK_SEQUENCE_DEPTH)
        s->signature = ORK_SIGNATURE_UNKNOWN;
    s->id = s->signature.unknown ? ORK_TYPE_UNKNOWN : hash(&s->signature);
}

static uint64_t bytes_of(const struct ork_part *part, size_t n)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += part[i].count * part[i].sequence->bytes;
    return bytes;
}

struct ork_sequence *ork_sequence_of_parts(const struct ork_part *part, size_t n)
{
    size_t num = collect(part, n, NULL);

    if (num > ORK_SEQUENCE_PARTS)
        return ork_sequence_unknown(bytes_of(part, n));
    struct ork_sequence *s = allocate(num);
    if (s == NULL)
        return NULL;
    collect(part, n, s->part);
    if (num == 1 && s->part[0].count == 1) {
        struct ork_sequence *only = ork_sequence_ref(s->part[0].sequence);
        free(s);
        return only;
    }
    for (size_t i = 0; i < num; i++)
        ork_sequence_ref(s->part[i].sequence);
    summarize(s);
    if (!s->signature.unknown)
        return s;
    uint64_t bytes = s->bytes;
    ork_sequence_unref(s);
    return ork_sequence_unknown(bytes);
}

/* RATIONALE: equal neighbours are joined, so copies of one element are a single part. */
uint32_t ork_sequence_element(const struct ork_sequence *s)
{
    if (s->num_parts == 1)
        s = s->part[0].sequence;
    return s->num_parts == 0 ? s->id : ORK_TYPE_UNKNOWN;
}
