/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation and end of the threads of a process. */
#include "detector/state/state.h"

#include <stdlib.h>
#include <string.h>

struct mpi_thread *ork_thread_find_live(const struct proc *p, uint16_t thread)
{
    for (uint32_t i = 0; i < p->num_threads; i++) {
        if (p->thread[i]->thread == thread && !p->thread[i]->over)
            return p->thread[i];
    }
    return NULL;
}

/* A parked thread, or a new one. NULL: out of memory. */
static struct mpi_thread *take_parked(struct proc *p)
{
    struct mpi_thread *th = p->parked;

    if (th == NULL)
        return ork_lines_alloc(1, sizeof(*th));
    p->parked = th->parked;
    th->parked = NULL;
    th->over = false;
    th->thread_order = ORDER_FREE;
    th->goes_after = NULL;
    th->released = 0;
    return th;
}

/* To be called after a change of thread[]. */
static void count_threads(struct proc *p)
{
    bool inside = false;

    p->first = p->num_threads > 0 ? p->thread[0] : NULL;
    p->several |= p->num_threads > 1;
    ork_proc_set_bulk_blocker(p, BULK_THREADS, p->num_threads != 1 || p->first->thread != 0);
    for (uint32_t i = 0; i < p->num_threads; i++)
        inside |= p->thread[i]->blocks_bulk;
    ork_proc_set_bulk_blocker(p, BULK_IN_CALL, inside);
}

struct mpi_thread *ork_thread_find(struct proc *p, uint16_t thread)
{
    struct ork_detector *d = p->d;
    struct mpi_thread *th = ork_thread_find_live(p, thread);

    if (th != NULL)
        return th;
    if (p->num_threads == p->thread_cap &&
        !ork_grow(d, &p->thread, &p->thread_cap, p->num_threads + 1, sizeof(struct mpi_thread *)))
        return NULL;
    if ((th = take_parked(p)) == NULL) {
        d->failed = true;
        return NULL;
    }
    th->proc = p;
    th->thread = thread;
    th->instance = ++p->num_instances;
    th->call = (struct ork_record){.kind = ORK_KIND_CONT};
    th->made_on = MADE_ON_NONE;
    p->thread[p->num_threads++] = th;
    count_threads(p);
    return th;
}

/* The thread has ended. */
void ork_thread_park(struct mpi_thread *th)
{
    struct proc *p = th->proc;
    uint32_t at = 0;

    ORK_ASSERT(!th->in_work && !th->in_call && th->queue.count == 0);
    while (p->thread[at] != th)
        at++;
    p->num_threads--;
    memmove(&p->thread[at], &p->thread[at + 1], (p->num_threads - at) * sizeof(*p->thread));
    th->parked = p->parked;
    p->parked = th;
    count_threads(p);
}

void ork_thread_destroy(struct mpi_thread *th)
{
    free(th->list);
    free(th->outcome);
    free(th->queue.slot);
    free(th->queue.when);
    free(th->id_counts);
    free(th);
}

/* Are all threads past MPI_Finalize? */
static bool has_left_finalize(const struct proc *p)
{
    return p->ended && p->end == ORK_END_FINISHED;
}

bool ork_thread_run_is_ahead(const struct mpi_thread *th)
{
    return th->in_call && (th->exited || th->returned || th->over || th->queue.count > 0 ||
                           has_left_finalize(th->proc));
}
