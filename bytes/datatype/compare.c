/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparison of sequences. Equal lengths are compared in O(1); else a prefix is taken in O(depth *
 * parts). */
#include "bytes/datatype/sequence.h"

struct ork_signature ork_items_signature(const struct ork_items *items)
{
    return ork_signature_repeat(&items->sequence->signature, items->count);
}

struct ork_signature ork_items_prefix(const struct ork_items *items, uint64_t length)
{
    struct ork_signature result = ORK_SIGNATURE_EMPTY;
    struct ork_items at = *items;

    while (length > 0) {
        const struct ork_signature *one = &at.sequence->signature;
        uint64_t whole = one->length > 0 ? length / one->length : 0;
        whole = whole < at.count ? whole : at.count;
        struct ork_signature repeated = ork_signature_repeat(one, whole);
        result = ork_signature_join(&result, &repeated);
        length -= whole * one->length;
        if (length == 0 || whole == at.count)
            return result;
        /* the beginning of the next copy: whole parts, then the beginning of a part */
        const struct ork_sequence *s = at.sequence;
        uint32_t i = 0;
        for (; i + 1 < s->num_parts; i++) {
            struct ork_signature part =
                ork_signature_repeat(&s->part[i].sequence->signature, s->part[i].count);
            if (part.length > length)
                break;
            result = ork_signature_join(&result, &part);
            length -= part.length;
        }
        if (s->num_parts == 0)
            return result;
        at = (struct ork_items){s->part[i].count, s->part[i].sequence};
    }
    return result;
}

uint32_t ork_items_at(const struct ork_items *items, uint64_t index)
{
    const struct ork_sequence *s = items->sequence;

    if (s->signature.unknown || s->signature.length == 0 ||
        index / s->signature.length >= items->count)
        return ORK_TYPE_UNKNOWN;
    index %= s->signature.length;
    while (s->num_parts > 0) {
        uint32_t i = 0;
        for (; i + 1 < s->num_parts; i++) {
            uint64_t length = s->part[i].count * s->part[i].sequence->signature.length;
            if (index < length)
                break;
            index -= length;
        }
        s = s->part[i].sequence;
        index %= s->signature.length;
    }
    return s->id;
}

typedef bool same(const struct ork_signature *a, const struct ork_signature *b);

/* The first element that differs, of `length` > 0 elements that are not the same. */
static uint64_t first_difference(const struct ork_items *a, const struct ork_items *b,
                                 uint64_t length, same *is_same)
{
    uint64_t equal = 0;

    while (length - equal > 1) {
        uint64_t middle = equal + (length - equal) / 2;
        struct ork_signature x = ork_items_prefix(a, middle);
        struct ork_signature y = ork_items_prefix(b, middle);
        if (is_same(&x, &y))
            equal = middle;
        else
            length = middle;
    }
    return equal;
}

static bool are_of_several_languages(const struct ork_signature *a, const struct ork_signature *b)
{
    unsigned languages = a->languages | b->languages;

    return (languages & (languages - 1)) != 0;
}

struct ork_comparison ork_items_compare(const struct ork_items *sent,
                                        const struct ork_items *received)
{
    struct ork_comparison c = {.match = ORK_TYPES_MATCH};
    struct ork_signature a = ork_items_signature(sent);
    struct ork_signature b = ork_items_signature(received);

    if (a.unknown || b.unknown || a.has_packed || b.has_packed)
        return c;
    uint64_t length = a.length < b.length ? a.length : b.length;
    c.is_longer = a.length > length;
    c.is_shorter = b.length > length;
    if (c.is_longer)
        a = ork_items_prefix(sent, length);
    if (c.is_shorter)
        b = ork_items_prefix(received, length);
    if (ork_signature_is_exact(&a, &b))
        return c;
    bool is_alike = ork_signature_is_alike(&a, &b);
    if (is_alike && are_of_several_languages(&a, &b))
        return c;
    c.match = is_alike ? ORK_TYPES_ALIKE : ORK_TYPES_DIFFER;
    c.first = first_difference(sent, received, length,
                               is_alike ? ork_signature_is_exact : ork_signature_is_alike);
    return c;
}
