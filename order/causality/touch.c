/* SPDX-License-Identifier: BSD-3-Clause */
/* TOUCH records, for the user of events.h. */
#include "order/causality/internal.h"
#include "record/access.h"

/* A buffer of an operation. False: it is not known which one, or it is over. Without a request, it
 * is one of a call that blocks, which is accessed now. */
static bool read_buffer(struct rank *p, const struct ork_record *record)
{
    if (record->request == ORK_REQUEST_NULL)
        return true;
    struct request *r = ork_causality_request(p, record->request);

    if (r == NULL || r->op.type == OP_NONE)
        return false;
    if (record->bytes == 0) {
        ork_causality_free_buffer(p, &r->op);
        r->op.has_buffer = false;
        return false;
    }
    r->op.has_buffer = true;
    r->op.request = record->request;
    return true;
}

/* It comes after the call before it has returned. */
void ork_causality_read_touch(struct rank *p, const struct ork_record *record, const uint32_t *list)
{
    bool is_buffer = (record->mode & ORK_TOUCH_IS_BUFFER) != 0;

    if (p->causality->user == NULL)
        return;
    if (p->inside)
        ork_causality_return(p, NULL, NULL);
    if (is_buffer && !read_buffer(p, record))
        return;
    p->calls += !is_buffer;
    ork_causality_listen(p, record, list);
}
