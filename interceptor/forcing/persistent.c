/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/persistent.h"

#include "common/vec.h"
#include "interceptor/ring/recorder.h"

#include <errno.h>

/* RATIONALE: a program has few of them, so a list is enough. The lock of the recorder protects it.
 */
static struct ork_persistent *list;
static uint32_t count, room;

static struct ork_persistent *find(MPI_Request handle)
{
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].handle == handle)
            return &list[i];
    }
    return NULL;
}

bool ork_persistent_any(void)
{
    return count > 0;
}

void ork_persistent_add(MPI_Request handle, const struct ork_receive *receive)
{
    int saved = errno;

    ork_lock();
    if (ork_vec_reserve(&list, &room, count + 1, sizeof(*list)))
        list[count++] = (struct ork_persistent){.handle = handle, .receive = *receive};
    ork_unlock();
    errno = saved;
}

void ork_persistent_remove(MPI_Request handle)
{
    ork_lock();
    struct ork_persistent *p = find(handle);
    if (p != NULL)
        *p = list[--count];
    ork_unlock();
}

bool ork_persistent_find(MPI_Request handle, struct ork_persistent *found)
{
    ork_lock();
    const struct ork_persistent *p = find(handle);
    if (p != NULL)
        *found = *p;
    ork_unlock();
    return p != NULL;
}

bool ork_persistent_get(uint32_t n, struct ork_persistent *found)
{
    ork_lock();
    bool exists = n < count;
    if (exists)
        *found = list[n];
    ork_unlock();
    return exists;
}
