/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that the tool has not read, so that it does not know whether they were changed. */
#include "overlay/root/root_internal.h"

#include "common/text.h"
#include "overlay/findings/phrase.h"
#include "record/calls.h"
#include "record/unread.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory of devices ---- */

static void feed_device(struct root_on_device *d, uint32_t rank, const struct ork_record *r)
{
    for (uint32_t i = 0; i < d->num_calls; i++) {
        if (d->of[i].site == r->site && d->of[i].call == r->call)
            return;
    }
    d->has_more |= d->num_calls == ROOT_CALLS_ON_DEVICE;
    if (d->has_more)
        return;
    d->of[d->num_calls].rank = rank;
    d->of[d->num_calls].site = r->site;
    d->of[d->num_calls++].call = r->call;
}

/* "MPI_Isend (a.c:29), MPI_Put (a.c:35)". False: out of memory. */
static bool put_calls(FILE *out, struct ork_root *root, const struct root_on_device *d)
{
    bool ok = true;

    for (uint32_t i = 0; i < d->num_calls && ok; i++) {
        char *call = ork_phrase_in_call_at(root->sites, d->of[i].rank, ork_call_name(d->of[i].call),
                                           d->of[i].site);
        ok = call != NULL && fprintf(out, "%s%s", i == 0 ? "" : ", ", call) > 0;
        free(call);
    }
    return ok && (!d->has_more || fputs(" and others", out) >= 0);
}

/* RATIONALE: what is checked by address alone is said, too, or the note sounds as if nothing was.
 */
static char *device_sentence(struct ork_root *root, unsigned device)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fprintf(out,
            "the tool did not read buffers in %s, so it did not look whether they were changed too "
            "early, only whether they overlap and were freed; they are those of ",
            ork_device_words(device));
    bool ok = put_calls(out, root, &root->unread.on[device]);
    if (fclose(out) == 0 && ok)
        return text;
    free(text);
    return NULL;
}

/* ---- memory that cannot be read ---- */

static enum ork_status feed(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n)
{
    struct root_unread *u = &root->unread;

    for (size_t i = 0; i < n; i++) {
        if (record[i].kind != ORK_KIND_UNREAD || record[i].mode != ORK_UNREAD_ALL)
            continue;
        if (record[i].arg2 != ORK_DEVICE_NONE) {
            if (record[i].arg2 < ORK_DEVICE_MAX)
                feed_device(&u->on[record[i].arg2], rank, &record[i]);
            continue;
        }
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
    const struct root_unread *u = &root->unread;
    enum ork_status status = ORK_OK;

    if (u->buffers > 0)
        status = ork_report_take_note(report, sentence(root, u));
    for (unsigned d = 0; d < ORK_DEVICE_MAX && status == ORK_OK; d++) {
        if (u->on[d].num_calls > 0)
            status = ork_report_take_note(report, device_sentence(root, d));
    }
    return status;
}

const struct ork_follower ork_follow_unread = {.feed = feed, .summary = summary};
