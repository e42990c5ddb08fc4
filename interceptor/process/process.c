/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/op_process.h"

#include "common/log.h"
#include "interceptor/call/accesses.h"
#include "interceptor/objects/bounds.h"
#include "interceptor/buffers/buffers.h"
#include "interceptor/site/callers.h"
#include "interceptor/outcomes/atomics.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/process/end.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/forcing/impose.h"
#include "interceptor/hooks/handle_calls.h"
#include "interceptor/hooks/release.h"
#include "interceptor/hooks/touch.h"
#include "interceptor/mpi/neutral.h"
#include "interceptor/ring/library.h"
#include "interceptor/ring/noise.h"
#include "interceptor/forcing/poll.h"
#include "interceptor/outcomes/replay.h"
#include "interceptor/preload/unknown.h"
#include "interceptor/ring/sections.h"
#include "interceptor/forcing/poll_records.h"
#include "interceptor/checks/thread_levels.h"
#include "interceptor/usage/usage.h"
#include "interceptor/memory/heap.h"
#include "interceptor/memory/watch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Numbers of this process's threads, at most `room`. */
static uint32_t list_threads(uint32_t *tid, uint32_t room)
{
    DIR *tasks = opendir("/proc/self/task");
    uint32_t n = 0;

    for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        uint32_t number = (uint32_t)strtoul(task->d_name, NULL, 10);
        if (number != 0 && n < room)
            tid[n++] = number;
    }
    if (tasks != NULL)
        closedir(tasks);
    return n;
}

/* Threads that existed before MPI_Init: the application's. */
static uint32_t older[ORK_RING_STARTED];
static uint32_t num_older;

static bool is_older(uint32_t tid)
{
    for (uint32_t i = 0; i < num_older; i++) {
        if (older[i] == tid)
            return true;
    }
    return false;
}

/* From the leaf, in a deterministic run; -1: none. */
static int bell = -1;

/* RATIONALE: of the job that mustrun started; spawned ones run freely. */
static bool is_first_job(void)
{
    MPI_Comm parent = MPI_COMM_NULL;

    ORK_NEXT(MPI_Comm_get_parent)(&parent);
    return parent == MPI_COMM_NULL;
}

static bool is_tried; /* to attach */

static void tell_opaque(const struct ork_job_rank *self, const char *function)
{
    struct ork_unseen what = {.why = ORK_UNSEEN_FUNCTION};

    snprintf(what.library, sizeof(what.library), "%s", function);
    ork_attach_tell_unseen(&what, self->local_rank);
}

/* RATIONALE: what such a call does may be what another call waits for, or make what one is given.
 * As it does not pass through the tool, nothing is said of the process, rather than something
 * wrong. */
static bool is_opaque(const struct ork_job_rank *self)
{
    const char *name = ork_preload_unknown();

    if (name != NULL)
        tell_opaque(self, name);
    return name != NULL;
}

/* RATIONALE: with sessions, a program need not call MPI_Init at all. */
void ork_process_give_up(const char *function)
{
    struct ork_job_rank self;

    if (is_tried)
        return;
    is_tried = true;
    ork_preload_note_init();
    if (ork_library_job_rank(&self))
        tell_opaque(&self, function);
}

bool ork_process_attach(void)
{
    struct ork_job_rank self;
    struct ork_ring *ring;
    int saved = errno;
    int socket;
    struct ork_attach_files files;
    uint8_t flags = ork_watch_has_other() ? ORK_F_OTHER_RUNTIME : 0;

    ork_preload_note_init();
    if (!is_tried && ork_library_job_rank(&self) && !is_opaque(&self) &&
        ork_attach(&self, flags, &ring, &socket, &files)) {
        ork_recorder_adopt(ring, socket);
        ork_repeat_init();
        bell = files.bell;
        ork_sections_adopt(files.sections);
        if (files.order >= 0 && !ork_replay_load(files.order))
            ork_error("cannot read the order to be replayed: this rank runs freely");
        ork_end_watch(ring);
    }
    is_tried = true;
    errno = saved;
    return ork_recorder.ring != NULL;
}

