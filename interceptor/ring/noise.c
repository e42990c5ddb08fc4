/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/noise.h"

#include "common/log.h"
#include "common/session.h"
#include "interceptor/ring/errands.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/ring/noise_stream.h"
#include "interceptor/preload/thread_storage.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* Of this process, written before recording starts. */
static uint64_t seed;
static uint64_t max_ns; /* 0: no noise */
static uint32_t rank;

struct noise_state {
    bool is_begun;
    struct ork_noise_stream stream;
    uint64_t polls;  /* of the thread, unsuccessful ones, at its latest call */
    uint64_t in_row; /* of these, those in a row */
};
ORK_THREAD_LOCAL(struct noise_state, ork_noise_state);

void ork_noise_init(void)
{
    const char *wanted = getenv(ORK_ENV_NOISE);
    struct ork_job_rank self;

    if (wanted == NULL || !ork_library_job_rank(&self))
        return;
    if (!ork_noise_read(wanted, &seed, &max_ns)) {
        ork_error("rank %u: runs without noise: " ORK_ENV_NOISE " is \"%.60s\"", self.rank, wanted);
        return;
    }
    rank = self.rank;
    ork_errand_add(ORK_ERRAND_NOISE);
}

static void begin(void)
{
    ork_noise_state.is_begun = true;
    ork_noise_state.stream = ork_noise_stream_of(seed, rank, ork_thread.index);
}

/* Unsuccessful polls in a row before this call: the previous call was one if there is one more. */
static uint64_t count_polls(void)
{
    uint64_t polls = atomic_load_explicit(&ork_thread.line->polls, memory_order_relaxed);

    ork_noise_state.in_row = polls != ork_noise_state.polls ? ork_noise_state.in_row + 1 : 0;
    ork_noise_state.polls = polls;
    return ork_noise_state.in_row;
}

/* RATIONALE: a call that is no cancellation point must not become one. */
static void sleep_ns(uint64_t ns)
{
    struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
                            .tv_nsec = (long)(ns % 1000000000)};
    int saved = errno, cancelled;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
    nanosleep(&time, NULL);
    pthread_setcancelstate(cancelled, NULL);
    errno = saved;
}

void ork_noise_delay(enum ork_noise kind)
{
    if (kind == ORK_NOISE_NONE)
        return;
    if (!ork_noise_state.is_begun)
        begin();
    uint64_t in_row = count_polls();
    if (kind == ORK_NOISE_POLL && !ork_noise_is_chance(in_row))
        return;
    uint64_t ns = ork_noise_draw(&ork_noise_state.stream, max_ns);
    if (ns != 0)
        sleep_ns(ns);
}
