/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/buffer_hash.h"

#include "common/log.h"
#include "common/session.h"
#include "interceptor/usage/usage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wswitch-enum"
#include <xxhash.h>
#pragma GCC diagnostic pop

enum { CHUNK = 1 << 16 };

bool ork_buffer_hashes_are_on;
static XXH3_state_t state;
static char chunk[CHUNK];

/* Copy bytes of this process. RATIONALE: the program may have unmapped a buffer that it sends; then
 * the system call fails, and nothing crashes. */
static bool copy(int64_t low, size_t length)
{
    struct iovec to = {.iov_base = chunk, .iov_len = length};
    struct iovec from = {.iov_base = (void *)(uintptr_t)low, .iov_len = length};

    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)length;
}

static bool add_block(void *context, int64_t low, int64_t length)
{
    (void)context;
    while (length > 0) {
        size_t part = length < CHUNK ? (size_t)length : CHUNK;
        if (!copy(low, part))
            return false;
        XXH3_64bits_update(&state, chunk, part);
        low += (int64_t)part;
        length -= (int64_t)part;
    }
    return true;
}

bool ork_buffer_hash_is_possible(void)
{
    return copy((int64_t)(uintptr_t)&state, sizeof(state));
}

void ork_buffer_hash_init(void)
{
    const char *on = getenv(ORK_ENV_HASHES);
    int saved = errno;

    ork_buffer_hashes_are_on =
        on != NULL && strcmp(on, "1") == 0 && ork_usage_is_on[ORK_USAGE_BUFFER_MODIFIED];
    if (ork_buffer_hashes_are_on && !ork_buffer_hash_is_possible()) {
        ork_error("send buffers are not checked: process_vm_readv: %s", strerror(errno));
        ork_buffer_hashes_are_on = false;
    }
    errno = saved;
}

bool ork_buffer_hash(const struct ork_span *span, uint64_t *hash)
{
    int saved = errno;
    bool ok;

    XXH3_64bits_reset(&state);
    ok = ork_span_visit(span, add_block, NULL);
    *hash = XXH3_64bits_digest(&state);
    errno = saved;
    return ok;
}

/* RATIONALE: the buffer still has its content of the time when it was pending. The finding is about
 * the call that started the operation: that one has returned. */
void ork_buffer_hash_compare(const struct ork_span *span, uint64_t before,
                             const struct ork_call *call, enum ork_usage_id id)
{
    uint64_t now;

    if (ork_buffer_hash(span, &now) && now != before)
        ork_usage_report_returned(call, &(struct ork_usage){.id = id});
}
