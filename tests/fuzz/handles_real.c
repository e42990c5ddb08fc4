/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs that free every kind of handle as early as MPI allows (MPI-3.1 sections 2.5.1,
 * 4.1.9, 6.4.3, 6.7.2 and others): while operations that use the object are pending. All ranks draw
 * the same, and one of them is late. FIRST COUNT [wrong]: programs FIRST .. FIRST + COUNT - 1, one
 * after the other; `wrong`: the last one also receives another datatype than is sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ACTIONS = 8, PENDING = 64, RANKS = 4, ROOM = 64, WRONG_TAG = 77 };

static int rank, size, left, right, late;
static unsigned long state;
static MPI_Request pending[PENDING];
static int num_pending;
static int out[ACTIONS][ROOM], in[ACTIONS][2 * ROOM];
static int action; /* number of this one */

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(state >> 33) % n;
}

static MPI_Request *next_request(void)
{
    return &pending[num_pending++];
}

static void complete_all(void)
{
    MPI_Waitall(num_pending, pending, MPI_STATUSES_IGNORE);
    num_pending = 0;
}

static void be_late(void)
{
    if (rank == late)
        usleep(2000);
}

/* ---- objects ---- */

static MPI_Comm make_comm(unsigned how)
{
    int sources[1] = {left}, destinations[1] = {right}, weight[1] = {1}, periods[1] = {1};
    MPI_Request request;
    MPI_Comm comm;
    MPI_Group group;

    switch (how) {
    case 0:
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
        break;
    case 1:
        MPI_Comm_group(MPI_COMM_WORLD, &group);
        MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
        MPI_Group_free(&group);
        break;
    case 2:
        MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 3:
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &comm);
        break;
    case 4:
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, weight, 1, destinations, weight,
                                       MPI_INFO_NULL, 0, &comm);
        break;
    default:
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        break;
    }
    return comm;
}

/* Four integers. */
static MPI_Datatype make_type(unsigned how)
{
    MPI_Datatype type, part;
    int length[2] = {3, 1}, at[2] = {0, 3};

    if (how == 0) {
        MPI_Type_contiguous(4, MPI_INT, &type);
    } else if (how == 1) {
        MPI_Type_vector(2, 2, 2, MPI_INT, &type);
    } else if (how == 2) {
        MPI_Type_indexed(2, length, at, MPI_INT, &type);
    } else {
        MPI_Type_contiguous(2, MPI_INT, &part);
        MPI_Type_contiguous(2, part, &type);
        MPI_Type_free(&part);
    }
    MPI_Type_commit(&type);
    return type;
}

/* ---- messages ---- */

static void exchange(void)
{
    MPI_Comm comm = make_comm(draw(6));
    MPI_Datatype sent = make_type(draw(4)), received = make_type(draw(4));
    int source = draw(2) == 0 ? MPI_ANY_SOURCE : left;
    MPI_Request free_it;

    be_late();
    MPI_Irecv(in[action], 4, received, source, draw(2) == 0 ? MPI_ANY_TAG : action, comm,
              next_request());
    if (draw(3) == 0) {
        MPI_Isend(out[action], 4, sent, right, action, comm, &free_it);
        MPI_Request_free(&free_it);
    } else {
        MPI_Isend(out[action], 4, sent, right, action, comm, next_request());
    }
    MPI_Type_free(&sent);
    MPI_Type_free(&received);
    MPI_Comm_free(&comm);
}

static void exchange_persistently(void)
{
    MPI_Comm comm = make_comm(draw(6));
    MPI_Datatype type = make_type(draw(4));
    MPI_Request request[2];
    unsigned starts = 1 + draw(2);

    MPI_Recv_init(in[action], 4, type, left, action, comm, &request[0]);
    MPI_Send_init(out[action], 4, type, right, action, comm, &request[1]);
    MPI_Type_free(&type);
    be_late();
    for (unsigned i = 0; i < starts; i++) {
        MPI_Startall(2, request);
        if (i == 0)
            MPI_Comm_free(&comm);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

/* A receive that no message reaches. */
static void cancel(void)
{
    MPI_Comm comm = make_comm(draw(6));
    MPI_Datatype type = make_type(draw(4));
    MPI_Request request;

    MPI_Irecv(in[action], 4, type, MPI_ANY_SOURCE, 9, comm, &request);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Cancel(&request);
    if (draw(2) == 0)
        MPI_Request_free(&request);
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void probe_and_free(void)
{
    MPI_Comm comm = make_comm(draw(6));
    MPI_Datatype type = make_type(draw(4));
    MPI_Message message;
    MPI_Request request;

    be_late();
    MPI_Isend(out[action], 1, type, right, action, comm, next_request());
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in[action], 1, type, &message, &request);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* ---- collectives ---- */

/* RATIONALE: only operations that Open MPI 4.1 carries out in one step. Of others it uses the
 * communicator after it is freed. */
static void collect(void)
{
    MPI_Comm comm = make_comm(draw(3));
    MPI_Datatype type = make_type(draw(4));
    int counts[RANKS], places[RANKS], sent[RANKS], sent_at[RANKS], root = (int)draw((unsigned)size);

    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = i * (i + 1) / 2;
        sent[i] = rank + 1;
        sent_at[i] = i * (rank + 1);
    }
    be_late();
    switch (draw(4)) {
    case 0:
        MPI_Igatherv(out[action], rank + 1, type, in[action], counts, places, type, root, comm,
                     next_request());
        break;
    case 1:
        MPI_Iscatterv(out[action], counts, places, type, in[action], rank + 1, type, root, comm,
                      next_request());
        break;
    case 2:
        MPI_Iallgatherv(out[action], rank + 1, type, in[action], counts, places, type, comm,
                        next_request());
        break;
    default:
        MPI_Ialltoallv(out[action], sent, sent_at, type, in[action], counts, places, type, comm,
                       next_request());
        break;
    }
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
}

static void collect_from_neighbors(void)
{
    MPI_Comm comm = make_comm(4);
    int from_left = left + 1, to_right = rank + 1, at = 0;

    be_late();
    if (draw(2) == 0)
        MPI_Ineighbor_allgatherv(out[action], to_right, MPI_INT, in[action], &from_left, &at,
                                 MPI_INT, comm, next_request());
    else
        MPI_Ineighbor_alltoallv(out[action], &to_right, &at, MPI_INT, in[action], &from_left, &at,
                                MPI_INT, comm, next_request());
    MPI_Comm_free(&comm);
}

static void add(void *from, void *to, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)to)[i] += ((const int *)from)[i];
}

