/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool in the way of mpiP: MPI_X calls a function of its own, which calls PMPI_X. It has a
 * communicator, and MPI_Finalize collects the counts. -DNEXT: it goes on to the next MPI_X in the
 * search order instead. -DFORTRAN: it also has the names of mpif.h. */
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <stdio.h>

#ifdef NEXT
#define TOOL       "next"
#define DOWN(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#else
#define TOOL       "tool"
#define DOWN(name) P##name
#endif

static MPI_Comm own;
static int inside; /* of MPI_Init .. MPI_Finalize */
static int calls;

#define WRAP(name, parameters, arguments)                                                          \
    static int own_##name parameters                                                               \
    {                                                                                              \
        calls += inside;                                                                           \
        int result = DOWN(name) arguments;                                                         \
        return result;                                                                             \
    }                                                                                              \
    int name parameters                                                                            \
    {                                                                                              \
        int result = own_##name arguments;                                                         \
        return result;                                                                             \
    }

WRAP(MPI_Comm_rank, (MPI_Comm comm, int *rank), (comm, rank))
WRAP(MPI_Comm_size, (MPI_Comm comm, int *size), (comm, size))
WRAP(MPI_Send, (const void *b, int n, MPI_Datatype t, int p, int tag, MPI_Comm c),
     (b, n, t, p, tag, c))
WRAP(MPI_Recv, (void *b, int n, MPI_Datatype t, int p, int tag, MPI_Comm c, MPI_Status *s),
     (b, n, t, p, tag, c, s))
WRAP(MPI_Isend, (const void *b, int n, MPI_Datatype t, int p, int tag, MPI_Comm c, MPI_Request *r),
     (b, n, t, p, tag, c, r))
WRAP(MPI_Irecv, (void *b, int n, MPI_Datatype t, int p, int tag, MPI_Comm c, MPI_Request *r),
     (b, n, t, p, tag, c, r))
WRAP(MPI_Wait, (MPI_Request * r, MPI_Status *s), (r, s))
WRAP(MPI_Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
WRAP(MPI_Barrier, (MPI_Comm comm), (comm))
WRAP(MPI_Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
WRAP(MPI_Allreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
     (s, r, n, t, op, c))
WRAP(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
WRAP(MPI_Comm_free, (MPI_Comm * comm), (comm))
WRAP(MPI_Type_contiguous, (int n, MPI_Datatype old, MPI_Datatype *made), (n, old, made))
WRAP(MPI_Type_commit, (MPI_Datatype * type), (type))
WRAP(MPI_Type_free, (MPI_Datatype * type), (type))
WRAP(MPI_File_open, (MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file),
     (comm, path, mode, info, file))
WRAP(MPI_File_close, (MPI_File * file), (file))

static int begin(int result)
{
    PMPI_Comm_dup(MPI_COMM_WORLD, &own);
    inside = 1;
    return result;
}

int MPI_Init(int *argc, char ***argv)
{
    int result = DOWN(MPI_Init)(argc, argv);

    return begin(result);
}

int MPI_Finalize(void)
{
    int rank, all = 0;

    PMPI_Reduce(&calls, &all, 1, MPI_INT, MPI_SUM, 0, own);
    PMPI_Comm_rank(own, &rank);
    if (rank == 0)
        printf(TOOL ": %d calls\n", all);
    fflush(stdout);
    int result = DOWN(MPI_Finalize)();
    return result;
}

/* Its own: it does not go on. */
int MPI_Pcontrol(const int level, ...)
{
    (void)level;
    calls++;
    return MPI_SUCCESS;
}

#ifdef FORTRAN
void mpi_init_(int *error)
{
    *error = begin(PMPI_Init(NULL, NULL));
}

void mpi_finalize_(int *error)
{
    *error = MPI_Finalize();
}

void mpi_barrier_(MPI_Fint *comm, int *error)
{
    *error = own_MPI_Barrier(MPI_Comm_f2c(*comm));
}

void mpi_send_(void *b, int *n, MPI_Fint *t, int *p, int *tag, MPI_Fint *c, int *error)
{
    *error = own_MPI_Send(b, *n, MPI_Type_f2c(*t), *p, *tag, MPI_Comm_f2c(*c));
}

void mpi_recv_(void *b, int *n, MPI_Fint *t, int *p, int *tag, MPI_Fint *c, MPI_Fint *s, int *error)
{
    MPI_Status status;

    *error = own_MPI_Recv(b, *n, MPI_Type_f2c(*t), *p, *tag, MPI_Comm_f2c(*c), &status);
    if (s != MPI_F_STATUS_IGNORE)
        MPI_Status_c2f(&status, s);
}
#endif
