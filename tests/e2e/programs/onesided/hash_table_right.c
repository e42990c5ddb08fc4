/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table in a window, filled with each kind of synchronisation of MPI-3.1 section 11.5:
 * exclusive locks, MPI_Win_lock_all with flushes, fences, and post, start, complete and wait. Where
 * several ranks want a place at the same time, MPI_Fetch_and_op says who is the first.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: locks: 48 of 48 keys
 * OUTPUT: flushes: 48 of 48 keys
 * OUTPUT: fences: 48 of 48 keys
 * OUTPUT: groups: 48 of 48 keys
 */
#include "hash_table.h"

/* Until the next synchronisation, it must not be called again. */
static void put_entry(int64_t key, int home, MPI_Aint place)
{
    static int64_t words[2];

    words[0] = key;
    words[1] = 10 * key;
    MPI_Put(words, 2, MPI_INT64_T, home, WORDS * place + 1, 2, MPI_INT64_T, win);
}

/* Once it is complete, *before is 0 if the rank has the place. */
static void claim(int64_t *before, int home, MPI_Aint place)
{
    static const int64_t one = 1;

    MPI_Fetch_and_op(&one, before, MPI_INT64_T, home, WORDS * place, MPI_SUM, win);
}

static void by_locks(void)
{
    for (int i = 0; i < KEYS; i++) {
        int64_t key = key_of(rank, i);
        struct entry entry = {1, key, 10 * key}, there;
        int home = home_of(key), tries = 0;
        MPI_Aint at;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, home, 0, win);
        do {
            at = WORDS * place_of(key, tries++);
            MPI_Get(&there, WORDS, MPI_INT64_T, home, at, WORDS, MPI_INT64_T, win);
            MPI_Win_flush(home, win);
        } while (there.claims != 0);
        MPI_Put(&entry, WORDS, MPI_INT64_T, home, at, WORDS, MPI_INT64_T, win);
        MPI_Win_unlock(home, win);
    }
}

static void by_flushes(void)
{
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < KEYS; i++) {
        int64_t key = key_of(rank, i), before;
        int home = home_of(key), tries = 0;
        do {
            claim(&before, home, place_of(key, tries++));
            MPI_Win_flush(home, win);
        } while (before != 0);
        put_entry(key, home, place_of(key, tries - 1));
        MPI_Win_flush(home, win);
    }
    MPI_Win_unlock_all(win);
}

/* In one epoch each rank tries to take a place, in the next one it puts the entry or tries the next
 * place. All make as many epochs as the slowest needs. */
static void by_fences(void)
{
    int i = 0, tries = 0, left = 1;

    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    while (left > 0) {
        int64_t key = key_of(rank, i), before = -1;
        if (i < KEYS)
            claim(&before, home_of(key), place_of(key, tries));
        MPI_Win_fence(0, win);
        if (before == 0)
            put_entry(key, home_of(key), place_of(key, tries));
        tries = before == 0 ? 0 : tries + 1;
        i += before == 0;
        MPI_Win_fence(0, win);
        int mine = KEYS - i;
        MPI_Allreduce(&mine, &left, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void of_one(int other, MPI_Group *one)
{
    MPI_Group all;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, one);
    MPI_Group_free(&all);
}

/* Each rank has the whole table of another one for itself: it gets the table, and puts it back. */
static void by_groups(void)
{
    for (int distance = 0; distance < ranks; distance++) {
        int to = (rank + distance) % ranks, from = (rank + ranks - distance) % ranks;
        struct entry copy[SLOTS];
        MPI_Group target, origin;
        of_one(to, &target);
        of_one(from, &origin);
        MPI_Win_post(origin, 0, win);
        MPI_Win_start(target, 0, win);
        MPI_Get(copy, WORDS * SLOTS, MPI_INT64_T, to, 0, WORDS * SLOTS, MPI_INT64_T, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        for (int i = 0; i < KEYS; i++) {
            int64_t key = key_of(rank, i);
            int tries = 0;
            if (home_of(key) != to)
                continue;
            while (copy[place_of(key, tries)].claims != 0)
                tries++;
            copy[place_of(key, tries)] = (struct entry){1, key, 10 * key};
        }
        MPI_Win_post(origin, 0, win);
        MPI_Win_start(target, 0, win);
        MPI_Put(copy, WORDS * SLOTS, MPI_INT64_T, to, 0, WORDS * SLOTS, MPI_INT64_T, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        MPI_Group_free(&target);
        MPI_Group_free(&origin);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    table_make();
    by_locks();
    table_check("locks");
    by_flushes();
    table_check("flushes");
    by_fences();
    table_check("fences");
    by_groups();
    table_check("groups");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
