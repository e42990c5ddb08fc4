/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is not linked with MPI: it opens the library that its first argument names, in the
 * way that the second one says, and looks each function up, as Julia does. With a third argument,
 * all ranks receive first. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *look_up(void *handle, const char *name)
{
    void *found = dlsym(handle, name);

    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

/* "local": the functions of the library; "global": the same, in the way that the program would have
 * them without a handle. */
static void *scope;

#define FIND(name)                                                                                 \
    __typeof__(&name) its_##name;                                                                  \
    do {                                                                                           \
        void *found = look_up(scope, #name);                                                       \
        memcpy(&its_##name, &found, sizeof(found));                                                \
    } while (0)

#ifdef OPEN_MPI /* its handles are addresses of data */
#define WORLD ((MPI_Comm)look_up(library, "ompi_mpi_comm_world"))
#define INT   ((MPI_Datatype)look_up(library, "ompi_mpi_int"))
#define SUM   ((MPI_Op)look_up(library, "ompi_mpi_op_sum"))
#else
#define WORLD MPI_COMM_WORLD
#define INT   MPI_INT
#define SUM   MPI_SUM
#endif

int main(int argc, char **argv)
{
    int is_global = argc > 2 && strcmp(argv[2], "global") == 0;
    int rank, size, got = -1, sum = 0;

    library = argc > 1 ? dlopen(argv[1], RTLD_NOW | (is_global ? RTLD_GLOBAL : RTLD_LOCAL)) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    scope = is_global ? RTLD_DEFAULT : library;

    FIND(MPI_Init);
    FIND(MPI_Comm_rank);
    FIND(MPI_Comm_size);
    FIND(MPI_Recv);
    FIND(MPI_Sendrecv);
    FIND(MPI_Allreduce);
    FIND(MPI_Finalize);
    its_MPI_Init(NULL, NULL);
    its_MPI_Comm_rank(WORLD, &rank);
    its_MPI_Comm_size(WORLD, &size);
    if (argc > 3)
        its_MPI_Recv(&got, 1, INT, (rank + 1) % size, 0, WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        its_MPI_Sendrecv(&rank, 1, INT, (rank + 1) % size, 0, &got, 1, INT,
                         (rank + size - 1) % size, 0, WORLD, MPI_STATUS_IGNORE);
    its_MPI_Allreduce(&got, &sum, 1, INT, SUM, WORLD);
    printf("rank %d of %d: sum %d\n", rank, size, sum);
    its_MPI_Finalize();
    return 0;
}
