/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a rank as steps: what its calls begin. */
#include "order/causality/internal.h"

#include <stdlib.h>

/* ---- messages ---- */

static struct message *send(struct rank *p, const struct ork_record *call, int32_t peer,
                            int32_t tag)
{
    struct ork_comm_ref ref = ork_comms_ref(p->causality->comms, p->number, call->comm);
    uint32_t to;

    if (ref.comm == NULL || tag < 0 || !ork_comms_peer(ref, peer, &to))
        return NULL;
    struct mailbox *box = ork_causality_mailbox((struct ork_comm_ref){.comm = ref.comm, .me = to});
    struct channel *c = box == NULL ? NULL : ork_causality_channel(box, ref.me);
    struct message *m = c == NULL ? NULL : calloc(1, sizeof(*m));
    struct step *s = m == NULL ? NULL : ork_causality_step(p, STEP_SEND);
    if (s == NULL) {
        free(m);
        p->causality->failed = true;
        return NULL;
    }
    *m = (struct message){.channel = c,
                          .tag = tag,
                          .site = call->site,
                          .call = call->call,
                          .receiver = ork_comms_rank_of(ref.comm, to),
                          .is_synchronous =
                              call->kind == ORK_KIND_SEND && call->mode == ORK_SEND_SYNCHRONOUS};
    m->may_know_more = p->has_locked;
    m->is_awaited = m->is_synchronous && p->causality->is_summary;
    s->message = m;
    return m;
}

/* A nonblocking receive. */
static struct receive *post(struct rank *p, const struct ork_record *call)
{
    struct receive *r = ork_causality_receive(p, call, call->peer, call->tag);

    if (r == NULL)
        return NULL;
    r->is_nonblocking = true;
    if (r->is_wildcard)
        r->post = ++p->posts;
    else
        ork_causality_outcome(r, ORK_NO_PEER, 0);
    return r;
}

static struct op send_op(const struct rank *p, struct message *m)
{
    bool is_kept = !p->causality->is_summary || (m != NULL && m->is_awaited);

    return (struct op){.type = OP_SEND, .message = is_kept ? m : NULL};
}

static void read_send(struct rank *p, const struct ork_record *call)
{
    if (call->flags & ORK_F_PERSISTENT) {
        ork_causality_make_persistent(p, call);
        return;
    }
    struct message *m = send(p, call, call->peer, call->tag);
    if (call->flags & ORK_F_NONBLOCKING)
        ork_causality_make_request(p, call->request, send_op(p, m));
    else
        p->sending = send_op(p, m).message;
}

static void read_receive(struct rank *p, const struct ork_record *call)
{
    if (call->flags & ORK_F_PERSISTENT)
        ork_causality_make_persistent(p, call);
    else if (call->flags & ORK_F_NONBLOCKING)
        ork_causality_make_request(p, call->request,
                                   (struct op){.type = OP_RECEIVE, .receive = post(p, call)});
    else
        p->receiving = ork_causality_receive(p, call, call->peer, call->tag);
}

static void read_probe(struct rank *p, const struct ork_record *call)
{
    p->receiving = ork_causality_receive(p, call, call->peer, call->tag);
    if (p->receiving == NULL)
        return;
    p->receiving->takes = (call->flags & ORK_F_MATCHED) != 0;
    p->receiving->is_probe = true;
}

/* ---- persistent requests ---- */

static void read_start(struct rank *p, const struct ork_record *call)
{
    for (uint32_t i = 0; i < call->count && !p->causality->failed; i++) {
        struct request *r = ork_causality_request(p, p->call_list[i]);
        if (r == NULL || r->made == NULL)
            continue;
        struct ork_record made = r->made->record;
        made.site = call->site;
        made.call = call->call;
        if (made.kind == ORK_KIND_SEND)
            r->op = send_op(p, send(p, &made, made.peer, made.tag));
        else if (made.kind == ORK_KIND_RECV)
            r->op = (struct op){.type = OP_RECEIVE, .receive = post(p, &made)};
        else
            r->op = ork_causality_start_coll(p, r->made);
        r->op.serial = ++p->serials;
    }
}

/* ---- window locks ---- */

/* RATIONALE: the locks of a window order nothing for a user of events. */
static void read_lock(struct rank *p, const struct ork_record *call)
{
    p->has_locked = true;
    if (p->causality->user != NULL)
        return;
    if (call->peer == ORK_NO_PEER)
        ork_causality_lock_all(p, call);
    else
        p->locking = ork_causality_section(p, call);
}

