/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/outcomes/atomics.h"

#include "common/session.h"
#include "common/vec.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/ring/sections.h"
#include "interceptor/site/call_record.h"
#include "interceptor/site/map.h"
#include "record/lock_number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool ork_atomics_are_on, ork_atomics_were_made;

void ork_atomics_init(void)
{
    const char *wanted = getenv(ORK_ENV_ATOMICS);

    ork_atomics_are_on = wanted != NULL && strcmp(wanted, "1") == 0 && ork_choices_are_recorded();
}

/* RATIONALE: each stays where it is, because a call keeps a pointer to its numbers. */
struct location {
    _Atomic uint64_t *word; /* NULL: there is no room for it */
    uint32_t latest[2];     /* as in struct ork_lock: of reads, of updates */
};

static struct ork_map locations; /* by key */
static struct location **location;
static uint32_t num_locations, location_room;

/* NULL: out of memory. */
static struct location *add(uint64_t key)
{
    struct location *own = calloc(1, sizeof(*own));
    struct ork_entry *e = NULL;

    if (own != NULL &&
        ork_vec_reserve(&location, &location_room, num_locations + 1, sizeof(struct location *)))
        e = ork_map_insert(&locations, key);
    if (e == NULL) {
        free(own);
        return NULL;
    }
    own->word = ork_sections_location(key);
    e->id = num_locations;
    location[num_locations++] = own;
    return own;
}

bool ork_atomics_find(MPI_Win win, int target, MPI_Aint displacement, bool is_exclusive,
                      struct ork_lock *found)
{
    uint64_t key = ork_locks_key(win, target);
    int saved = errno;

    if (key == 0)
        return false;
    key = ork_hash_add(key, (uint64_t)(int64_t)displacement);
    key += key == 0;
    const struct ork_entry *e = ork_map_find(&locations, key);
    struct location *own = e != NULL ? location[e->id] : add(key);
    errno = saved;
    if (own == NULL || own->word == NULL)
        return false;
    *found = (struct ork_lock){.word = own->word,
                               .stride = 1,
                               .targets = 1,
                               .is_exclusive = is_exclusive,
                               .is_granted = true,
                               .latest = &own->latest[is_exclusive]};
    return true;
}

void ork_atomics_choose(const struct ork_call *call, const struct ork_lock *place, int target,
                        uint32_t number, enum ork_atomic_order order, uint32_t operands)
{
    const uint32_t since = ork_lock_number_since(place->latest, ork_thread.index, number);

    ork_choice_locked(call, ORK_CHOICE_LOCK, ork_thread.ordinal, ++ork_thread.locks, target,
                      (int32_t)number);
    ork_send_record(&ORK_RECORD(call, EXIT, .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER,
                                .tag = (int32_t)since, .arg = order, .arg2 = operands,
                                .extra = ork_choice_name(ork_thread.choices)));
}
