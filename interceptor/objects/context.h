/* SPDX-License-Identifier: BSD-3-Clause */
/* Context numbers of communicators, windows and files: equal at all members, and of no other
 * object. No message is needed: the members of a group make all objects of this
 * group in the same order (MPI-3.1 section 5.12). With the recorder's lock held. */
#ifndef ORK_CONTEXT_H
#define ORK_CONTEXT_H

#include <stdint.h>

/* Object `id` has the group(s) with this hash; 0: some member is in another job. Returns its
 * context number: 0 if the hash is 0, or out of memory. */
uint64_t ork_context_add(uint32_t id, uint64_t group);
/* Object `id` has the group(s) of object `parent`. */
uint64_t ork_context_add_like(uint32_t id, uint32_t parent);
/* The context number of an object; 0: it has none. */
uint64_t ork_context_of(uint32_t id);
/* The next context number of the group(s) of an object, for what is no object; 0: as above. All
 * members draw it in the same place of their order of constructors. */
uint64_t ork_context_draw(uint32_t id);
/* The object was freed: its number is not used again. Nothing if there is none. RATIONALE: so the
 * memory of a program that makes one in each step does not grow. */
void ork_context_forget(uint32_t id);

/* The hash of runs as in a COMM_DEF record: of one group, or of two in either order (inter). */
uint64_t ork_context_group(const uint32_t *word, uint32_t count);
static inline uint64_t ork_context_groups(uint64_t local, uint64_t remote)
{
    return local == 0 || remote == 0 ? 0 : (local ^ remote) | 1;
}

#endif
