/* SPDX-License-Identifier: BSD-3-Clause */
/* Polling twins: each returns what its blocking function would (MPI-3.1 sections 3.2.4, 3.4, 3.7.3,
 * 3.7.5, 3.8 and 3.10). They are only used inside recorded calls. */
#include "interceptor/forcing/poll.h"

#include "common/session.h"
#include "interceptor/outcomes/early.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"
#include "interceptor/forcing/pause.h"
#include "interceptor/requests/requests.h"
#include "interceptor/preload/thread_storage.h"

#include <errno.h>
#include <stdlib.h>

#define POLLED(X)                                                                                  \
    X(MPI_Send)                                                                                    \
    X(MPI_Ssend)                                                                                   \
    X(MPI_Recv)                                                                                    \
    X(MPI_Sendrecv)                                                                                \
    X(MPI_Probe)                                                                                   \
    X(MPI_Mprobe)                                                                                  \
    X(MPI_Wait)                                                                                    \
    X(MPI_Waitall)                                                                                 \
    X(MPI_Waitany)                                                                                 \
    X(MPI_Waitsome)

static ork_function real[ORK_CALL_MAX];
#define REAL(name) ((__typeof__(&P##name))real[ORK_CALL_##name])

/* The twin that the thread was in last. */
ORK_THREAD_LOCAL(uint16_t, ork_poll_twin);

static bool is_in_call(void)
{
    return atomic_load_explicit(&ork_recording, memory_order_relaxed) &&
           ork_thread.state == ORK_STATE_BLOCKED;
}

/* The twin of this function begins: is it to poll? */
static bool is_polling(enum ork_call_id id)
{
    ork_poll_twin = (uint16_t)id;
    return is_in_call();
}

/* RATIONALE: callbacks make calls inside of another one. Those that are recorded are deeper; other
 * calls that block are made by their own names. */
const char *ork_poll_name(const char *function)
{
    static const char *const part[] = {"MPI_Isend",   "MPI_Issend",   "MPI_Irecv",  "MPI_Test",
                                       "MPI_Testany", "MPI_Testsome", "MPI_Iprobe", "MPI_Improbe"};

    for (size_t i = 0; i < sizeof(part) / sizeof(part[0]) && function != NULL; i++) {
        if (ork_poll_twin != ORK_CALL_NONE && is_in_call() && ork_thread.in_library == 1 &&
            strcmp(function, part[i]) == 0)
            return ork_call_name(ork_poll_twin);
    }
    return function;
}

/* -- our own requests -- */

static int finish(MPI_Request *request, MPI_Status *status)
{
    struct ork_pause p = {0};
    int flag = 0;
    int result = ORK_NEXT(MPI_Test)(request, &flag, status);

    while (result == MPI_SUCCESS && !flag) {
        ork_pause_once(&p);
        result = ORK_NEXT(MPI_Test)(request, &flag, status);
    }
    return result;
}

static int polled_MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                           MPI_Comm comm)
{
    MPI_Request request;

    if (!is_polling(ORK_CALL_MPI_Send) || dest == MPI_PROC_NULL)
        return REAL(MPI_Send)(buf, count, datatype, dest, tag, comm);
    int result = ORK_NEXT(MPI_Isend)(buf, count, datatype, dest, tag, comm, &request);
    return result == MPI_SUCCESS ? finish(&request, MPI_STATUS_IGNORE) : result;
}

static int polled_MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            MPI_Comm comm)
{
    MPI_Request request;

    if (!is_polling(ORK_CALL_MPI_Ssend) || dest == MPI_PROC_NULL)
        return REAL(MPI_Ssend)(buf, count, datatype, dest, tag, comm);
    int result = ORK_NEXT(MPI_Issend)(buf, count, datatype, dest, tag, comm, &request);
    return result == MPI_SUCCESS ? finish(&request, MPI_STATUS_IGNORE) : result;
}

