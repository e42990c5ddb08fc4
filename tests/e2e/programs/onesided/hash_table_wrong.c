/* SPDX-License-Identifier: BSD-3-Clause */
/* The hash table of hash_table_right.c with locks that are shared: all ranks find the same place
 * free, and each puts an entry there (MPI-3.1 section 11.7).
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * OUTPUT: shared locks: 1 of 48 keys
 * FINDING: rma-conflict error
 * SAYS: put bytes .* of the window of rank \d \(hash_table_wrong.c:\d+\) while rank \d put bytes .* of it \(hash_table_wrong.c:\d+\): nothing orders them
 */
#include "hash_table.h"

int main(int argc, char **argv)
{
    struct entry there;

    MPI_Init(&argc, &argv);
    table_make();
    const struct entry entry = {1, key_of(0, 1), 10 * key_of(0, 1)};
    const int home = home_of(entry.key);
    const MPI_Aint at = WORDS * place_of(entry.key, 0);
    MPI_Win_lock(MPI_LOCK_SHARED, home, 0, win);
    MPI_Get(&there, WORDS, MPI_INT64_T, home, at, WORDS, MPI_INT64_T, win);
    MPI_Win_unlock(home, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (there.claims == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, home, 0, win);
        MPI_Put(&entry, WORDS, MPI_INT64_T, home, at, WORDS, MPI_INT64_T, win);
        MPI_Win_unlock(home, win);
    }
    table_check("shared locks");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
