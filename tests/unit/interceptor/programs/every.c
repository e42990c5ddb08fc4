/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks, every modelled function. What a line records stands behind its arrow ("0:" for rank 0
 * only, a kind alone for the same function again); so a call and its arrow are one line. */
// clang-format off
#include <mpi.h>
#include <stdlib.h>

static int x, y, z[8], flag, n, idx, done[4];
static MPI_Status st, sts[4];
static MPI_Request q[4];
static MPI_Message m;

static int start(int *argc, char ***argv)
{
    int r;
    MPI_Init(argc, argv); // => INIT MPI_Init
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    return r;
}

static void point_to_point(int r)
{
    int p = 1 - r;
    MPI_Comm c = MPI_COMM_WORLD;
    void *old = malloc(1000 + MPI_BSEND_OVERHEAD);
    int size;
    MPI_Buffer_attach(old, 1000 + MPI_BSEND_OVERHEAD);
    MPI_Irecv(&y, 1, MPI_INT, p, 1, MPI_COMM_WORLD, q); // => RECV MPI_Irecv
    MPI_Barrier(MPI_COMM_WORLD); // => COLL MPI_Barrier
    MPI_Rsend(&x, 1, MPI_INT, p, 1, MPI_COMM_WORLD); // => SEND MPI_Rsend
    MPI_Wait(q, MPI_STATUS_IGNORE); // => WAIT MPI_Wait
    MPI_Bsend(&x, 1, MPI_INT, p, 2, MPI_COMM_WORLD); // => SEND MPI_Bsend
    MPI_Recv(&y, 1, MPI_INT, p, 2, MPI_COMM_WORLD, &st); // => RECV MPI_Recv
    MPI_Send(&x, 1, MPI_INT, p, 3, MPI_COMM_WORLD); // => SEND MPI_Send
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // => RECV MPI_Recv, EXIT MPI_Recv
    MPI_Irecv(&y, 1, MPI_INT, p, 4, MPI_COMM_WORLD, q); // => RECV MPI_Irecv
    MPI_Ssend(&x, 1, MPI_INT, p, 4, MPI_COMM_WORLD); // => SEND MPI_Ssend
    MPI_Wait(q, MPI_STATUS_IGNORE); // => WAIT MPI_Wait
    MPI_Irecv(z, 1, MPI_INT, p, 5, MPI_COMM_WORLD, q); // => RECV MPI_Irecv
    MPI_Isend(&x, 1, MPI_INT, p, 5, MPI_COMM_WORLD, q + 1); // => SEND MPI_Isend
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE); // => WAIT MPI_Waitall
    MPI_Irecv(z, 1, MPI_INT, p, 5, MPI_COMM_WORLD, q); // => RECV MPI_Irecv
    MPI_Issend(&x, 1, MPI_INT, p, 5, MPI_COMM_WORLD, q + 1); // => SEND MPI_Issend
    MPI_Waitany(2, q, &idx, &st); // => WAIT MPI_Waitany, EXIT MPI_Waitany
    MPI_Waitsome(2, q, &n, done, sts); // => WAIT MPI_Waitsome, EXIT MPI_Waitsome
    MPI_Irecv(z, 1, MPI_INT, p, 5, MPI_COMM_WORLD, q); // => RECV MPI_Irecv
    MPI_Barrier(MPI_COMM_WORLD); // => COLL MPI_Barrier
    MPI_Irsend(&x, 1, MPI_INT, p, 5, MPI_COMM_WORLD, q + 1); // => SEND MPI_Irsend
    MPI_Ibsend(&x, 1, MPI_INT, p, 6, MPI_COMM_WORLD, q + 2); // => SEND MPI_Ibsend
    MPI_Waitall(3, q, sts); // => WAIT MPI_Waitall
    MPI_Probe(p, 6, MPI_COMM_WORLD, &st); // => PROBE MPI_Probe
    MPI_Iprobe(p, 6, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); // => PROBED MPI_Iprobe
    MPI_Improbe(p, 6, MPI_COMM_WORLD, &flag, &m, &st); // => PROBED MPI_Improbe
    MPI_Imrecv(&y, 1, MPI_INT, &m, q); // => MRECV MPI_Imrecv
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_Sendrecv(&x, 1, MPI_INT, p, 7, &y, 1, MPI_INT, p, 7, MPI_COMM_WORLD, &st); // => SENDRECV MPI_Sendrecv
    MPI_Sendrecv_replace(&x, 1, MPI_INT, p, 7, MPI_ANY_SOURCE, 7, c, &st); // => SENDRECV MPI_Sendrecv_replace, EXIT MPI_Sendrecv_replace
    MPI_Send(&x, 1, MPI_INT, p, 8, MPI_COMM_WORLD); // => SEND MPI_Send
    MPI_Mprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &m, &st); // => PROBE MPI_Mprobe, EXIT MPI_Mprobe
    MPI_Mrecv(&y, 1, MPI_INT, &m, &st); // => MRECV MPI_Mrecv
    MPI_Buffer_detach(&old, &size); // => BUFFER_DETACH MPI_Buffer_detach
}