static void read_unlock(struct rank *p, const struct ork_record *call)
{
    struct section *section = ork_causality_open_section(p, call);
    struct step *s = section == NULL ? NULL : ork_causality_step(p, STEP_UNLOCK);

    if (s == NULL)
        return;
    s->section = section;
    section->is_over = true;
}

/* ---- all calls ---- */

static void read_cancel(struct rank *p, const struct ork_record *call)
{
    struct request *r = ork_causality_request(p, call->request);

    if (r == NULL)
        return;
    r->is_cancelled = true;
    if (r->op.type == OP_RECEIVE && r->op.receive != NULL)
        r->op.receive->was_to_cancel = true;
    else
        p->has_other_cancel = true;
}

static void read_request_free(struct rank *p, const struct ork_record *call)
{
    struct request *r = ork_causality_request(p, call->request);

    if (r == NULL)
        return;
    if (r->op.type == OP_RECEIVE && r->op.receive != NULL && r->op.receive->known == KNOWN_LATER)
        r->op.receive->known = KNOWN_NEVER;
    if (r->op.type == OP_SEND && r->op.message != NULL)
        r->op.message->is_awaited = false;
    if (r->made != NULL)
        ork_causality_free_coll(p, r->made);
    ork_causality_free_buffer(p, &r->op);
    ork_causality_request_free(r);
}

static void read_early(struct rank *p, const struct ork_record *early)
{
    const struct request *r = ork_causality_request(p, early->request);

    if (r != NULL && r->op.type == OP_RECEIVE && r->op.receive != NULL)
        ork_causality_outcome(r->op.receive, early->peer, early->tag);
}

static void enter(struct rank *p, const struct ork_record *call)
{
    switch (call->kind) {
    case ORK_KIND_SEND:
        read_send(p, call);
        break;
    case ORK_KIND_RECV:
        read_receive(p, call);
        break;
    case ORK_KIND_SENDRECV:
        p->sending = send_op(p, send(p, call, call->peer, call->tag)).message;
        p->receiving = ork_causality_receive(p, call, call->peer2, call->tag2);
        break;
    case ORK_KIND_PROBE:
    case ORK_KIND_PROBED:
        read_probe(p, call);
        break;
    case ORK_KIND_MRECV:
    case ORK_KIND_FILE_ACCESS:
        if (call->flags & ORK_F_NONBLOCKING)
            ork_causality_make_request(p, call->request, (struct op){.type = OP_DONE});
        break;
    case ORK_KIND_START:
        read_start(p, call);
        break;
    case ORK_KIND_CANCEL:
        read_cancel(p, call);
        break;
    case ORK_KIND_REQUEST_FREE:
        read_request_free(p, call);
        break;
    case ORK_KIND_COLL:
        ork_causality_read_coll(p, call);
        break;
    case ORK_KIND_ACCESS:
        if (call->flags & ORK_F_NONBLOCKING)
            ork_causality_make_request(p, call->request,
                                       (struct op){.type = OP_ACCESS, .request = call->request});
        break;
    case ORK_KIND_WIN_LOCK:
        read_lock(p, call);
        break;
    case ORK_KIND_WIN_UNLOCK:
        read_unlock(p, call);
        break;
    case ORK_KIND_FINALIZE:
        p->has_finished = true;
        break;
    default:
        break;
    }
}

static bool read_call(struct rank *p, const struct ork_record *call, const uint32_t *list)
{
    if (!ork_vec_reserve(&p->call_list, &p->call_list_room, call->count, sizeof(*p->call_list)))
        return false;
    if (call->count > 0)
        memcpy(p->call_list, list, call->count * sizeof(*list));
    p->call = *call;
    p->calls++;
    p->own_calls += call->kind != ORK_KIND_OPAQUE;
    p->inside = true;
    p->sending = NULL;
    p->receiving = NULL;
    p->part = NULL;
    p->locking = NULL;
    if (call->kind != ORK_KIND_WIN_FLUSH && call->kind != ORK_KIND_OPAQUE &&
        call->kind != ORK_KIND_ACCESS)
        p->failed_swap.choice = NULL;
    enter(p, call);
    /* the record is written after the call, with its outcome */
    if (call->kind == ORK_KIND_TESTED || call->kind == ORK_KIND_PROBED ||
        call->kind == ORK_KIND_STATUS || call->kind == ORK_KIND_WIN_TESTED)
        ork_causality_return(p, NULL, NULL);
    return true;
}

