/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/sections.h"

#include "common/hash.h"
#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL: nothing is counted. */
static struct ork_sections *sections;

void ork_sections_adopt(int fd)
{
    struct stat file;
    void *memory = MAP_FAILED;

    if (fd < 0)
        return;
    if (fstat(fd, &file) == 0 && (size_t)file.st_size >= sizeof(*sections))
        memory = mmap(NULL, sizeof(*sections), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (memory != MAP_FAILED)
        sections = memory;
}

/* ---- rows ---- */

static struct ork_sections_row words_of(uint64_t row)
{
    const uint64_t first = row & ((UINT64_C(1) << ORK_SECTIONS_FIRST) - 1);

    return (struct ork_sections_row){
        .word = &sections->word[first],
        .stride = first < ORK_SECTIONS_SPREAD ? ORK_SECTIONS_STRIDE : 1,
    };
}

/* RATIONALE: a row with one word has nothing to spread. */
static bool take_spread(uint32_t words, uint64_t *first)
{
    const uint64_t size = (uint64_t)words * ORK_SECTIONS_STRIDE;

    if (words < 2 || atomic_load(&sections->used_spread) + size > ORK_SECTIONS_SPREAD)
        return false;
    *first = atomic_fetch_add(&sections->used_spread, size);
    return *first + size <= ORK_SECTIONS_SPREAD;
}

/* RATIONALE: if two ranks make the same row, the words of the one that is late stay unused. */
static uint64_t make_row(uint64_t key, uint32_t words)
{
    uint64_t first;

    if (!take_spread(words, &first)) {
        first = atomic_fetch_add(&sections->used_dense, words);
        if (first + words > ORK_SECTIONS_DENSE)
            return 0;
        first += ORK_SECTIONS_SPREAD;
    }
    return key << ORK_SECTIONS_FIRST | first;
}

struct ork_sections_row ork_sections_find(uint64_t key, uint32_t words)
{
    const struct ork_sections_row none = {.word = NULL};
    uint64_t own = 0;

    if (sections == NULL)
        return none;
    key = key << ORK_SECTIONS_FIRST >> ORK_SECTIONS_FIRST;
    key += key == 0;
    for (uint32_t i = 0; i < ORK_SECTIONS_ROWS; i++) {
        _Atomic uint64_t *row = &sections->row[(key + i) % ORK_SECTIONS_ROWS];
        uint64_t found = atomic_load(row);
        if (found == 0 && own == 0 && (own = make_row(key, words)) == 0)
            return none;
        if (found == 0 && atomic_compare_exchange_strong(row, &found, own))
            return words_of(own);
        if (found >> ORK_SECTIONS_FIRST == key)
            return words_of(found);
    }
    return none;
}

/* RATIONALE: a program may have any number of locations, so the search must end soon. A key that is
 * there is always found, because none is removed. */
enum { LOCATION_STEPS = 64 };

_Atomic uint64_t *ork_sections_location(uint64_t key)
{
    for (uint32_t i = 0; sections != NULL && i < LOCATION_STEPS; i++) {
        const uint64_t at = (key + i) % ORK_SECTIONS_LOCATIONS;
        uint64_t found = atomic_load(&sections->location[at]);
        if (found == 0 && atomic_compare_exchange_strong(&sections->location[at], &found, key))
            found = key;
        if (found == key)
            return &sections->word[ORK_SECTIONS_WORDS + at];
    }
    return NULL;
}

_Atomic uint64_t *ork_sections_decided(void)
{
    return sections != NULL ? &sections->decided : NULL;
}

_Atomic uint64_t *ork_sections_wanted(const _Atomic uint64_t *word)
{
    return &sections->wanted[word - sections->word];
}

_Atomic uint64_t *ork_sections_held(const _Atomic uint64_t *word)
{
    return &sections->held[word - sections->word];
}

/* ---- processes ---- */

static uint64_t key_of(const struct ork_process *process)
{
    return ork_hash_add(ork_hash_add(1, process->job), process->rank);
}

static int size_of(MPI_Group group)
{
    int size = 0;

    ORK_NEXT(MPI_Group_size)(group, &size);
    return size;
}

void ork_sections_enter(void)
{
    MPI_Group self;
    struct ork_process process;
    int saved = errno;

    if (sections == NULL || ORK_NEXT(MPI_Comm_group)(MPI_COMM_SELF, &self) != MPI_SUCCESS)
        return;
    if (ork_process_name(self, 0, &process)) {
        _Atomic uint64_t *word = ork_sections_find(key_of(&process), 1).word;
        if (word != NULL)
            atomic_store(word, 1);
    }
    ORK_NEXT(MPI_Group_free)(&self);
    errno = saved;
}

bool ork_sections_are_shared_by(MPI_Group group)
{
    int size = size_of(group);
    bool are = sections != NULL;

    for (int i = 0; i < size && are; i++) {
        struct ork_process process;
        _Atomic uint64_t *word = NULL;
        if (ork_process_name(group, i, &process))
            word = ork_sections_find(key_of(&process), 1).word;
        are = word != NULL && atomic_load(word) == 1;
    }
    return are;
}

uint64_t ork_sections_key(MPI_Group group)
{
    int size = size_of(group);
    uint64_t key = ork_hash_add(2, (uint64_t)size);

    for (int i = 0; i < size; i++) {
        struct ork_process process;
        if (!ork_process_name(group, i, &process))
            return 0;
        key = ork_hash_add(key, key_of(&process));
    }
    return key != 0 ? key : 1;
}