static void persistent(int r)
{
    int p = 1 - r;
    MPI_Request s[4];
    MPI_Recv_init(&y, 1, MPI_INT, p, 9, MPI_COMM_WORLD, q); // => RECV MPI_Recv_init
    MPI_Send_init(&x, 1, MPI_INT, p, 9, MPI_COMM_WORLD, q + 1); // => SEND MPI_Send_init
    MPI_Ssend_init(&x, 1, MPI_INT, p, 9, MPI_COMM_WORLD, s); // => SEND MPI_Ssend_init
    MPI_Bsend_init(&x, 1, MPI_INT, p, 9, MPI_COMM_WORLD, s + 1); // => SEND MPI_Bsend_init
    MPI_Rsend_init(&x, 1, MPI_INT, p, 9, MPI_COMM_WORLD, s + 2); // => SEND MPI_Rsend_init
    MPI_Start(q); // => START MPI_Start
    MPI_Start(q + 1); // => START MPI_Start
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE); // => WAIT MPI_Waitall
    MPI_Startall(2, q); // => START MPI_Startall
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE); // => WAIT MPI_Waitall
    MPI_Request_free(q); // => REQUEST_FREE MPI_Request_free
    MPI_Request_free(q + 1); // => REQUEST_FREE MPI_Request_free
    MPI_Request_free(s); // => REQUEST_FREE MPI_Request_free
    MPI_Request_free(s + 1); // => REQUEST_FREE MPI_Request_free
    MPI_Request_free(s + 2); // => REQUEST_FREE MPI_Request_free
    MPI_Irecv(&y, 1, MPI_INT, p, 77, MPI_COMM_WORLD, q); // => RECV MPI_Irecv
    MPI_Cancel(q); // => CANCEL MPI_Cancel
    MPI_Wait(q, MPI_STATUS_IGNORE); // => WAIT MPI_Wait, EXIT MPI_Wait
    MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, q); // => SEND MPI_Isend
    MPI_Test(q, &flag, &st); // => TESTED MPI_Test
    MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, q); // => SEND MPI_Isend
    MPI_Testall(1, q, &flag, sts); // => TESTED MPI_Testall
    MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, q); // => SEND MPI_Isend
    MPI_Testany(1, q, &idx, &flag, &st); // => TESTED MPI_Testany
    MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, q); // => SEND MPI_Isend
    MPI_Testsome(1, q, &n, done, sts); // => TESTED MPI_Testsome
}

