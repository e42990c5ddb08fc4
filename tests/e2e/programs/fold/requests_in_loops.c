/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses with requests repeat, also with datatypes that have gaps, so what they do to the tables
 * of a rank is deferred. In a late iteration, a buffer is sent before its access is complete. What
 * is complete may be used.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: buffer-overlap: MPI_Send \(requests_in_loops.c:29\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Rget \(requests_in_loops.c:42\) writes
 * SAYS: buffer-overlap: MPI_Send \(requests_in_loops.c:29\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Rget \(requests_in_loops.c:43\) writes
 * SAYS: buffer-overlap: MPI_Send \(requests_in_loops.c:29\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Rget \(requests_in_loops.c:60\) writes
 * SAYS: orknot: 3 findings
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

enum { ITERATIONS = 2000, LATE = 1987 };

static int rank, other, first, second, got, sum = 1;
static int strided[8];
static MPI_Win win;
static MPI_Datatype column;

/* In one iteration, rank 0 sends the buffer. */
static void look(int i, int late, const int *buffer)
{
    if (i == late && rank == 0)
        MPI_Send(buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (i == late)
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void one_by_one(void)
{
    MPI_Request request[2];

    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Put(strided, 1, column, other, 2, 1, column, win);
        MPI_Win_flush(other, win);
        MPI_Rget(&first, 1, MPI_INT, other, 0, 1, MPI_INT, win, &request[0]);
        MPI_Rget(&second, 1, MPI_INT, other, 1, 1, MPI_INT, win, &request[1]);
        look(i, LATE, &first);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        look(i, LATE + 3, &first);
        look(i, LATE + 5, &second);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
        look(i, LATE + 7, &second);
    }
    MPI_Win_unlock_all(win);
}

static void all_at_once(void)
{
    MPI_Request request[2];

    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Rget(&first, 1, MPI_INT, other, 0, 1, MPI_INT, win, &request[0]);
        MPI_Raccumulate(&sum, 1, MPI_INT, other, 9, 1, MPI_INT, MPI_SUM, win, &request[1]);
        look(i, LATE, &first);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        look(i, LATE + 3, &first);
        MPI_Win_flush(other, win);
    }
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    int memory[16] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Type_vector(3, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    one_by_one();
    all_at_once();
    MPI_Win_free(&win);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
