/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes in a replay. */
#include "interceptor/forcing/force_internal.h"
#include "interceptor/forcing/wait.h"

/* ---- probes that wait ---- */

/* The arguments of a probe; message NULL: of one without. */
struct probe {
    enum ork_call_id id;
    int source, tag;
    MPI_Comm comm;
    MPI_Message *message;
    MPI_Status *status;
};

static int ask(const struct probe *p, int *flag)
{
    if (p->message != NULL)
        return REAL(MPI_Improbe)(p->source, p->tag, p->comm, flag, p->message, p->status);
    return REAL(MPI_Iprobe)(p->source, p->tag, p->comm, flag, p->status);
}

static int find_while(const struct probe *p, bool is_free, int *flag)
{
    int result = ask(p, flag);
    struct ork_wait w;

    if (*flag || result != MPI_SUCCESS)
        return result;
    ork_wait_begin(&w, p->id, is_free);
    while (result == MPI_SUCCESS && !*flag && ork_wait_on(&w))
        result = ask(p, flag);
    ork_wait_end(&w);
    return result;
}

/* Probe until the message is there. Without error and flag: it does not come, and the rank has
 * diverged. */
static int find(const struct probe *p, int *flag)
{
    return find_while(p, false, flag);
}

/* The same of a free probe, which is unsuccessful then. */
static int find_any(const struct probe *p, int *flag)
{
    int result = find_while(p, true, flag);

    ork_force_note_free_poll(p->id, *flag != 0);
    return result;
}

static int imposed_MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct probe p = {ORK_CALL_MPI_Probe, source, tag, comm, NULL, status};
    int flag = 0;

    if (ork_is_imposed(p.id) &&
        ork_force_envelope(ORK_CHOICE_PROBE, p.id, comm, &p.source, &p.tag)) {
        int result = find(&p, &flag);
        if (flag || result != MPI_SUCCESS)
            return result;
    }
    return REAL(MPI_Probe)(source, tag, comm, status);
}

static int imposed_MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                              MPI_Status *status)
{
    struct probe p = {ORK_CALL_MPI_Mprobe, source, tag, comm, message, status};
    int flag = 0;

    if (ork_is_imposed(p.id) &&
        ork_force_envelope(ORK_CHOICE_PROBE, p.id, comm, &p.source, &p.tag)) {
        int result = find(&p, &flag);
        if (flag || result != MPI_SUCCESS)
            return result;
    }
    return REAL(MPI_Mprobe)(source, tag, comm, message, status);
}

/* ---- probes that poll ---- */

/* Name source and tag of a poll that succeeds. */
static enum ork_force_poll next_poll(struct probe *p)
{
    const struct ork_choice *next;
    const struct ork_force_polled polled = {.kind = ORK_CHOICE_PROBE,
                                            .id = p->id,
                                            .handle = ORK_KEY(p->comm),
                                            .source = p->source,
                                            .tag = p->tag};
    enum ork_force_poll poll =
        ork_replay_is_on() ? ork_force_next_poll(&polled, &next) : ORK_FORCE_FREE;

    if (poll == ORK_FORCE_FREE)
        return ork_force_free_poll(p->id);
    if (poll != ORK_FORCE_SUCCEEDS || p->source == MPI_PROC_NULL || next->source == ORK_NO_PEER)
        return poll == ORK_FORCE_FAILS ? ORK_FORCE_FAILS : ORK_FORCE_FREE;
    if (ork_force_name(next, p->comm, &p->source, &p->tag))
        return ORK_FORCE_SUCCEEDS;
    ork_force_diverge(ORK_DIVERGED_OUTCOME, p->id);
    return ORK_FORCE_FREE;
}

/* False: the call is free, and does not wait. */
static bool poll(struct probe *p, int *flag, int *result)
{
    enum ork_force_poll what = ork_is_imposed(p->id) ? next_poll(p) : ORK_FORCE_FREE;

    *result = MPI_SUCCESS;
    if (what == ORK_FORCE_FAILS)
        *flag = 0;
    else if (what == ORK_FORCE_SUCCEEDS)
        *result = find(p, flag);
    else if (what == ORK_FORCE_WAITS)
        *result = find_any(p, flag);
    return what == ORK_FORCE_FAILS || what == ORK_FORCE_WAITS ||
           (what == ORK_FORCE_SUCCEEDS && (*flag || *result != MPI_SUCCESS));
}

static int imposed_MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct probe p = {ORK_CALL_MPI_Iprobe, source, tag, comm, NULL, status};
    int result;

    if (poll(&p, flag, &result))
        return result;
    return REAL(MPI_Iprobe)(source, tag, comm, flag, status);
}

static int imposed_MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                               MPI_Status *status)
{
    struct probe p = {ORK_CALL_MPI_Improbe, source, tag, comm, message, status};
    int result;

    if (poll(&p, flag, &result))
        return result;
    return REAL(MPI_Improbe)(source, tag, comm, flag, message, status);
}

void ork_force_init_probes(void)
{
    ORK_IMPOSE(MPI_Probe);
    ORK_IMPOSE(MPI_Mprobe);
    ORK_IMPOSE(MPI_Iprobe);
    ORK_IMPOSE(MPI_Improbe);
}
