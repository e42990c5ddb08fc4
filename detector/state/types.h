/* SPDX-License-Identifier: BSD-3-Clause */
/* The datatypes that records name, and the amounts of data in records. */
#ifndef ORK_DETECTOR_TYPES_H
#define ORK_DETECTOR_TYPES_H

#include "bytes/datatype/sequence.h"
#include "record/record.h"

struct known_sequence {
    struct ork_sequence *sequence; /* NULL: the place is empty */
    uint32_t id;
    bool is_ambiguous; /* two sequences have this id: it is not compared */
};

/* By id, with open addressing; a power of two. */
struct types {
    struct known_sequence *slot;
    uint32_t slots, used;
};

/* A number of elements of a datatype. */
struct amount {
    uint64_t bytes;
    uint32_t type; /* type id */
};

/* What a call with this record sends, or can receive. */
static inline struct amount amount_sent(const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_COLL)
        return (struct amount){rec->bytes, rec->arg2};
    return (struct amount){rec->bytes, rec->arg};
}

static inline struct amount amount_received(const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_SENDRECV)
        return (struct amount){rec->extra, rec->arg2};
    if (rec->kind == ORK_KIND_MRECV)
        return (struct amount){rec->bytes, rec->arg2};
    return amount_sent(rec);
}

/* Is there certainly nothing wrong, or nothing to compare? */
static inline bool amounts_agree(struct amount sent, struct amount room)
{
    if (room.type == ORK_TYPE_UNKNOWN && room.bytes == 0) /* an unknown room */
        return true;
    return sent.bytes <= room.bytes &&
           (sent.type == room.type || sent.bytes == 0 || sent.type == ORK_TYPE_UNKNOWN ||
            room.type == ORK_TYPE_UNKNOWN);
}

struct ork_detector;

/* TYPE_DEF: define a type id. An invalid definition is ignored, so the id is unknown. */
void ork_types_define(struct ork_detector *d, const struct ork_record *rec, const uint32_t *list);
/* The sequence of a type id, which is defined or of a predefined datatype. NULL: unknown. */
const struct ork_sequence *ork_types_get(struct ork_detector *d, uint32_t id);
/* False: not a whole number of a known type, or ork_types_get() did not get it before. */
bool ork_types_items(const struct ork_detector *d, struct amount amount, struct ork_items *items);
void ork_types_destroy(struct ork_detector *d);

#endif
