/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.3: buffers of one-sided calls are used again as soon as the calls are complete
 * at the origin, by each of the calls that complete them; what is only read may be read by others;
 * and results that nobody needs go to one place.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

static int memory[4], buffer[4], unused, rank, other;
static MPI_Win win;

/* The buffer is read and written by other calls. */
static void use(void)
{
    MPI_Sendrecv_replace(buffer, 4, MPI_INT, 0, 0, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void get(void)
{
    MPI_Get(buffer, 4, MPI_INT, other, 0, 4, MPI_INT, win);
}

static void in_fences(void)
{
    MPI_Win_fence(0, win);
    get();
    MPI_Win_fence(0, win);
    use();
    MPI_Put(buffer, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Get(buffer, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Get(buffer, 0, MPI_INT, other, 0, 0, MPI_INT, win);
    use();
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void in_locks(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    get();
    MPI_Win_flush(other, win);
    use();
    get();
    MPI_Win_flush_local(other, win);
    use();
    get();
    MPI_Win_unlock(other, win);
    use();
    MPI_Win_lock_all(0, win);
    get();
    MPI_Win_flush_all(win);
    use();
    get();
    MPI_Win_flush_local_all(win);
    use();
    get();
    MPI_Win_unlock_all(win);
    use();
}

static void in_group(MPI_Group group)
{
    MPI_Win_post(group, 0, win);
    MPI_Win_start(group, 0, win);
    get();
    MPI_Win_complete(win);
    use();
    MPI_Win_wait(win);
}

static void with_requests(void)
{
    MPI_Request request[2];
    int one = 1, flag = 0, received[4];

    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Rget(buffer, 4, MPI_INT, other, 0, 4, MPI_INT, win, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    use();
    MPI_Rget(buffer, 2, MPI_INT, other, 0, 2, MPI_INT, win, &request[0]);
    MPI_Rget(buffer + 2, 2, MPI_INT, other, 2, 2, MPI_INT, win, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    use();
    MPI_Rget(buffer, 4, MPI_INT, other, 0, 4, MPI_INT, win, &request[0]);
    while (!flag)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    use();
    MPI_Accumulate(buffer, 4, MPI_INT, other, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(buffer, 4, MPI_INT, other, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Isend(buffer, 4, MPI_INT, other, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Win_flush(other, win);
    for (int i = 0; i < 40; i++)
        MPI_Fetch_and_op(&one, &unused, MPI_INT, other, 0, MPI_SUM, win);
    MPI_Win_unlock(other, win);
    MPI_Recv(received, 4, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Group all, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &group);
    for (int i = 0; i < 3; i++) {
        MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        in_fences();
        in_locks();
        MPI_Barrier(MPI_COMM_WORLD);
        in_group(group);
        with_requests();
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_free(&win);
        use();
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