static void read_definition(struct rank *p, const struct ork_record *record, const uint32_t *list)
{
    struct ork_comm *dropped; /* kept: its messages are */
    enum ork_status status =
        ork_comms_define(p->causality->comms, p->number, record, list, &dropped);

    if (status == ORK_INVALID)
        ork_causality_lose(p, "it defines a communicator that contradicts that of another rank");
    else if (status != ORK_OK)
        p->causality->failed = true;
}

/* It comes after the constructor of the window. */
static void read_memory(struct rank *p, const struct ork_record *record)
{
    if (p->inside)
        ork_causality_return(p, NULL, NULL);
    p->has_window = true;
    ork_causality_listen(p, record, NULL);
}

/* The next record is its TESTED. */
static void read_tests(struct rank *p, const struct ork_record *tests, const uint32_t *list)
{
    if (tests->arg > tests->count) {
        ork_causality_lose(p, "its records are invalid");
        return;
    }
    if (!ork_vec_reserve(&p->tests, &p->tests_room, tests->count, sizeof(*p->tests))) {
        p->causality->failed = true;
        return;
    }
    if (tests->count > 0)
        memcpy(p->tests, list, tests->count * sizeof(*list));
    p->num_tests = tests->count;
    p->num_tested = tests->arg;
}

/* May it name a choice in `extra`? */
static bool names_choice(const struct ork_record *record)
{
    return record->kind == ORK_KIND_EXIT || record->kind == ORK_KIND_TESTED ||
           record->kind == ORK_KIND_PROBED || record->kind == ORK_KIND_STATUS ||
           record->kind == ORK_KIND_WIN_TESTED;
}

static void read_fatal(struct rank *p, const struct ork_record *record, const uint32_t *list)
{
    struct ork_record outcome = *record;

    outcome.kind = record->arg2 == 0 ? ORK_KIND_EXIT : ORK_KIND_TESTED;
    ork_causality_read(p, &outcome, list);
}

void ork_causality_read(struct rank *p, const struct ork_record *record, const uint32_t *list)
{
    if (record->kind == ORK_KIND_FATAL) {
        read_fatal(p, record, list);
        return;
    }
    if (record->kind == ORK_KIND_EARLY) {
        read_early(p, record);
        return;
    }
    if (record->kind == ORK_KIND_WIN_REGION && record->thread != 0) {
        ork_causality_lose(p, "several of its threads call MPI");
        return;
    }
    if (record->kind == ORK_KIND_WIN_MEMORY || record->kind == ORK_KIND_WIN_REGION) {
        read_memory(p, record);
        return;
    }
    if (record->kind == ORK_KIND_TOUCH) {
        ork_causality_read_touch(p, record, list);
        return;
    }
    if (record->kind == ORK_KIND_TESTS) {
        read_tests(p, record, list);
        return;
    }
    if (record->kind == ORK_KIND_POLL && record->thread == 0) {
        if (p->inside)
            ork_causality_return(p, NULL, NULL);
        ork_causality_read_poll(p, record, list);
        return;
    }
    if (record->kind == ORK_KIND_NEIGHBORS) {
        ork_causality_read_neighbors(p, record, list);
        return;
    }
    if ((ork_record_has(record, ORK_IS_SOURCE) && record->kind != ORK_KIND_STATUS) ||
        record->kind == ORK_KIND_COMM_NAME || record->kind == ORK_KIND_OVERWRITTEN ||
        record->kind == ORK_KIND_CONTROL || record->kind == ORK_KIND_THREAD_END)
        return;
    if (record->kind == ORK_KIND_UNHOOKED) {
        ork_causality_lose(p, "it called a function that this version does not look at");
        return;
    }
    if (record->thread != 0) {
        ork_causality_lose(p, "several of its threads call MPI");
        return;
    }
    if (names_choice(record))
        p->named += record->extra;
    if (p->inside)
        ork_causality_return(p, record->kind == ORK_KIND_EXIT ? record : NULL, list);
    if (record->kind == ORK_KIND_EXIT)
        return;
    if (record->kind == ORK_KIND_COMM_DEF)
        read_definition(p, record, list);
    else if (!read_call(p, record, list))
        p->causality->failed = true;
}
