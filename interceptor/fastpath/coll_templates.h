/* SPDX-License-Identifier: BSD-3-Clause */
/* Templates (templates.h) of collective calls. Nothing of one without a request is postponed: it
 * changes no table. */
#ifndef ORK_COLL_TEMPLATES_H
#define ORK_COLL_TEMPLATES_H

#include "interceptor/fastpath/coll_effects.h"
#include "interceptor/hooks/op_coll.h"
#include "interceptor/fastpath/template_maker.h"
#include "interceptor/fastpath/templates.h"

/* Do all pass elements of one datatype, with an operator? */
ORK_INLINE bool ork_coll_reduces(unsigned mode)
{
    return ork_coll_exchange(mode) == ORK_EXCHANGE_COMBINED;
}

/* Of a template: the arguments by which it is known again. `buffers`: NULL: it has none. */
ORK_INLINE struct ork_template ork_coll_template(const struct ork_args *a, unsigned mode,
                                                 const struct ork_coll_buffers *buffers)
{
    static const struct ork_coll_buffers none;
    const struct ork_coll_buffers *b = buffers != NULL ? buffers : &none;
    struct ork_template template = {.sendbuf = b->sent.address,
                                    .recvbuf = (void *)(uintptr_t)b->received.address,
                                    .count = b->sent.count,
                                    .datatype = b->sent.type,
                                    .count2 = b->received.count,
                                    .peer = a->root,
                                    .comm = a->comm};

    if (ork_coll_reduces(mode))
        template.op = a->op;
    else
        template.datatype2 = b->received.type;
    return template;
}

ORK_INLINE void ork_maker_collective(const struct ork_call *call, const struct ork_args *a,
                                     unsigned mode, unsigned flags,
                                     const struct ork_coll_buffers *buffers, int result)
{
    bool is_bound;

    if (!ork_template_is_wanted(call, result, &is_bound))
        return;
    struct ork_template template = ork_coll_template(a, mode, buffers);
    bool is_known = !ork_coll_has(mode, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED | ORK_HAS_TYPES) ||
                    ork_coll_arrays_keep(&template, a, mode, buffers);
    template.is_coll = (flags & ORK_F_NONBLOCKING) != 0;
    template.mode = (uint16_t)mode;
    ork_template_make_coll(call, is_known ? &template : NULL, template.is_coll ? a->request : NULL,
                           is_bound);
}

ORK_INLINE bool ork_template_collective(const struct ork_template *s, const struct ork_args *a,
                                        unsigned mode, unsigned flags,
                                        const struct ork_coll_buffers *buffers)
{
    const struct ork_template now = ork_coll_template(a, mode, buffers);

    if (s->sendbuf != now.sendbuf || s->recvbuf != now.recvbuf || s->count != now.count ||
        s->datatype != now.datatype || s->count2 != now.count2 || s->peer != now.peer ||
        s->comm != now.comm ||
        (ork_coll_reduces(mode) ? s->op != now.op : s->datatype2 != now.datatype2))
        return false;
    if ((ork_coll_has(mode, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED) &&
         !ork_coll_arrays_are(s, buffers)) ||
        !ork_template_is_next(s))
        return false;
    if ((flags & ORK_F_NONBLOCKING) == 0)
        ork_template_enter(s);
    return true;
}

/* The call has failed. */
void ork_template_failed_collective(const struct ork_template *s, int result)
    __attribute__((cold, noinline));

/* The one with a request is not as in the template. */
void ork_template_other_collective(const struct ork_template *s, const MPI_Request *request,
                                   int result) __attribute__((cold, noinline));

ORK_INLINE void ork_template_collected(const struct ork_template *s, const struct ork_args *a,
                                       unsigned flags, int result)
{
    if ((flags & ORK_F_NONBLOCKING) != 0) {
        if (ORK_LIKELY(result == MPI_SUCCESS && ork_template_is_present() &&
                       ork_template_requested(s, a->request)))
            ork_template_put(s);
        else
            ork_template_other_collective(s, a->request, result);
        return;
    }
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_template_failed_collective(s, result);
    ork_set_state(ORK_STATE_RUNNING);
}

#endif