static void reduce(void)
{
    MPI_Op op;

    MPI_Op_create(add, 1, &op);
    be_late();
    if (draw(2) == 0)
        MPI_Iallreduce(out[action], in[action], 4, MPI_INT, op, MPI_COMM_WORLD, next_request());
    else
        MPI_Ireduce(out[action], in[action], 4, MPI_INT, op, (int)draw((unsigned)size),
                    MPI_COMM_WORLD, next_request());
    MPI_Op_free(&op);
}

static void broadcast(void)
{
    MPI_Datatype type = make_type(draw(4));

    be_late();
    MPI_Ibcast(in[action], 4, type, (int)draw((unsigned)size), MPI_COMM_WORLD, next_request());
    MPI_Type_free(&type);
}

/* ---- windows and files ---- */

static void access_window(void)
{
    static int memory[ROOM];
    MPI_Comm comm = make_comm(draw(6));
    MPI_Datatype type = make_type(draw(4));
    MPI_Group all, from, to;
    MPI_Request request;
    MPI_Win win;

    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, comm, &win);
    MPI_Comm_free(&comm);
    be_late();
    if (draw(2) == 0) {
        MPI_Win_get_group(win, &all);
        MPI_Group_incl(all, 1, &left, &from);
        MPI_Group_incl(all, 1, &right, &to);
        MPI_Win_post(from, 0, win);
        MPI_Win_start(to, 0, win);
        MPI_Group_free(&all);
        MPI_Group_free(&from);
        MPI_Group_free(&to);
        MPI_Put(out[action], 1, type, right, 0, 1, type, win);
        MPI_Type_free(&type);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
        MPI_Rput(out[action], 1, type, right, rank * 8, 1, type, win, &request);
        MPI_Type_free(&type);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_unlock(right, win);
    }
    MPI_Win_free(&win);
}

static void access_file(void)
{
    MPI_Comm comm = make_comm(0);
    MPI_Datatype type = make_type(draw(4));
    MPI_Request request;
    MPI_Info info;
    MPI_File file;

    MPI_Info_create(&info);
    MPI_Info_set(info, "access_style", "write_once");
    MPI_File_open(comm, "handles_real.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    MPI_File_set_view(file, rank * 64, MPI_INT, type, "native", MPI_INFO_NULL);
    be_late();
    MPI_File_iwrite(file, out[action], 1, type, &request);
    MPI_Type_free(&type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* ---- keys, error handlers, intercommunicators ---- */

static void ignore_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void use_keys(void)
{
    MPI_Comm comm = make_comm(5), copy;
    MPI_Errhandler handler;
    void *value;
    int key, flag, old;

    MPI_Comm_create_keyval(draw(2) == 0 ? MPI_COMM_DUP_FN : MPI_COMM_NULL_COPY_FN,
                           MPI_COMM_NULL_DELETE_FN, &key, NULL);
    old = key;
    MPI_Comm_set_attr(comm, key, out);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_create_errhandler(ignore_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_get_attr(comm, old, &value, &flag);
    if (draw(2) == 0)
        MPI_Comm_delete_attr(comm, old);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&copy);
}

static void exchange_between(void)
{
    MPI_Comm own, comm;
    int side = rank > 0;

    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, side == 0 ? 1 : 0, 3, &comm);
    MPI_Comm_free(&own);
    be_late();
    if (rank < 2) {
        MPI_Irecv(in[action], ROOM, MPI_INT, MPI_ANY_SOURCE, 1, comm, next_request());
        MPI_Isend(out[action], 8, MPI_INT, 0, 1, comm, next_request());
    }
    MPI_Comm_free(&comm);
}

/* ---- a program ---- */

static void run(unsigned long seed)
{
    static void (*const act[])(void) = {
        exchange,  exchange_persistently,  cancel,        probe_and_free, collect,
        reduce,    collect_from_neighbors, access_window, access_file,    use_keys,
        broadcast, exchange_between,       exchange,      collect,
    };

    state = seed * 2862933555777941757ul + 3037000493ul;
    draw(2);
    late = (int)draw((unsigned)size);
    for (action = 0; action < ACTIONS; action++) {
        act[draw(sizeof(act) / sizeof(*act))]();
        if (draw(4) == 0)
            complete_all();
    }
    complete_all();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run_wrong(void)
{
    int words[4] = {0};

    if (rank == 0)
        MPI_Send(words, 4, MPI_INT, 1, WRONG_TAG, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(words, 4, MPI_FLOAT, 0, WRONG_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2 || size > RANKS) {
        fprintf(stderr, "needs 2 to %d ranks\n", RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (unsigned long i = 0; i < count; i++)
        run(first + i);
    if (argc > 3)
        run_wrong();
    MPI_Finalize();
    return 0;
}
