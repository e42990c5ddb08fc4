/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call/call.h"

#include "interceptor/outcomes/error_handlers.h"

static int error_class(int result)
{
    int error = MPI_ERR_OTHER;

    ORK_NEXT(MPI_Error_class)(result, &error);
    return error;
}

static struct ork_record failed(const struct ork_call *call, int error, bool took_effect)
{
    return ORK_RECORD(call, EXIT, .flags = took_effect ? ORK_F_ERROR | ORK_F_MATCHED : ORK_F_ERROR,
                      .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL, .arg = (uint32_t)error);
}

static void put_error(const struct ork_call *call, int error, bool took_effect)
{
    struct ork_record r = failed(call, error, took_effect);

    ork_error_handler_mark(&r);
    ork_send_record(&r);
}

bool ork_is_truncated(int result)
{
    return error_class(result) == MPI_ERR_TRUNCATE;
}

void ork_put_error(const struct ork_call *call, int result)
{
    int error = error_class(result);

    put_error(call, error, error == MPI_ERR_TRUNCATE);
}

void ork_put_receive_error(const struct ork_call *call, const MPI_Status *status, uint64_t choice,
                           int result)
{
    int error = error_class(result);
    struct ork_record r = failed(call, error, error == MPI_ERR_TRUNCATE);

    if (error == MPI_ERR_TRUNCATE && status != NULL && choice != 0) {
        r.extra = ork_choice_name(choice);
        r.peer = ork_peer(status->MPI_SOURCE);
        r.tag = ork_tag(status->MPI_TAG);
    }
    ork_error_handler_mark(&r);
    ork_send_record(&r);
}

/* Do libraries detect it when they check arguments, before they communicate? RATIONALE: an error of
 * any other class may come after the call has taken part, with some or all members. Open MPI has no
 * class for some invalid arguments of constructors, as negative dimensions. */
static bool is_of_arguments(int error, bool is_constructor)
{
    static const int class_[] = {
        MPI_ERR_BUFFER,   MPI_ERR_COUNT,      MPI_ERR_TYPE,   MPI_ERR_TAG,      MPI_ERR_COMM,
        MPI_ERR_RANK,     MPI_ERR_REQUEST,    MPI_ERR_ROOT,   MPI_ERR_GROUP,    MPI_ERR_OP,
        MPI_ERR_TOPOLOGY, MPI_ERR_DIMS,       MPI_ERR_ARG,    MPI_ERR_UNKNOWN,  MPI_ERR_ASSERT,
        MPI_ERR_BASE,     MPI_ERR_DISP,       MPI_ERR_INFO,   MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY,
        MPI_ERR_LOCKTYPE, MPI_ERR_INFO_VALUE, MPI_ERR_KEYVAL, MPI_ERR_SIZE,     MPI_ERR_WIN,
        MPI_ERR_FILE,     MPI_ERR_AMODE,
    };

    for (size_t i = 0; i < sizeof(class_) / sizeof(class_[0]); i++)
        if (class_[i] == error)
            return true;
    return is_constructor && (error == MPI_ERR_OTHER || error == MPI_ERR_INTERN);
}

void ork_put_coll_error(const struct ork_call *call, int result, bool is_constructor)
{
    int error = error_class(result);

    put_error(call, error, !is_of_arguments(error, is_constructor));
}

void ork_put_not_started(const struct ork_call *call, int result)
{
    struct ork_record r =
        ORK_RECORD(call, OPAQUE, .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL);

    ork_send_record(&r);
    ork_put_error(call, result);
}

/* RATIONALE: the library may have used the handle again since, and the number may have been given
 * again. */
void ork_stored_lose(const struct ork_call *call, const MPI_Request *at)
{
    const struct ork_stored *s = ork_stored_of(at);
    struct ork_request now = ork_request_find(s->handle);

    if (now.id != s->id || ork_request_serial(s->id) != s->serial ||
        !ork_stored_is_in_program(call))
        return;
    struct ork_record r = ORK_RECORD(call, OVERWRITTEN, .request = s->id, .peer = ORK_NO_PEER);
    ork_put(&r);
}
