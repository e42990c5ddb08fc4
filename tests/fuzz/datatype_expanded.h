/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes as type maps: a list of all elements and markers (MPI-3.1 section 4.1), and the
 * constructors as the standard defines them. */
#ifndef ORK_FUZZ_DATATYPE_EXPANDED_H
#define ORK_FUZZ_DATATYPE_EXPANDED_H

#include "bytes/datatype/type.h"

enum { MARKED_LB = 1, MARKED_UB = 2 }; /* instead of a type id */

struct entry {
    uint32_t id;
    int64_t at;
};

struct expanded {
    struct entry *entry;
    size_t n, room;
};

void expanded_add(struct expanded *map, uint32_t id, int64_t at);
/* `count` copies, each by the extent of `old` from the one before. */
void expanded_add_copies(struct expanded *map, const struct expanded *old, int64_t count,
                         int64_t at);
void expanded_resize(struct expanded *map, int64_t lb, int64_t extent);
void expanded_free(struct expanded *map);

int64_t expanded_lb(const struct expanded *map);
int64_t expanded_ub(const struct expanded *map);
/* Of the data; false: there is none. */
bool expanded_data(const struct expanded *map, struct ork_type_bounds *data);
/* Number of elements. */
size_t expanded_length(const struct expanded *map);
/* The type ids of `count` copies, to be freed. */
uint32_t *expanded_sequence(const struct expanded *map, size_t count);
/* Is a byte in it more than once? */
bool expanded_repeats(const struct expanded *map);

#endif
