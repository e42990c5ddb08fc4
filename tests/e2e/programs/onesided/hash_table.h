/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table in a window: each rank has SLOTS places for entries, and an entry is in the first
 * free place behind the one that the hash of its key names. Each rank inserts KEYS entries. */
#ifndef ORK_E2E_HASH_TABLE_H
#define ORK_E2E_HASH_TABLE_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 64, KEYS = 12 };

enum { WORDS = 3 };
struct entry {
    int64_t claims; /* ranks that wanted the place: the first one has it */
    int64_t key, value;
};

static int rank, ranks;
static struct entry *table;
static MPI_Win win;

static int64_t key_of(int owner, int i)
{
    return 1 + (int64_t)i * ranks + owner;
}

static uint64_t hash_of(int64_t key)
{
    return (uint64_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static int home_of(int64_t key)
{
    return (int)(hash_of(key) % (unsigned)ranks);
}

static MPI_Aint place_of(int64_t key, int tries)
{
    return (MPI_Aint)((hash_of(key) / (unsigned)ranks + (unsigned)tries) % SLOTS);
}

static void table_make(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(SLOTS * sizeof(*table), sizeof(int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &table,
                     &win);
    memset(table, 0, SLOTS * sizeof(*table));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All keys are there, each once, with its value. Rank 0 prints how many they are; then the table is
 * empty again. */
static void table_check(const char *name)
{
    int mine = 0, all = 0;

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int i = 0; i < SLOTS; i++)
        mine += table[i].key != 0 && table[i].value == 10 * table[i].key;
    memset(table, 0, SLOTS * sizeof(*table));
    MPI_Win_unlock(rank, win);
    MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d of %d keys\n", name, all, KEYS * ranks);
    MPI_Barrier(MPI_COMM_WORLD);
}

#endif
