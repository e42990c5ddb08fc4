/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes, MPI-3.1 section 3.8. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/outcome.h"
#include "interceptor/forcing/real.h"

/* message NULL: of a call without. */
struct probe {
    struct ork_point point;
    MPI_Message *message;
    MPI_Status *status;
};

static struct probe make(enum ork_call_id id, int source, int tag, MPI_Comm comm,
                         MPI_Message *message, MPI_Status *status)
{
    return (struct probe){.point = {.kind = ORK_CHOICE_PROBE,
                                    .id = id,
                                    .comm = comm,
                                    .source = source,
                                    .tag = tag,
                                    .is_matched = message != NULL},
                          .message = message,
                          .status = status};
}

static int ask(const struct probe *p, int *flag)
{
    const struct ork_point *of = &p->point;

    if (p->message != NULL)
        return REAL(MPI_Improbe)(of->source, of->tag, of->comm, flag, p->message, p->status);
    return REAL(MPI_Iprobe)(of->source, of->tag, of->comm, flag, p->status);
}

/* Probe until the message is there. Without error and flag: it does not come; the rank has
 * diverged, or the probe is free, and unsuccessful. */
static int find(const struct probe *p, bool is_free, int *flag)
{
    int result = ask(p, flag);
    struct ork_wait w;

    if (*flag || result != MPI_SUCCESS)
        return result;
    ork_wait_begin(&w, p->point.id, is_free);
    while (result == MPI_SUCCESS && !*flag && ork_wait_on(&w))
        result = ask(p, flag);
    ork_wait_end(&w);
    return result;
}

/* False: the call is free. */
static bool is_found(struct probe *p, int *result)
{
    int flag = 0;

    *result = MPI_SUCCESS;
    if (ork_outcome_of_probe(&p->point))
        *result = find(p, false, &flag);
    return flag || *result != MPI_SUCCESS;
}

static int imposed_MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct probe p = make(ORK_CALL_MPI_Probe, source, tag, comm, NULL, status);
    int result;

    return is_found(&p, &result) ? result : REAL(MPI_Probe)(source, tag, comm, status);
}

static int imposed_MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                              MPI_Status *status)
{
    struct probe p = make(ORK_CALL_MPI_Mprobe, source, tag, comm, message, status);
    int result;

    return is_found(&p, &result) ? result : REAL(MPI_Mprobe)(source, tag, comm, message, status);
}

/* False: the call is free, and does not wait. */
static bool poll(struct probe *p, int *flag, int *result)
{
    const struct ork_choice *next;
    enum ork_outcome outcome = ork_outcome_of_poll(&p->point, &next);

    *result = MPI_SUCCESS;
    if (outcome == ORK_OUTCOME_FREE)
        return false;
    *flag = 0;
    if (outcome != ORK_OUTCOME_FAILS) {
        *result = find(p, outcome == ORK_OUTCOME_WAITS, flag);
        ork_outcome_end_poll(outcome, p->point.id, *flag != 0);
    }
    return outcome != ORK_OUTCOME_GIVEN || *flag || *result != MPI_SUCCESS;
}

static int imposed_MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct probe p = make(ORK_CALL_MPI_Iprobe, source, tag, comm, NULL, status);
    int result;

    return poll(&p, flag, &result) ? result : REAL(MPI_Iprobe)(source, tag, comm, flag, status);
}

static int imposed_MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                               MPI_Status *status)
{
    struct probe p = make(ORK_CALL_MPI_Improbe, source, tag, comm, message, status);
    int result;

    return poll(&p, flag, &result) ? result
                                   : REAL(MPI_Improbe)(source, tag, comm, flag, message, status);
}

void ork_impose_probes(void)
{
    ORK_IMPOSE(MPI_Probe);
    ORK_IMPOSE(MPI_Mprobe);
    ORK_IMPOSE(MPI_Iprobe);
    ORK_IMPOSE(MPI_Improbe);
}
