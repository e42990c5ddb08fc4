/* SPDX-License-Identifier: BSD-3-Clause */
/* All processes of a tool job inside one process, for tests and benchmarks. What is under way
 * arrives in order. Without a seed it arrives at once, and there is as much room as between
 * processes. With a seed, chance decides when it arrives, how much room there is and when the
 * neighbours notice a death; equal seeds give equal runs. */
#ifndef ORK_TESTS_OVERLAY_TOOL_TRANSPORT_MEMORY_H
#define ORK_TESTS_OVERLAY_TOOL_TRANSPORT_MEMORY_H

#include "overlay/tool/transport.h"

struct ork_memory_job;

struct ork_memory_options {
    uint32_t processes, fanin;
    uint64_t seed; /* 0: none */
    /* Called for each batch that a process sends to its parent, if not NULL. */
    void (*on_batch)(void *context, uint32_t process, const uint8_t *bytes, size_t size);
    void *context;
};

/* ORK_NOMEM. */
enum ork_status ork_memory_job_create(const struct ork_memory_options *options,
                                      struct ork_memory_job **out);
/* Call after all its processes are destroyed. NULL is allowed. */
void ork_memory_job_destroy(struct ork_memory_job *job);

/* Process number `process` of the job, each once, before any of them makes a step. ORK_NOMEM. */
enum ork_status ork_transport_memory_create(struct ork_memory_job *job, uint32_t process,
                                            struct ork_transport **out);

/* From now on the process is dead to its neighbours, which may notice it later. It must still be
 * destroyed. */
void ork_memory_job_kill(struct ork_memory_job *job, uint32_t process);

#endif
