/* SPDX-License-Identifier: BSD-3-Clause */
/* With MPI_THREAD_FUNNELED, a second thread makes calls that are allowed at any time, or only ask
 * for the time (MPI-3.1 section 12.4.3). With MPI_THREAD_SINGLE, the threads of libraries are none
 * of the program: here that of a timer.
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_int fired;

static void *ask(void *unused)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int flag, level, version, length;

    (void)unused;
    MPI_Initialized(&flag);
    MPI_Finalized(&flag);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&flag);
    MPI_Get_version(&version, &length);
    MPI_Get_library_version(text, &length);
    if (flag || level != MPI_THREAD_FUNNELED || MPI_Wtime() + MPI_Wtick() <= 0)
        abort();
    return NULL;
}

static void fire(union sigval unused)
{
    (void)unused;
    atomic_store(&fired, 1);
}

static void run_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = fire};
    const struct itimerspec soon = {.it_value.tv_nsec = 1000000};
    timer_t timer;

    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    while (!atomic_load(&fired))
        usleep(1000);
    timer_delete(timer);
}

int main(int argc, char **argv)
{
    const int is_single =
        getenv("OMPI_COMM_WORLD_RANK") != NULL && atoi(getenv("OMPI_COMM_WORLD_RANK")) == 1;
    pthread_t thread;
    int level;

    MPI_Init_thread(&argc, &argv, is_single ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED, &level);
    run_timer();
    if (!is_single) {
        pthread_create(&thread, NULL, ask, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