static void collectives(void)
{
    int one[2] = {1, 1}, at[2] = {0, 1}, b[2] = {0, 4};
    MPI_Datatype t[2] = {MPI_INT, MPI_INT};
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); // => COLL MPI_Bcast
    MPI_Gather(&x, 1, MPI_INT, z, 1, MPI_INT, 0, MPI_COMM_WORLD); // => COLL MPI_Gather
    MPI_Gatherv(&x, 1, MPI_INT, z, one, at, MPI_INT, 0, MPI_COMM_WORLD); // => COLL MPI_Gatherv
    MPI_Scatter(z, 1, MPI_INT, &x, 1, MPI_INT, 0, MPI_COMM_WORLD); // => COLL MPI_Scatter
    MPI_Scatterv(z, one, at, MPI_INT, &x, 1, MPI_INT, 0, MPI_COMM_WORLD); // => COLL MPI_Scatterv
    MPI_Allgather(&x, 1, MPI_INT, z, 1, MPI_INT, MPI_COMM_WORLD); // => COLL MPI_Allgather
    MPI_Allgatherv(&x, 1, MPI_INT, z, one, at, MPI_INT, MPI_COMM_WORLD); // => COLL MPI_Allgatherv
    MPI_Alltoall(z, 1, MPI_INT, z + 4, 1, MPI_INT, MPI_COMM_WORLD); // => COLL MPI_Alltoall
    MPI_Alltoallv(z, one, at, MPI_INT, z + 4, one, at, MPI_INT, MPI_COMM_WORLD); // => COLL MPI_Alltoallv
    MPI_Alltoallw(z, one, b, t, z + 4, one, b, t, MPI_COMM_WORLD); // => COLL MPI_Alltoallw
    MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); // => COLL MPI_Reduce
    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); // => COLL MPI_Allreduce
    MPI_Reduce_scatter(z, &y, one, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // => COLL MPI_Reduce_scatter
    MPI_Reduce_scatter_block(z, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // => COLL MPI_Reduce_scatter_block
    MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // => COLL MPI_Scan
    MPI_Exscan(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); // => COLL MPI_Exscan
    MPI_Ibarrier(MPI_COMM_WORLD, q); // => COLL MPI_Ibarrier
    MPI_Wait(q, MPI_STATUS_IGNORE); // => WAIT MPI_Wait
    MPI_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, q); // => COLL MPI_Iallreduce
    MPI_Wait(q, MPI_STATUS_IGNORE); // => WAIT MPI_Wait
}

static void communicators(int r)
{
    int dims = 2, periods = 1, remain = 1, degree = 1, p = 1 - r;
    int edges[2] = {1, 0}, index[2] = {1, 2};
    int *u = MPI_UNWEIGHTED;
    MPI_Comm c, half, inter, w = MPI_COMM_WORLD;
    MPI_Info i = MPI_INFO_NULL;
    MPI_Group g;
    MPI_Comm_group(MPI_COMM_WORLD, &g);
    MPI_Comm_dup(MPI_COMM_WORLD, &c); // => COLL MPI_Comm_dup, COMM_DEF MPI_Comm_dup
    MPI_Comm_set_name(c, "copy"); // => COMM_NAME MPI_Comm_set_name
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &c); // => COLL MPI_Comm_dup_with_info, COMM_DEF MPI_Comm_dup_with_info
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Comm_idup(MPI_COMM_WORLD, &c, q); // => COLL MPI_Comm_idup, COMM_DEF MPI_Comm_idup
    MPI_Wait(q, MPI_STATUS_IGNORE); // => WAIT MPI_Wait
    MPI_Comm_disconnect(&c); // => COLL MPI_Comm_disconnect
    MPI_Comm_create(MPI_COMM_WORLD, g, &c); // => COLL MPI_Comm_create, COMM_DEF MPI_Comm_create
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Comm_create_group(MPI_COMM_WORLD, g, 5, &c); // => COLL MPI_Comm_create_group, COMM_DEF MPI_Comm_create_group
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Comm_split_type(w, MPI_COMM_TYPE_SHARED, 0, i, &c); // => COLL MPI_Comm_split_type, COMM_DEF MPI_Comm_split_type
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periods, 0, &c); // => COLL MPI_Cart_create, COMM_DEF MPI_Cart_create
    MPI_Neighbor_allgather(&x, 1, MPI_INT, z, 1, MPI_INT, c); // => COLL MPI_Neighbor_allgather
    MPI_Cart_sub(c, &remain, &half); // => COLL MPI_Cart_sub, COMM_DEF MPI_Cart_sub
    MPI_Comm_free(&half); // => COLL MPI_Comm_free
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &c); // => COLL MPI_Graph_create, COMM_DEF MPI_Graph_create
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Dist_graph_create(w, 1, &r, &degree, &p, u, i, 0, &c); // => COLL MPI_Dist_graph_create, COMM_DEF MPI_Dist_graph_create
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Dist_graph_create_adjacent(w, 1, &p, u, 1, &p, u, i, 0, &c); // => COLL MPI_Dist_graph_create_adjacent, COMM_DEF
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Comm_split(MPI_COMM_WORLD, r, 0, &half); // => COLL MPI_Comm_split, COMM_DEF MPI_Comm_split
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, p, 3, &inter); // => COLL MPI_Intercomm_create, COMM_DEF MPI_Intercomm_create
    MPI_Barrier(inter); // => COLL MPI_Barrier
    MPI_Intercomm_merge(inter, r, &c); // => COLL MPI_Intercomm_merge, COMM_DEF MPI_Intercomm_merge
    MPI_Comm_free(&c); // => COLL MPI_Comm_free
    MPI_Comm_free(&inter); // => COLL MPI_Comm_free
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &c); // => COLL MPI_Comm_split
    MPI_Group_free(&g);
}

