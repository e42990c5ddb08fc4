/* SPDX-License-Identifier: BSD-3-Clause */
/* What the other threads of a rank do: a row shows the call of one thread only. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 4 };

/* " from 1, tag 7", " on MPI_COMM_WORLD", "" */
static char *argument_words(const struct ork_detector *d, struct ork_call_sites *sites,
                            const struct ork_thread_call *c)
{
    const struct ork_record *r = &c->call;
    char *text = NULL;

    if (r->kind == ORK_KIND_COLL) {
        char *comm = ork_phrase_comm(d, sites, c->comm);
        text = comm == NULL ? NULL : ork_text(" on %s", comm);
        free(comm);
        return text;
    }
    if (!ork_record_has(r, ORK_HAS_PEER))
        return strdup("");
    char *peer = ork_phrase_peer(r->peer), *tag = ork_phrase_tag(r->tag);
    bool sends = r->kind == ORK_KIND_SEND || r->kind == ORK_KIND_SENDRECV;
    if (peer != NULL && tag != NULL)
        text = ork_text(" %s %s, tag %s", sends ? "to" : "from", peer, tag);
    free(peer);
    free(tag);
    return text;
}

/* "thread 1: MPI_Recv from 1, tag 7 (a.c:40)" */
static char *thread_words(const struct ork_detector *d, struct ork_call_sites *sites, uint32_t rank,
                          const struct ork_thread_call *c)
{
    char *arguments = argument_words(d, sites, c);
    char *place = ork_phrase_in_call_at(sites, rank, "", c->call.site);
    char *text = NULL;

    if (arguments != NULL && place != NULL)
        text = ork_text("thread %u: %s%s%s", c->call.thread, ork_call_name(c->call.call), arguments,
                        place);
    free(arguments);
    free(place);
    return text;
}

/* Takes ownership of `more`. */
static bool append(char **detail, char *more)
{
    char *text = more == NULL ? NULL
                              : ork_text("%s%s%s", *detail != NULL ? *detail : "",
                                         *detail != NULL ? "; " : "", more);
    free(more);
    if (text == NULL)
        return false;
    free(*detail);
    *detail = text;
    return true;
}

enum ork_status ork_describe_add_threads(const struct ork_detector *d, struct ork_call_sites *sites,
                                         uint32_t rank, struct ork_rank_row *w)
{
    struct ork_thread_call c;
    uint32_t n = 0;

    while (ork_detector_thread_call(d, rank, n, &c)) {
        if (n < THREADS_MAX && !append(&w->detail, thread_words(d, sites, rank, &c)))
            return ORK_NOMEM;
        n++;
    }
    if (n > THREADS_MAX && !append(&w->detail, ork_text("and %u more threads", n - THREADS_MAX)))
        return ORK_NOMEM;
    return ORK_OK;
}
