/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of several ranks of which nothing says which comes first, although outcomes depend on it;
 * "right": calls like these that something orders, or whose order does not matter. The arguments
 * name a file and the parts that are run, one after the other; each has words of its own in the
 * windows. test_unordered.py names the calls by the comments behind them.
 *
 * RANKS: 3 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, ranks;
static int *memory;
static double *sums;
static MPI_Win window, reals;

/* The first word of the window that a part uses. */
enum { TICKET, TURN, SUM, SWAPPED, ADDED, FENCED = ADDED + 3, STARTED, REPLACED, WORDS };

static void make_windows(void)
{
    MPI_Win_allocate(WORDS * (MPI_Aint)sizeof(*memory), sizeof(*memory), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &window);
    MPI_Win_allocate(sizeof(*sums), sizeof(*sums), MPI_INFO_NULL, MPI_COMM_WORLD, &sums, &reals);
    memset(memory, 0, WORDS * sizeof(*memory));
    *sums = 0;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* So many that the tool stops to expect a window. */
static void send_much(void)
{
    for (int i = 0; i < 90000; i++) {
        if (me == 0)
            MPI_Send(&i, 1, MPI_INT, 1, i % 7, MPI_COMM_WORLD);
        int got;
        if (me == 1)
            MPI_Recv(&got, 1, MPI_INT, 0, i % 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void take_ticket(int place, const char *what)
{
    const int one = 1;
    int ticket = -1;

    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, place, MPI_SUM, window); // fetch
    MPI_Win_flush(0, window);
    printf("rank %d: %s %d\n", me, what, ticket);
}

static void passive(void)
{
    MPI_Win_lock_all(0, window);
    take_ticket(TICKET, "ticket");
    MPI_Win_unlock_all(window);
}

static void swap(void)
{
    const int mine = me + 1, none = 0;
    int was;

    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Compare_and_swap(&mine, &none, &was, MPI_INT, 0, SWAPPED, window); // swap
    MPI_Win_unlock(0, window);
    printf("rank %d: %d\n", me, was);
}

static void get_accumulate(void)
{
    int mine[2] = {me + 1, me + 1}, was[2];

    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Get_accumulate(mine, 2, MPI_INT, was, 2, MPI_INT, 0, ADDED + me % 2, 2, MPI_INT, MPI_SUM,
                       window); // get_accumulate
    MPI_Win_unlock(0, window);
    printf("rank %d: %d %d\n", me, was[0], was[1]);
}

static void fence(void)
{
    const int one = 1;
    int ticket;

    MPI_Win_fence(0, window);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, FENCED, MPI_SUM, window); // fence
    MPI_Win_fence(0, window);
    printf("rank %d: %d\n", me, ticket);
}

static void start(void)
{
    const int first = 0, others[2] = {1, 2}, one = 1;
    int ticket;
    MPI_Group world, group;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, me == 0 ? 2 : 1, me == 0 ? others : &first, &group);
    if (me == 0) {
        MPI_Win_post(group, 0, window);
        MPI_Win_wait(window);
    } else {
        MPI_Win_start(group, 0, window);
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, STARTED, MPI_SUM, window); // start
        MPI_Win_complete(window);
        printf("rank %d: %d\n", me, ticket);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static void replace(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Accumulate(&me, 1, MPI_INT, 0, REPLACED, 1, MPI_INT, MPI_REPLACE, window); // replace
    MPI_Win_unlock(0, window);
}

static void round_sums(void)
{
    const double mine = me == 0 ? 1e16 : 1;

    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, reals);
    MPI_Accumulate(&mine, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, reals); // rounded
    MPI_Win_unlock(0, reals);
}

static MPI_File open_file(const char *name)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    return file;
}

static void file_pointer(const char *name)
{
    MPI_Request request;
    MPI_File file = open_file(name);

    if (me == 0)
        MPI_File_write_shared(file, &me, 1, MPI_INT, MPI_STATUS_IGNORE); // write_shared
    if (me == 1) {
        MPI_File_iwrite_shared(file, &me, 1, MPI_INT, &request); // iwrite_shared
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
}

static void ordered_file(const char *name)
{
    int read = -1;
    MPI_File file = open_file(name);

    MPI_File_write_ordered(file, &me, 1, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < ranks; i++) {
        if (me == i)
            MPI_File_write_shared(file, &me, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, &read, 1, MPI_INT, MPI_STATUS_IGNORE);
    printf("rank %d: read %d\n", me, read);
    MPI_File_close(&file);
}

/* An exclusive lock is a choice. */
static void exclude(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    take_ticket(TICKET, "exclusive");
    MPI_Win_unlock(0, window);
}

static void take_turns(void)
{
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < ranks; i++) {
        if (me == i)
            take_ticket(TURN, "turn");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(window);
}

/* In any order the sum is the same, and nobody fetches it before all have added to it. */
static void add(void)
{
    const int mine = me + 1;
    int sum = 0;

    MPI_Win_lock_all(0, window);
    MPI_Accumulate(&mine, 1, MPI_INT, 0, SUM, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_flush(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(NULL, &sum, MPI_INT, 0, SUM, MPI_NO_OP, window);
    MPI_Win_unlock_all(window);
    printf("rank %d: sum %d\n", me, sum);
}

static void be_right(const char *name)
{
    exclude();
    MPI_Barrier(MPI_COMM_WORLD);
    take_turns();
    add();
    ordered_file(name);
}

static void run(const char *part, const char *name)
{
    if (strcmp(part, "fetch") == 0 || strcmp(part, "late") == 0)
        passive();
    else if (strcmp(part, "swap") == 0)
        swap();
    else if (strcmp(part, "get_accumulate") == 0)
        get_accumulate();
    else if (strcmp(part, "fence") == 0)
        fence();
    else if (strcmp(part, "start") == 0)
        start();
    else if (strcmp(part, "replace") == 0)
        replace();
    else if (strcmp(part, "rounded") == 0)
        round_sums();
    else if (strcmp(part, "file") == 0)
        file_pointer(name);
    else
        be_right(name);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 2 && strcmp(argv[2], "late") == 0)
        send_much();
    make_windows();
    for (int i = 2; i < argc; i++) {
        run(argv[i], argv[1]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&reals);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
