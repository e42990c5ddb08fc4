/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_real.h"

bool has_windows;
MPI_Win win[WINDOWS];
double *shared[WINDOWS];
static MPI_Group left_group, right_group;

void make_windows(void)
{
    MPI_Group all;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &left, &left_group);
    MPI_Group_incl(all, 1, &right, &right_group);
    MPI_Group_free(&all);
    for (int k = 0; k < WINDOWS; k++)
        MPI_Win_allocate(4 * WORDS * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL,
                         MPI_COMM_WORLD, &shared[k], &win[k]);
    MPI_Win_fence(0, win[FENCED]);
    MPI_Win_lock_all(0, win[ALL_LOCKED]);
}

void free_windows(void)
{
    MPI_Win_unlock_all(win[ALL_LOCKED]);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win[FENCED]);
    for (int k = 0; k < WINDOWS; k++)
        MPI_Win_free(&win[k]);
    MPI_Group_free(&left_group);
    MPI_Group_free(&right_group);
}

void access_one(const struct element *e, long i, MPI_Win w, unsigned k)
{
    const int n = (int)(1 + e->words / 2);
    const MPI_Aint place = (MPI_Aint)(k * WORDS / 3);
    double *buffer = buffer_of(e, k % 3, i);

    if (e->how % 5 == 0)
        MPI_Get(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w);
    else if (e->how % 5 == 1)
        MPI_Accumulate(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, MPI_SUM, w);
    else if (e->how % 5 == 2)
        MPI_Fetch_and_op(buffer, buffer_of(e, k % 3 + 1, i), MPI_DOUBLE, right, place, MPI_SUM, w);
    else if (e->how % 5 == 3)
        MPI_Put(buffer, 1, column, right, place, 1, column, w);
    else
        MPI_Put(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w);
}

static void access_some(const struct element *e, long i, MPI_Win w)
{
    for (unsigned k = 0; k < e->batch; k++)
        access_one(e, i, w, k);
}

/* Accesses with requests, which are completed in one call or one by one. */
static void request_some(const struct element *e, long i, MPI_Win w)
{
    MPI_Request request[BATCH_MAX];
    const int n = (int)(1 + e->words / 2), batch = (int)e->batch;

    for (int k = 0; k < batch; k++) {
        double *buffer = buffer_of(e, (unsigned)k % 3, i);
        const MPI_Aint place = k * WORDS / 3;
        if (e->how % 4 == 0)
            MPI_Rget(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w, &request[k]);
        else if (e->how % 4 == 1)
            MPI_Raccumulate(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, MPI_SUM, w,
                            &request[k]);
        else if (e->how % 4 == 2)
            MPI_Rput(buffer, 1, column, right, place, 1, column, w, &request[k]);
        else
            MPI_Rput(buffer, n, MPI_DOUBLE, right, place, n, MPI_DOUBLE, w, &request[k]);
    }
    if (e->order == 0)
        MPI_Waitall(batch, request, MPI_STATUSES_IGNORE);
    for (int k = 0; k < batch && e->order == 1; k++)
        MPI_Wait(&request[k], MPI_STATUS_IGNORE);
}

static void flush(const struct element *e)
{
    if (e->tag % 3 == 0)
        MPI_Win_flush_all(win[ALL_LOCKED]);
    else if (e->tag % 3 == 1 && e->how % 5 != 0)
        MPI_Win_flush_local(right, win[ALL_LOCKED]);
    else
        MPI_Win_flush(right, win[ALL_LOCKED]);
}

static void end_exposure(const struct element *e)
{
    int done = e->tag % 2;

    if (done)
        MPI_Win_wait(win[STARTED]);
    while (!done)
        MPI_Win_test(win[STARTED], &done);
}

void window_element(const struct element *e, unsigned kind, long i)
{
    MPI_Request request;

    switch (kind) {
    case 0:
        access_some(e, i, win[FENCED]);
        MPI_Win_fence(0, win[FENCED]);
        break;
    case 1:
    case 2:
        MPI_Win_lock(kind == 1 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, right, 0, win[LOCKED]);
        access_some(e, i, win[LOCKED]);
        MPI_Win_unlock(right, win[LOCKED]);
        break;
    case 3:
        access_some(e, i, win[ALL_LOCKED]);
        flush(e);
        break;
    case 4:
        MPI_Win_post(left_group, 0, win[STARTED]);
        MPI_Win_start(right_group, 0, win[STARTED]);
        access_some(e, i, win[STARTED]);
        MPI_Win_complete(win[STARTED]);
        end_exposure(e);
        break;
    case 5:
        request_some(e, i, win[ALL_LOCKED]);
        MPI_Win_flush(right, win[ALL_LOCKED]);
        break;
    case 6: /* another call comes before the accesses are complete */
        access_some(e, i, win[ALL_LOCKED]);
        exchange(e, i, left, 0);
        flush(e);
        break;
    default: /* the buffers of messages are in the memory of a window */
        MPI_Isend(shared[FENCED] + 2 * WORDS, (int)e->words, MPI_DOUBLE, right, (int)e->tag,
                  MPI_COMM_WORLD, &request);
        MPI_Recv(shared[FENCED] + 3 * WORDS, (int)e->words, MPI_DOUBLE, left, (int)e->tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}
