/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call/call.h"

#include "interceptor/mpi/neutral.h"
#include "interceptor/outcomes/error_handlers.h"

static struct ork_record failed(const struct ork_call *call, uint32_t error, bool took_effect)
{
    return ORK_RECORD(call, EXIT, .flags = took_effect ? ORK_F_ERROR | ORK_F_MATCHED : ORK_F_ERROR,
                      .peer = ORK_NO_PEER, .request = ORK_REQUEST_NULL, .arg = error);
}

static void put_error(const struct ork_call *call, uint32_t error, bool took_effect)
{
    struct ork_record r = failed(call, error, took_effect);

    ork_error_handler_mark(&r);
    ork_send_record(&r);
}

bool ork_is_truncated(int result)
{
    return ork_error_class_of(result) == ORK_ERR_TRUNCATE;
}

void ork_put_error(const struct ork_call *call, int result)
{
    uint32_t error = ork_error_class_of(result);

    put_error(call, error, error == ORK_ERR_TRUNCATE);
}

void ork_put_receive_error(const struct ork_call *call, const MPI_Status *status, uint64_t choice,
                           int result)
{
    uint32_t error = ork_error_class_of(result);
    struct ork_record r = failed(call, error, error == ORK_ERR_TRUNCATE);

    if (error == ORK_ERR_TRUNCATE && status != NULL && choice != 0) {
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
static bool is_of_arguments(uint32_t error, bool is_constructor)
{
    static const enum ork_error_class class_[] = {
        ORK_ERR_BUFFER,   ORK_ERR_COUNT,      ORK_ERR_TYPE,   ORK_ERR_TAG,      ORK_ERR_COMM,
        ORK_ERR_RANK,     ORK_ERR_REQUEST,    ORK_ERR_ROOT,   ORK_ERR_GROUP,    ORK_ERR_OP,
        ORK_ERR_TOPOLOGY, ORK_ERR_DIMS,       ORK_ERR_ARG,    ORK_ERR_UNKNOWN,  ORK_ERR_ASSERT,
        ORK_ERR_BASE,     ORK_ERR_DISP,       ORK_ERR_INFO,   ORK_ERR_INFO_KEY, ORK_ERR_INFO_NOKEY,
        ORK_ERR_LOCKTYPE, ORK_ERR_INFO_VALUE, ORK_ERR_KEYVAL, ORK_ERR_SIZE,     ORK_ERR_WIN,
        ORK_ERR_FILE,     ORK_ERR_AMODE,
    };

    for (size_t i = 0; i < sizeof(class_) / sizeof(class_[0]); i++)
        if (class_[i] == error)
            return true;
    return is_constructor && (error == ORK_ERR_OTHER || error == ORK_ERR_INTERN);
}

void ork_put_coll_error(const struct ork_call *call, int result, bool is_constructor)
{
    uint32_t error = ork_error_class_of(result);

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
