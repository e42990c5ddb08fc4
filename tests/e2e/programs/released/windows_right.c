/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of windows is released after the windows, memory around it before, attached memory
 * when it is detached, and that of MPI_Win_allocate by the library. Correct (MPI-3.1 sections
 * 11.2.2 to 11.2.5).
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stdlib.h>

enum { WORDS = 100, ROUNDS = 20 };

static void created(void)
{
    int *words = calloc(WORDS, sizeof(*words)), *near = malloc(WORDS * sizeof(*near));
    MPI_Win win;

    MPI_Win_create(words, WORDS * sizeof(*words), sizeof(*words), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    free(near);
    MPI_Win_fence(0, win);
    near = malloc(2 * WORDS * sizeof(*near));
    near = realloc(near, 100 * WORDS * sizeof(*near));
    free(near);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    free(words);
}

static void empty(void)
{
    int *words = calloc(WORDS, sizeof(*words));
    MPI_Win win;

    MPI_Win_create(words, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    free(words);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void allocated(void)
{
    int *words;
    MPI_Win win;

    MPI_Win_allocate(WORDS * sizeof(*words), sizeof(*words), MPI_INFO_NULL, MPI_COMM_WORLD, &words,
                     &win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void attached(void)
{
    MPI_Win win;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < ROUNDS; i++) {
        int *words = calloc(WORDS, sizeof(*words));
        MPI_Win_attach(win, words, WORDS * sizeof(*words));
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_detach(win, words);
        free(words);
    }
    MPI_Win_free(&win);
}

static void local(void)
{
    int words[WORDS] = {0};
    MPI_Win win;

    MPI_Win_create(words, sizeof(words), sizeof(*words), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        created();
        empty();
        allocated();
        local();
    }
    attached();
    MPI_Finalize();
    return 0;
}