static MPI_Win window(void)
{
    MPI_Win w;
    MPI_Win_create(z, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w); // => COLL MPI_Win_create, COMM_DEF MPI_Win_create
    MPI_Win_set_name(w, "window"); // => COMM_NAME MPI_Win_set_name
    return w;
}

static void epochs(MPI_Win w, int r)
{
    int p = 1 - r;
    MPI_Group world, other;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &p, &other);
    MPI_Win_fence(0, w); // => COLL MPI_Win_fence
    MPI_Put(&x, 1, MPI_INT, p, 0, 1, MPI_INT, w); // => ACCESS MPI_Put
    MPI_Win_fence(0, w); // => COLL MPI_Win_fence
    MPI_Win_post(other, 0, w); // => WIN_POST MPI_Win_post
    MPI_Win_start(other, 0, w); // => WIN_START MPI_Win_start
    MPI_Win_complete(w); // => WIN_COMPLETE MPI_Win_complete
    MPI_Win_wait(w); // => WIN_WAIT MPI_Win_wait
    MPI_Win_post(other, 0, w); // => WIN_POST MPI_Win_post
    MPI_Win_start(other, 0, w); // => WIN_START MPI_Win_start
    MPI_Win_complete(w); // => WIN_COMPLETE MPI_Win_complete
    for (flag = 0; !flag;)
        MPI_Win_test(w, &flag); // => WIN_TESTED MPI_Win_test
    MPI_Barrier(MPI_COMM_WORLD); // => COLL MPI_Barrier
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, p, 0, w); // => WIN_LOCK MPI_Win_lock
    MPI_Win_flush(p, w); // => WIN_FLUSH MPI_Win_flush
    MPI_Win_unlock(p, w); // => WIN_UNLOCK MPI_Win_unlock
    MPI_Win_lock_all(0, w); // => WIN_LOCK MPI_Win_lock_all
    MPI_Win_unlock_all(w); // => WIN_UNLOCK MPI_Win_unlock_all
    MPI_Win_free(&w); // => COLL MPI_Win_free
    MPI_Group_free(&other);
    MPI_Group_free(&world);
}

static void windows(void)
{
    MPI_Info i = MPI_INFO_NULL;
    MPI_Comm c = MPI_COMM_WORLD;
    void *base;
    MPI_Win w;
    MPI_Win_allocate(4, 1, i, c, &base, &w); // => COLL MPI_Win_allocate, COMM_DEF MPI_Win_allocate
    MPI_Win_free(&w); // => COLL MPI_Win_free
    MPI_Win_allocate_shared(4, 1, i, c, &base, &w); // => COLL MPI_Win_allocate_shared, COMM_DEF MPI_Win_allocate_shared
    MPI_Win_free(&w); // => COLL MPI_Win_free
    MPI_Win_create_dynamic(i, c, &w); // => COLL MPI_Win_create_dynamic, COMM_DEF MPI_Win_create_dynamic
    MPI_Win_free(&w); // => COLL MPI_Win_free
}