static int polled_MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                           MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;

    if (!is_polling(ORK_CALL_MPI_Recv) || source == MPI_PROC_NULL)
        return REAL(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
    int result = ORK_NEXT(MPI_Irecv)(buf, count, datatype, source, tag, comm, &request);
    return result == MPI_SUCCESS ? finish(&request, status) : result;
}

static int polled_MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                               int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                               int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request send;
    MPI_Request receive;

    if (!is_polling(ORK_CALL_MPI_Sendrecv) || dest == MPI_PROC_NULL || source == MPI_PROC_NULL)
        return REAL(MPI_Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                  recvtype, source, recvtag, comm, status);
    int result = ORK_NEXT(MPI_Irecv)(recvbuf, recvcount, recvtype, source, recvtag, comm, &receive);
    if (result != MPI_SUCCESS)
        return result;
    result = ORK_NEXT(MPI_Isend)(sendbuf, sendcount, sendtype, dest, sendtag, comm, &send);
    if (result != MPI_SUCCESS) {
        ORK_NEXT(MPI_Cancel)(&receive);
        REAL(MPI_Wait)(&receive, MPI_STATUS_IGNORE);
        return result;
    }
    result = finish(&send, MPI_STATUS_IGNORE);
    int received = finish(&receive, status);
    return result != MPI_SUCCESS ? result : received;
}

/* -- probes -- */

static int polled_MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct ork_pause p = {0};
    int flag = 0;

    if (!is_polling(ORK_CALL_MPI_Probe))
        return REAL(MPI_Probe)(source, tag, comm, status);
    int result = ORK_NEXT(MPI_Iprobe)(source, tag, comm, &flag, status);
    while (result == MPI_SUCCESS && !flag) {
        ork_pause_once(&p);
        result = ORK_NEXT(MPI_Iprobe)(source, tag, comm, &flag, status);
    }
    return result;
}

static int polled_MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                             MPI_Status *status)
{
    struct ork_pause p = {0};
    int flag = 0;

    if (!is_polling(ORK_CALL_MPI_Mprobe))
        return REAL(MPI_Mprobe)(source, tag, comm, message, status);
    int result = ORK_NEXT(MPI_Improbe)(source, tag, comm, &flag, message, status);
    while (result == MPI_SUCCESS && !flag) {
        ork_pause_once(&p);
        result = ORK_NEXT(MPI_Improbe)(source, tag, comm, &flag, message, status);
    }
    return result;
}

/* -- the application's requests -- */

static int polled_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return is_polling(ORK_CALL_MPI_Wait) ? finish(request, status)
                                         : REAL(MPI_Wait)(request, status);
}

/* RATIONALE: MPI_Waitall by MPI_Testsome, because it returns as soon as one request fails;
 * MPI_Testall reports a failure only when all are complete. */
struct waitall {
    int count;
    MPI_Request *request; /* the application's */
    MPI_Status *status;   /* the application's, or MPI_STATUSES_IGNORE */
    MPI_Request *left;    /* the handles of the incomplete ones */
    int *index;
    MPI_Status *found;
};

static bool waitall_init(struct waitall *w)
{
    size_t n = (size_t)w->count;
    int saved = errno;

    w->left = malloc(n * sizeof(*w->left));
    w->index = malloc(n * sizeof(*w->index));
    w->found = malloc(n * sizeof(*w->found));
    errno = saved;
    if (w->left == NULL || w->index == NULL || w->found == NULL)
        return false;
    memcpy(w->left, w->request, n * sizeof(*w->left));
    return true;
}

static void waitall_release(struct waitall *w)
{
    free(w->left);
    free(w->index);
    free(w->found);
}

static void take(struct waitall *w, int n)
{
    ork_lock();
    for (int k = 0; k < n; k++) {
        int i = w->index[k];
        ork_early_tell(ork_request_find(w->left[i]).id, &w->found[k]);
        w->left[i] = MPI_REQUEST_NULL;
        if (w->status != MPI_STATUSES_IGNORE)
            w->status[i] = w->found[k];
    }
    ork_unlock();
}

/* Elements that no MPI_Testsome will return: null ones now, inactive and pending ones at the
 * end. */
