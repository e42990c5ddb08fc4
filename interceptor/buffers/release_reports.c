/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/release_reports.h"

#include "interceptor/usage/usage.h"

enum { LATER_MAX = 64 };

static struct {
    struct ork_releaser by;
    struct ork_pending_block operation;
} later[LATER_MAX];
static uint32_t num_later;

/* Operations of shared handles that are not complete. */
static uint64_t shared;
static bool is_unsure;

static void report_unnamed(enum ork_device device, const struct ork_pending_block *operation)
{
    struct ork_usage usage = {.id = ORK_USAGE_RELEASED_DEVICE, .text = ork_device_words(device)};

    if (device == ORK_DEVICE_NONE)
        usage.id = operation->rma != 0 ? ORK_USAGE_RETURNED_FRAME_RMA : ORK_USAGE_RETURNED_FRAME;
    ork_usage_report_returned(&(struct ork_call){.id = operation->call, .site = operation->site},
                              &usage);
}

static enum ork_usage_id row_of(const struct ork_pending_block *operation)
{
    if (operation->use == ORK_BUFFER_READ)
        return operation->rma != 0 ? ORK_USAGE_RELEASED_WHILE_PUT : ORK_USAGE_RELEASED_WHILE_READ;
    return operation->rma != 0 ? ORK_USAGE_RELEASED_WHILE_GOT : ORK_USAGE_RELEASED_WHILE_WRITTEN;
}

void ork_release_report(const struct ork_releaser *by, const struct ork_pending_block *operation)
{
    if (by->how == NULL) {
        report_unnamed(by->device, operation);
        return;
    }
    ork_usage_report_returned(&(struct ork_call){.id = ORK_CALL_NONE, .site = by->site},
                              &(struct ork_usage){.id = row_of(operation),
                                                  .argument = by->how,
                                                  .other_site = operation->site,
                                                  .other_call = operation->call});
}

void ork_release_report_later(const struct ork_releaser *by,
                              const struct ork_pending_block *operation)
{
    if (is_unsure || num_later == LATER_MAX)
        return;
    later[num_later].by = *by;
    later[num_later++].operation = *operation;
}

void ork_shared_started(void)
{
    shared++;
}

void ork_shared_ended(void)
{
    is_unsure |= shared == 0;
    if (shared > 0 && --shared > 0)
        return;
    for (uint32_t i = 0; i < num_later && !is_unsure; i++)
        ork_release_report(&later[i].by, &later[i].operation);
    num_later = 0;
}

void ork_shared_are_unsure(void)
{
    is_unsure = true;
    num_later = 0;
}