void ork_process_begin(void)
{
    int saved = errno;

    if (ork_process_attach()) {
        num_older = list_threads(older, ORK_RING_STARTED);
        atomic_store(&ork_recorder.ring->begun, 1);
    }
    errno = saved;
}

/* Publish the threads that the library made in MPI_Init, to distinguish them from the
 * application's. RATIONALE: with more older threads than can be listed this is unknown; then all
 * threads count as the application's, and each may call MPI. */
static void note_threads(struct ork_ring *ring, int level)
{
    uint32_t now[2 * ORK_RING_STARTED];
    uint32_t n = num_older < ORK_RING_STARTED ? list_threads(now, 2 * ORK_RING_STARTED) : 0;
    uint32_t started = 0;

    for (uint32_t i = 0; i < n && started < ORK_RING_STARTED; i++) {
        if (!is_older(now[i]))
            ring->started[started++] = now[i];
    }
    atomic_store(&ring->num_started, started);
    atomic_store(&ring->any_thread, level >= MPI_THREAD_SERIALIZED);
}

static void put_init(const struct ork_call *call, int level)
{
    struct ork_record r =
        ORK_RECORD(call, INIT, .request = ORK_REQUEST_NULL, .arg = ork_thread_level_of(level),
                   .bytes = (uint64_t)getpid());
    int rank = 0;
    int size = 0;

    ORK_NEXT(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    ORK_NEXT(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    r.peer = rank;
    r.arg2 = (uint32_t)size;
    ork_lock();
    ork_send_record(&r);
    ork_unlock();
}

/* The intercommunicator to the parents of this process, if it was spawned. */
static void define_parent(const struct ork_call *call)
{
    struct ork_record r = ORK_RECORD(call, COMM_DEF, .mode = ORK_COLL_COMM_SPAWN,
                                     .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER);
    MPI_Comm parent = MPI_COMM_NULL;

    ORK_NEXT(MPI_Comm_get_parent)(&parent);
    ork_lock();
    ork_comm_define(parent, &r, false);
    ork_unlock();
}

/* Before the first record. A part may need those above it. */
static void init_parts(void)
{
    ork_comms_init();
    ork_sections_enter();
    ork_requests_init();
    ork_handle_calls_init();
    ork_types_init();
    ork_bounds_init();
    ork_poll_init();
    ork_poll_records_init();
    ork_impose_init();
    ork_hold_init();
    ork_choice_init();
    ork_atomics_init();
    ork_noise_init();
    ork_callers_init();
    ork_usage_init();
    ork_accesses_init();
    ork_buffers_init();
    ork_release_init();
    if (ork_usage_is_on[ORK_USAGE_BEYOND_BLOCK])
        ork_heap_init();
}

void ork_process_start(struct ork_call *call)
{
    int saved = errno;
    int level = MPI_THREAD_SINGLE;

    if (ork_library_is_alone()) { /* it is not the rank that the launcher says */
        if (ork_recorder.ring != NULL) {
            ork_thread_start();
            ork_set_state(ORK_STATE_DONE);
        }
        goto out;
    }
    if (ork_recorder.ring == NULL || !ork_sites_init())
        goto out;
    ORK_NEXT(MPI_Query_thread)(&level);
    if (bell >= 0 && !is_first_job())
        close(bell);
    else
        ork_decisions_init(bell);
    init_parts();
    ork_level_init(level);
    ork_thread_start();
    ork_recorder.is_locked = ork_watch_is_on; /* threads that do not call MPI report accesses */
    ork_touch_init();
    ork_recorder_start(level == MPI_THREAD_MULTIPLE);
    call->site = ork_site_resolve(call);
    note_threads(ork_recorder.ring, level);
    put_init(call, level);
    define_parent(call);
    ork_ring_wake_leaf(); /* it sleeps until then */
    ork_end_watch_signals();
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