static MPI_Status empty_status(void)
{
    MPI_Request null = MPI_REQUEST_NULL;
    MPI_Status empty = {.MPI_ERROR = MPI_SUCCESS};
    int flag;

    ORK_NEXT(MPI_Test)(&null, &flag, &empty);
    return empty;
}

static void settle_nulls(const struct waitall *w)
{
    MPI_Status empty = empty_status();

    for (int i = 0; w->status != MPI_STATUSES_IGNORE && i < w->count; i++) {
        if (w->left[i] == MPI_REQUEST_NULL)
            w->status[i] = empty;
    }
}

/* RATIONALE: a library may make a persistent request inactive by that question; then what the
 * program knows of it decides. */
static bool is_inactive(MPI_Request request)
{
    int flag = 1;

    ork_lock();
    struct ork_request r = ork_request_find(request);
    ork_unlock();
    if ((r.flags & ORK_R_PERSISTENT) != 0 && !ork_library_keeps_active())
        return !ork_request_is_active(&r);
    ORK_NEXT(MPI_Request_get_status)(request, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
}

static void settle_rest(const struct waitall *w)
{
    MPI_Status empty = empty_status();

    for (int i = 0; w->status != MPI_STATUSES_IGNORE && i < w->count; i++) {
        if (w->left[i] == MPI_REQUEST_NULL)
            continue;
        if (is_inactive(w->left[i]))
            w->status[i] = empty;
        else
            w->status[i].MPI_ERROR = MPI_ERR_PENDING;
    }
}

static int wait_for_all(struct waitall *w)
{
    struct ork_pause p = {0};
    int n = 0;
    int result;

    for (;;) {
        result = ORK_NEXT(MPI_Testsome)(w->count, w->request, &n, w->index, w->found);
        if (n == MPI_UNDEFINED || (result != MPI_SUCCESS && result != MPI_ERR_IN_STATUS))
            break;
        take(w, n);
        if (result != MPI_SUCCESS)
            break;
        if (n == 0)
            ork_pause_once(&p);
    }
    return result;
}

static int polled_MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    struct waitall w = {.count = count, .request = request, .status = status};

    if (!is_polling(ORK_CALL_MPI_Waitall) || count <= 0 || !waitall_init(&w)) {
        waitall_release(&w);
        return REAL(MPI_Waitall)(count, request, status);
    }
    settle_nulls(&w);
    int result = wait_for_all(&w);
    settle_rest(&w);
    waitall_release(&w);
    return result;
}

static int polled_MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    struct ork_pause p = {0};
    int flag = 0;

    if (!is_polling(ORK_CALL_MPI_Waitany))
        return REAL(MPI_Waitany)(count, request, index, status);
    int result = ORK_NEXT(MPI_Testany)(count, request, index, &flag, status);
    while (result == MPI_SUCCESS && !flag) {
        ork_pause_once(&p);
        result = ORK_NEXT(MPI_Testany)(count, request, index, &flag, status);
    }
    return result;
}

static int polled_MPI_Waitsome(int incount, MPI_Request request[], int *outcount, int index[],
                               MPI_Status status[])
{
    struct ork_pause p = {0};

    if (!is_polling(ORK_CALL_MPI_Waitsome))
        return REAL(MPI_Waitsome)(incount, request, outcount, index, status);
    int result = ORK_NEXT(MPI_Testsome)(incount, request, outcount, index, status);
    while (result == MPI_SUCCESS && *outcount == 0) {
        ork_pause_once(&p);
        result = ORK_NEXT(MPI_Testsome)(incount, request, outcount, index, status);
    }
    return result;
}

void ork_poll_init(void)
{
    const char *wanted = getenv(ORK_ENV_POLL);

    if (wanted == NULL || wanted[0] != '1')
        return;
#define REPLACE(name)                                                                              \
    real[ORK_CALL_##name] = ork_next(ORK_CALL_##name, "P" #name);                                  \
    atomic_store(&ork_next_table[ORK_CALL_##name], (ork_function)polled_##name);
    POLLED(REPLACE)
#undef REPLACE
}
