/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/attached.h"

#include "interceptor/mpi/neutral.h"
#include "record/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Atomic int64_t ork_attached_size;

/* The messages that were sent from this buffer, and the bytes of each. */
enum { OF_NO_MESSAGE = 0 };
#define DIFFERENT UINT64_MAX
static _Atomic uint64_t num_sent, bytes_each;

/* The call that attached it; unused if no buffer is attached. */
static uint32_t site;
static uint16_t id;

static bool is_attached(void)
{
    return atomic_load(&ork_attached_size) != 0;
}

void ork_attached_look(const struct ork_call *call)
{
    if (is_attached())
        ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_ATTACHED_TWICE,
                                                   .other_site = site,
                                                   .other_call = id});
}

void ork_attached_enter(const struct ork_call *call, int64_t size)
{
    ork_lock();
    site = call->site;
    id = call->id;
    atomic_store(&ork_attached_size, size);
    atomic_store(&num_sent, 0);
    atomic_store(&bytes_each, OF_NO_MESSAGE);
    ork_unlock();
}

void ork_attached_look_detach(const struct ork_call *call)
{
    if (!is_attached())
        ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_NOT_ATTACHED});
}

void ork_attached_forget(void)
{
    atomic_store(&ork_attached_size, 0);
}

/* False: it has room, as far as is known. */
static bool describe(struct ork_usage *usage, uint64_t bytes)
{
    int64_t size = atomic_load(&ork_attached_size);

    if (!ork_attached_lacks(bytes) || (size == 0 && bytes == 0))
        return false;
    *usage = (struct ork_usage){.id = ORK_USAGE_NO_ATTACHED, .value = (int64_t)bytes};
    if (size > 0)
        *usage = (struct ork_usage){.id = bytes > (uint64_t)size ? ORK_USAGE_ATTACHED_SMALL
                                                                 : ORK_USAGE_ATTACHED_TIGHT,
                                    .value = (int64_t)bytes,
                                    .value2 = size,
                                    .other_site = site,
                                    .other_call = id};
    return true;
}

bool ork_wrong_attached(const struct ork_call *call, int dest, uint64_t bytes)
{
    struct ork_usage usage;

    if (dest == MPI_PROC_NULL || !describe(&usage, bytes))
        return false;
    ork_usage_report(call, &usage);
    return true;
}

void ork_wrong_attached_locked(const struct ork_call *call, uint64_t bytes)
{
    struct ork_usage usage;

    if (describe(&usage, bytes))
        ork_usage_report_locked(call, &usage);
}

/* ---- the messages in the buffer ---- */

/* RATIONALE: which of the messages have left the buffer is not known. But as long as all have one
 * size, each gap has room for another one: so if there is none, most of the buffer is in use. */
static void write_pending(char *text, size_t room, int64_t size, uint64_t bytes)
{
    const uint64_t each = bytes + MPI_BSEND_OVERHEAD;
    const uint64_t least = ((uint64_t)size - each) / each + 1;

    if (atomic_load(&bytes_each) != bytes || least > atomic_load(&num_sent))
        snprintf(text, room, "earlier messages are pending in it");
    else if (least == 1)
        snprintf(text, room, "at least %" PRIu64 " bytes and the overhead are pending", bytes);
    else
        snprintf(text, room,
                 "at least %" PRIu64 " x %" PRIu64 " bytes and the overhead are pending", least,
                 bytes);
}

/* May the call have failed because there was no room left? RATIONALE: Open MPI has no class for the
 * start of a persistent request. */
static bool is_for_lack(uint16_t call, uint32_t error_class)
{
    bool is_start = call == ORK_CALL_MPI_Start || call == ORK_CALL_MPI_Startall;

    return error_class == ORK_ERR_BUFFER || (is_start && error_class != ORK_ERR_REQUEST);
}

/* False: the buffer is not the reason, as far as is known. */
static bool report_full(const struct ork_call *call, uint64_t bytes, uint32_t error_class)
{
    const int64_t size = atomic_load(&ork_attached_size);
    char text[96];

    if (!is_for_lack(call->id, error_class) || !is_attached() || ork_attached_lacks(bytes) ||
        atomic_load(&num_sent) == 0)
        return false;
    write_pending(text, sizeof(text), size, bytes);
    ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_ATTACHED_FULL,
                                               .value = (int64_t)bytes,
                                               .value2 = size,
                                               .text = text,
                                               .other_site = site,
                                               .other_call = id});
    return true;
}

void ork_attached_end(const struct ork_call *call, uint64_t bytes, int result)
{
    uint64_t none = OF_NO_MESSAGE;

    ork_buffering.bytes = 0;
    if (bytes == 0)
        return;
    if (ORK_LIKELY(result == MPI_SUCCESS)) {
        if (!atomic_compare_exchange_strong(&bytes_each, &none, bytes) && none != bytes)
            atomic_store(&bytes_each, DIFFERENT);
        atomic_fetch_add(&num_sent, 1);
        return;
    }
    if (report_full(call, bytes, ork_error_class_of(result)))
        ork_usage_returned(call, result);
}

void ork_attached_failed(const char *call, uint32_t error_class)
{
    const struct ork_buffering *b = &ork_buffering;

    if (b->bytes != 0 && call != NULL && strcmp(call, ork_call_name(b->call.id)) == 0)
        report_full(&b->call, b->bytes, error_class);
}
