/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that the tool could not read, so that it does not know whether they were changed. */
#include "overlay/root/root_internal.h"

#include "common/text.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "record/unread.h"

#include <stdlib.h>
#include <string.h>

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct root_unread *u = &root->unread;

    for (size_t i = 0; i < n; i++) {
        if (record[i].kind != ORK_KIND_UNREAD || record[i].mode != ORK_UNREAD_ALL)
            continue;
        if (u->buffers == 0) {
            u->rank = rank;
            u->first = record[i];
        }
        u->buffers += record[i].extra;
    }
    return ORK_OK;
}

/* RATIONALE: a process that may not read its own memory says so of its first buffer only. */
static char *sentence(struct ork_root *root, const struct root_unread *u)
{
    if (u->first.arg != 0)
        return ork_text("the tool may not read the program's memory (process_vm_readv: %s), so it "
                        "did not look for send buffers that were changed too early",
                        strerror((int)u->first.arg));
    char *call =
        ork_phrase_in_call_at(root->sites, u->rank, ork_call_name(u->first.call), u->first.site);
    char *text = call == NULL ? NULL
                              : ork_text("the tool could not read %llu send buffer%s, so it did "
                                         "not look whether %s changed too early; the first was "
                                         "that of %s of rank %u",
                                         (unsigned long long)u->buffers, u->buffers == 1 ? "" : "s",
                                         u->buffers == 1 ? "it was" : "they were", call, u->rank);
    free(call);
    return text;
}

static enum ork_status summary(struct ork_root *root, struct ork_report *report)
{
    return root->unread.buffers == 0 ? ORK_OK
                                     : ork_report_take_note(report, sentence(root, &root->unread));
}

const struct ork_follower ork_follow_unread = {.feed = feed, .summary = summary};