static MPI_File collective_io(void)
{
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_Info i = MPI_INFO_NULL;
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, "every.out", mode, i, &f); // => COLL MPI_File_open, COMM_DEF MPI_File_open
    MPI_File_set_size(f, 64); // => COLL MPI_File_set_size
    MPI_File_preallocate(f, 64); // => COLL MPI_File_preallocate
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", i); // => COLL MPI_File_set_view
    MPI_File_set_atomicity(f, 0); // => COLL MPI_File_set_atomicity
    MPI_File_write_all(f, z, 1, MPI_INT, &st); // => COLL MPI_File_write_all
    MPI_File_write_at_all(f, 0, z, 4, MPI_INT, &st); // => COLL MPI_File_write_at_all
    MPI_File_write_ordered(f, z, 1, MPI_INT, &st); // => COLL MPI_File_write_ordered
    MPI_File_sync(f); // => COLL MPI_File_sync
    MPI_File_seek_shared(f, 0, MPI_SEEK_SET); // => COLL MPI_File_seek_shared
    MPI_File_read_all(f, z, 1, MPI_INT, &st); // => COLL MPI_File_read_all
    MPI_File_read_at_all(f, 0, z, 1, MPI_INT, &st); // => COLL MPI_File_read_at_all
    MPI_File_read_ordered(f, z, 1, MPI_INT, &st); // => COLL MPI_File_read_ordered
    MPI_File_write_at(f, 0, z, 1, MPI_INT, &st);
    MPI_File_write_shared(f, z, 1, MPI_INT, &st); // => FILE_ACCESS MPI_File_write_shared
    MPI_File_read_at(f, 0, z, 1, MPI_INT, &st);
    return f;
}

static void split_collectives(MPI_File f)
{
    MPI_File_write_all_begin(f, z, 1, MPI_INT); // => COLL MPI_File_write_all_begin
    MPI_File_write_all_end(f, z, &st); // => WAIT MPI_File_write_all_end
    MPI_File_write_at_all_begin(f, 0, z, 1, MPI_INT); // => COLL MPI_File_write_at_all_begin
    MPI_File_write_at_all_end(f, z, &st); // => WAIT MPI_File_write_at_all_end
    MPI_File_write_ordered_begin(f, z, 1, MPI_INT); // => COLL MPI_File_write_ordered_begin
    MPI_File_write_ordered_end(f, z, &st); // => WAIT MPI_File_write_ordered_end
    MPI_File_read_all_begin(f, z, 1, MPI_INT); // => COLL MPI_File_read_all_begin
    MPI_File_read_all_end(f, z, &st); // => WAIT MPI_File_read_all_end
    MPI_File_read_at_all_begin(f, 0, z, 1, MPI_INT); // => COLL MPI_File_read_at_all_begin
    MPI_File_read_at_all_end(f, z, &st); // => WAIT MPI_File_read_at_all_end
    MPI_File_read_ordered_begin(f, z, 1, MPI_INT); // => COLL MPI_File_read_ordered_begin
    MPI_File_read_ordered_end(f, z, &st); // => WAIT MPI_File_read_ordered_end
}

static void nonblocking_io(MPI_File f)
{
    MPI_File_iwrite_all(f, z, 1, MPI_INT, q); // => COLL MPI_File_iwrite_all
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_iwrite_at_all(f, 0, z, 1, MPI_INT, q); // => COLL MPI_File_iwrite_at_all
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_iread_all(f, z, 1, MPI_INT, q); // => COLL MPI_File_iread_all
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_iread_at_all(f, 0, z, 1, MPI_INT, q); // => COLL MPI_File_iread_at_all
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_iread_at(f, 0, z, 1, MPI_INT, q); // => FILE_ACCESS MPI_File_iread_at
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_iwrite_at(f, 0, z, 1, MPI_INT, q); // => FILE_ACCESS MPI_File_iwrite_at
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_iwrite(f, z, 1, MPI_INT, q); // => FILE_ACCESS MPI_File_iwrite
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_iwrite_shared(f, z, 1, MPI_INT, q); // => FILE_ACCESS MPI_File_iwrite_shared
    MPI_Wait(q, &st); // => WAIT MPI_Wait
    MPI_File_read_at(f, 0, z, 1, MPI_INT, &st);
}

int main(int argc, char **argv)
{
    int r = start(&argc, &argv);
    MPI_File f;
    MPI_Win w;
    point_to_point(r);
    persistent(r);
    collectives();
    communicators(r);
    w = window();
    epochs(w, r);
    windows();
    f = collective_io();
    split_collectives(f);
    nonblocking_io(f);
    MPI_File_close(&f); // => COLL MPI_File_close
    MPI_Finalize(); // => FINALIZE MPI_Finalize
    return 0;
}
