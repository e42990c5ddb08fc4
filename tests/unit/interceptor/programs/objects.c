/* SPDX-License-Identifier: BSD-3-Clause */
/* Four ranks with windows, files and their errors. test_objects.py says what must be seen. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int r, x[4], y[4];
static MPI_Comm reversed;

static void check(int condition, const char *what)
{
    if (!condition) {
        printf("wrong: %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

static MPI_Group group_of(const int *rank, int count)
{
    MPI_Group world, result;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, rank, &result);
    MPI_Group_free(&world);
    return result;
}

/* Ranks 1 and 3 put at ranks 2 and 0. */
static void groups(MPI_Win w)
{
    int target[2] = {2, 0}, origin[2] = {1, 3}, flag = 0;
    MPI_Group targets = group_of(target, 2), origins = group_of(origin, 2);

    if (r % 2 == 1) {
        MPI_Win_start(targets, 0, w);
        MPI_Put(&r, 1, MPI_INT, 0, (MPI_Aint)r, 1, MPI_INT, w);
        MPI_Win_complete(w);
    } else {
        MPI_Win_post(origins, 0, w);
        while (r == 0 && !flag)
            MPI_Win_test(w, &flag);
        if (r == 2)
            MPI_Win_wait(w);
    }
    check(r != 0 || (x[1] == 1 && x[3] == 3), "what was put");
    MPI_Win_post(MPI_GROUP_EMPTY, 0, w);
    MPI_Win_wait(w);
    MPI_Group_free(&targets);
    MPI_Group_free(&origins);
}

static void windows(void)
{
    MPI_Win w, v;
    MPI_Comm server;

    MPI_Win_create(x, sizeof(x), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_set_name(w, "first");
    groups(w);
    MPI_Win_create(y, sizeof(y), sizeof(int), MPI_INFO_NULL, reversed, &v);
    MPI_Win_fence(0, v);
    MPI_Win_free(&v);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, w);
    MPI_Win_unlock(2, w);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);
    MPI_Win_unlock(1, w);
    MPI_Win_lock_all(0, w);
    MPI_Win_unlock_all(w);
    MPI_Win_free(&w);
    MPI_Comm_dup(MPI_COMM_WORLD, &server);
    MPI_Comm_disconnect(&server);
}

/* A negative count fails, and nothing is open on the file afterwards. */
static void errors(MPI_File f, MPI_Status *st)
{
    MPI_File none;

    check(MPI_File_open(reversed, "no/such/folder", MPI_MODE_RDONLY, MPI_INFO_NULL, &none) !=
              MPI_SUCCESS,
          "a file that is not there");
    check(MPI_File_read_all(f, x, -1, MPI_INT, st) != MPI_SUCCESS, "a read_all");
    check(MPI_File_read_all_begin(f, x, -1, MPI_INT) != MPI_SUCCESS, "a read_all_begin");
}

static void files(void)
{
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
    char own[32];
    MPI_File all, mine;
    MPI_Request q;
    MPI_Status st;

    snprintf(own, sizeof(own), "objects.%d", r);
    MPI_File_open(MPI_COMM_WORLD, "objects.all", mode, MPI_INFO_NULL, &all);
    MPI_File_open(MPI_COMM_SELF, own, mode, MPI_INFO_NULL, &mine);
    MPI_File_write_all_begin(all, x, 1, MPI_INT);
    MPI_File_write_all_begin(mine, x, 1, MPI_INT);
    MPI_Irecv(y, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_write_all_end(all, x, &st);
    MPI_File_write_all_end(mine, x, &st);
    MPI_File_iwrite_at_all(all, 0, x, 1, MPI_INT, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    errors(all, &st);
    MPI_File_close(&mine);
    MPI_File_close(&all);
}

static void reductions(void)
{
    MPI_Op op;

    MPI_Op_create((MPI_User_function *)0x10, 1, &op);
    MPI_Reduce(x, y, 0, MPI_INT, op, 0, MPI_COMM_SELF);
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -r, &reversed);
    windows();
    files();
    reductions();
    MPI_Finalize();
    return 0;
}
