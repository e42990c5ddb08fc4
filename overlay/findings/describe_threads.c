/* SPDX-License-Identifier: BSD-3-Clause */
/* What the other threads of a rank do: a row shows the call of one thread only. */
#include "overlay/findings/describe_internal.h"

#include "overlay/findings/phrase.h"
#include "record/calls.h"

enum { THREADS_MAX = 4 };

/* " from 1, tag 7", " on MPI_COMM_WORLD", "" */
static const char *argument_words(struct ork_writing *w, const struct ork_thread_call *c)
{
    const struct ork_record *r = &c->call;

    if (r->kind == ORK_KIND_COLL)
        return ork_say(w, SAYS_ON_COMM, TEXT('k', ork_comm_words(w, c->comm)));
    if (!ork_record_has(r, ORK_HAS_PEER))
        return "";
    return ork_say(w, SAYS_THREAD_WITH,
                   NUMBER('i', r->kind == ORK_KIND_SEND || r->kind == ORK_KIND_SENDRECV),
                   TEXT('o', ork_writing_keep(w, ork_phrase_peer(r->peer))),
                   TEXT('t', ork_writing_keep(w, ork_phrase_tag(r->tag))));
}

/* "thread 1: MPI_Recv from 1, tag 7 (a.c:40)" */
static const char *thread_words(struct ork_writing *w, uint32_t rank,
                                const struct ork_thread_call *c)
{
    return ork_say(w, SAYS_THREAD, NUMBER('n', c->call.thread),
                   TEXT('c', ork_call_name(c->call.call)), TEXT('w', argument_words(w, c)),
                   TEXT('p', ork_place_in(w, rank, c->call.site)));
}

const char *ork_describe_threads(struct ork_writing *w, uint32_t rank, const char *detail)
{
    struct ork_thread_call c;
    uint32_t n = 0;

    for (; ork_detector_thread_call(w->d, rank, n, &c); n++) {
        if (n < THREADS_MAX)
            detail = ork_join(w, detail, "; ", thread_words(w, rank, &c));
    }
    if (n > THREADS_MAX)
        detail =
            ork_join(w, detail, "; ", ork_say(w, SAYS_THREADS_MORE, NUMBER('n', n - THREADS_MAX)));
    return detail;
}
