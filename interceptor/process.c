/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/op_process.h"

#include "interceptor/attach.h"
#include "interceptor/poll.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void ork_process_attach(void)
{
    struct ork_ring *ring;
    int saved = errno;
    int socket;

    if (ork_recorder.ring == NULL && ork_attach(&ring, &socket))
        ork_recorder_adopt(ring, socket);
    errno = saved;
}

/* The threads that the library has made up to now, for whoever asks which are the application's. */
static void note_threads(struct ork_ring *ring, int level)
{
    DIR *tasks = opendir("/proc/self/task");
    uint32_t n = 0;

    for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(task->d_name, NULL, 10);
        if (tid != 0 && n < ORK_RING_STARTED)
            ring->started[n++] = tid;
    }
    if (tasks != NULL)
        closedir(tasks);
    atomic_store(&ring->num_started, n);
    atomic_store(&ring->any_thread, level >= MPI_THREAD_SERIALIZED);
}

static void put_init(const struct ork_call *call, int level)
{
    struct ork_record r = ORK_RECORD(call, INIT, .request = ORK_REQUEST_NULL,
                                     .arg = (uint32_t)level, .bytes = (uint64_t)getpid());
    int rank = 0;
    int size = 0;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    r.peer = rank;
    r.arg2 = (uint32_t)size;
    ork_lock();
    ork_send_record(&r);
    ork_unlock();
}

/* The intercommunicator to the processes that spawned this one, if any did. */
static void define_parent(const struct ork_call *call)
{
    struct ork_record r = ORK_RECORD(call, COMM_DEF, .mode = ORK_COLL_COMM_SPAWN,
                                     .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER);
    MPI_Comm parent = MPI_COMM_NULL;

    PMPI_Comm_get_parent(&parent);
    ork_lock();
    ork_comm_define(parent, &r, false);
    ork_unlock();
}

void ork_process_start(struct ork_call *call)
{
    int saved = errno;
    int level = MPI_THREAD_SINGLE;

    if (ork_recorder.ring == NULL || !ork_sites_init())
        goto out;
    PMPI_Query_thread(&level);
    ork_comms_init();
    ork_requests_init();
    ork_amount_init();
    ork_poll_init();
    ork_thread_start();
    ork_recorder_start(level == MPI_THREAD_MULTIPLE);
    call->site = ork_site_resolve((uintptr_t)call->address);
    note_threads(ork_recorder.ring, level);
    put_init(call, level);
    define_parent(call);
out:
    errno = saved;
}

void ork_process_end(void)
{
    ork_lock();
    ork_set_state(ORK_STATE_DONE);
    ork_recorder_stop();
    ork_unlock();
}
