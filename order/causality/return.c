/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a rank as steps: what a call completed when it returned, and its choices. */
#include "order/causality/internal.h"
#include "record/access.h"

#include <stdlib.h>

static void complete(struct rank *p, struct op op)
{
    if (!ork_vec_reserve(&p->completed, &p->completed_room, p->completions + 1,
                         sizeof(*p->completed))) {
        p->causality->failed = true;
        return;
    }
    p->completed[p->completions++] = op;
}

static bool copy(const void *from, uint32_t count, size_t size, void **to)
{
    *to = NULL;
    if (count == 0)
        return true;
    *to = malloc(count * size);
    if (*to != NULL)
        memcpy(*to, from, count * size);
    return *to != NULL;
}

/* ---- choices ---- */

/* The number of the first choice that the latest record names, from 1; 0: none. RATIONALE: a call
 * that failed made a choice, too, but its outcome is only known if it took a message. */
static uint64_t named_by(const struct rank *p, const struct ork_record *record)
{
    return record == NULL || record->extra == 0 || ork_call_did_nothing(record) ? 0 : p->named;
}

/* The next choice of the call; *number 0: it made none. NULL: none, or out of memory. */
static struct choice *choose(struct rank *p, uint64_t *number, enum ork_choice_kind kind)
{
    uint64_t before = p->choices == 0 ? 0 : p->choice[p->choices - 1]->number;

    if (*number == 0 || p->causality->is_summary)
        return NULL;
    if (*number <= before) {
        ork_causality_lose(p, "its choices are out of order");
        return NULL;
    }
    struct choice *c = calloc(1, sizeof(*c));
    if (c == NULL ||
        !ork_vec_reserve(&p->choice, &p->choice_room, p->choices + 1, sizeof(struct choice *))) {
        free(c);
        p->causality->failed = true;
        return NULL;
    }
    *c = (struct choice){.kind = (uint8_t)kind,
                         .number = (*number)++,
                         .call = p->call.call,
                         .site = p->call.site,
                         .time = NEVER};
    p->choice[p->choices++] = c;
    return c;
}

static void choose_receive(struct rank *p, uint64_t *number, struct receive *r, int32_t source,
                           int32_t tag)
{
    struct choice *c = choose(p, number, r->is_probe ? ORK_CHOICE_PROBE : ORK_CHOICE_RECEIVE);

    if (c == NULL)
        return;
    c->source = source;
    c->tag = tag;
    c->receive = r;
    c->post = r->post;
    r->choice = c;
}

/* The requests of the array, and room for so many indices. */
static bool add_array(struct rank *p, struct choice *c, const uint32_t *id, uint32_t ids,
                      uint32_t indices)
{
    c->op = calloc(ids + (size_t)1, sizeof(*c->op));
    c->index = calloc(indices + (size_t)1, sizeof(*c->index));
    if (c->op == NULL || c->index == NULL) {
        p->causality->failed = true;
        return false;
    }
    c->has_array = true;
    c->is_some = p->call.mode == ORK_WAIT_SOME;
    c->ops = ids;
    for (uint32_t i = 0; i < ids; i++)
        c->op[i] = ork_causality_op(p, id[i]);
    return true;
}

static void choose_waited(struct rank *p, uint64_t *number, const struct ork_record *exit,
                          const uint32_t *list)
{
    struct choice *c = choose(p, number, ORK_CHOICE_WAIT);

    if (c == NULL || !add_array(p, c, p->call_list, p->call.count, exit->count / 3))
        return;
    for (uint32_t i = 0; i + 2 < exit->count; i += 3)
        c->index[c->count++] = list[i];
}

/* Have the indices of TESTS places in its array? */
static bool are_places(const struct rank *p)
{
    for (uint32_t i = 0; i < p->num_tested; i++) {
        if (p->tests[i] >= p->num_tests - p->num_tested)
            return false;
    }
    return true;
}

/* The array of a test, if it is known. */
static void choose_tested(struct rank *p, struct choice *c)
{
    bool is_known = p->num_tests > 0 && p->num_tested == p->call.count / 3 && are_places(p);

    c->is_test = true;
    if (!is_known ||
        !add_array(p, c, p->tests + p->num_tested, p->num_tests - p->num_tested, p->num_tested))
        return;
    for (uint32_t i = 0; i < p->num_tested; i++)
        c->index[c->count++] = p->tests[i];
}

/* ---- requests ---- */

static void cancel(struct receive *r)
{
    r->is_cancelled = true;
    if (r->known == KNOWN_LATER)
        r->known = KNOWN_NEVER;
}

/* The request is complete. `source`, `tag`: as in the record; ORK_NO_PEER: not observed. */
static void complete_request(struct rank *p, uint32_t id, int32_t source, int32_t tag,
                             uint64_t *number)
{
    struct request *r = ork_causality_request(p, id);

    if (r == NULL)
        return;
    struct receive *receive = r->op.type == OP_RECEIVE ? r->op.receive : NULL;
    bool is_wildcard = receive != NULL && receive->is_wildcard;
    if (is_wildcard && source != ORK_NO_PEER)
        choose_receive(p, number, receive, source, tag);
    else if (!is_wildcard && r->is_cancelled)
        choose(p, number, ORK_CHOICE_CANCEL);
    if (receive != NULL && source == ORK_CANCELLED)
        cancel(receive);
    else if (receive != NULL)
        ork_causality_outcome(receive, source, tag);
    complete(p, r->op);
    r->op = (struct op){0};
    r->is_cancelled = false;
    if (r->made == NULL)
        ork_causality_request_free(r);
}

/* The call failed: the operation may be complete. */
static void doubt(struct rank *p, uint32_t id)
{
    struct request *r = ork_causality_request(p, id);

    if (r == NULL)
        return;
    ork_causality_free_buffer(p, &r->op);
    r->op.has_buffer = false;
}

static void return_wait_for_all(struct rank *p, const struct ork_record *exit, const uint32_t *list,
                                uint64_t *number)
{
    uint32_t next = 0, words = exit == NULL ? 0 : exit->count / 3 * 3;

    for (uint32_t i = 0; i < p->call.count; i++) {
        bool reported = next < words && list[next] == i;
        int32_t source = reported ? (int32_t)list[next + 1] : ORK_NO_PEER;
        int32_t tag = reported ? (int32_t)list[next + 2] : 0;
        if (reported || !ork_call_has_failed(exit))
            complete_request(p, p->call_list[i], source, tag, number);
        else
            doubt(p, p->call_list[i]);
        next += reported ? 3 : 0;
    }
}

static void return_wait_for_some(struct rank *p, const struct ork_record *exit,
                                 const uint32_t *list, uint64_t *number)
{
    if (exit == NULL)
        return;
    if (!ork_call_did_nothing(exit))
        choose_waited(p, number, exit, list);
    for (uint32_t i = 0; i + 2 < exit->count; i += 3) {
        if (list[i] < p->call.count)
            complete_request(p, p->call_list[list[i]], (int32_t)list[i + 1], (int32_t)list[i + 2],
                             number);
    }
    for (uint32_t i = 0; ork_call_has_failed(exit) && i < p->call.count; i++)
        doubt(p, p->call_list[i]);
}

static void return_tested(struct rank *p)
{
    const struct ork_record *call = &p->call;
    uint64_t number = named_by(p, call);
    uint32_t first = p->completions;
    struct choice *c = choose(p, &number, ORK_CHOICE_TEST);

    if (c != NULL)
        choose_tested(p, c);
    p->num_tests = 0;
    for (uint32_t i = 0; i + 2 < call->count; i += 3)
        complete_request(p, p->call_list[i], (int32_t)p->call_list[i + 1],
                         (int32_t)p->call_list[i + 2], &number);
    if (c == NULL)
        return;
    if (!c->has_array) {
        c->ops = p->completions - first;
        if (!copy(p->completed + first, c->ops, sizeof(*c->op), (void **)&c->op)) {
            p->causality->failed = true;
            return;
        }
    }
    ork_causality_compare_polls(p, c);
}

/* A test of this operation was successful. */
static void choose_op(struct rank *p, const struct op *op)
{
    uint64_t number = named_by(p, &p->call);
    struct choice *c = choose(p, &number, ORK_CHOICE_TEST);

    if (c == NULL)
        return;
    c->is_test = true;
    c->ops = 1;
    if (!copy(op, c->ops, sizeof(*op), (void **)&c->op)) {
        p->causality->failed = true;
        return;
    }
    ork_causality_compare_polls(p, c);
}

/* MPI_Request_get_status. */
static void return_status(struct rank *p)
{
    struct op op = ork_causality_op(p, p->call.request);

    op.stays_active = true;
    complete(p, op);
    choose_op(p, &op);
}

/* ---- other calls ---- */

static void return_receive(struct rank *p, const struct ork_record *exit, uint64_t *number)
{
    struct receive *r = p->receiving;

    if (r == NULL)
        return;
    r->is_void = ork_call_did_nothing(exit);
    if (r->is_void || (exit == NULL && r->is_wildcard))
        r->known = KNOWN_NEVER;
    else
        ork_causality_outcome(r, exit == NULL ? ORK_NO_PEER : exit->peer,
                              exit == NULL ? 0 : exit->tag);
    if (r->is_wildcard)
        choose_receive(p, number, r, exit == NULL ? ORK_NO_PEER : exit->peer,
                       exit == NULL ? 0 : exit->tag);
    complete(p, (struct op){.type = OP_RECEIVE, .receive = r});
}

static void return_probed(struct rank *p)
{
    struct receive *r = p->receiving;
    uint64_t number = named_by(p, &p->call);

    if (r == NULL)
        return;
    ork_causality_outcome(r, p->call.peer2, p->call.tag2);
    choose_receive(p, &number, r, p->call.peer2, p->call.tag2);
    if (r->choice != NULL) {
        r->choice->is_test = true;
        ork_causality_compare_polls(p, r->choice);
    }
    complete(p, (struct op){.type = OP_RECEIVE, .receive = r});
}

static void return_send(struct rank *p, const struct ork_record *exit)
{
    if (p->sending == NULL)
        return;
    if (ork_call_did_nothing(exit) && p->call.kind == ORK_KIND_SEND)
        p->sending->failed = true;
    else if (p->sending->is_synchronous)
        complete(p, (struct op){.type = OP_SEND, .message = p->sending});
}

static void return_coll(struct rank *p, const struct ork_record *exit)
{
    struct part *part = p->part;

    if (ork_call_did_nothing(exit)) {
        if (part != NULL)
            ork_causality_part_retract(part);
        return;
    }
    if (part != NULL)
        complete(p, (struct op){.type = OP_COLL, .part = part});
    if (ork_coll_has(p->call.mode, ORK_IS_DESTRUCTOR))
        ork_comms_drop(p->causality->comms, p->number, p->call.comm); /* its messages are kept */
}

static void return_lock(struct rank *p, const struct ork_record *exit, uint64_t *number)
{
    struct section *s = p->locking;
    struct choice *c = choose(p, number, ORK_CHOICE_LOCK);

    if (s != NULL && c == NULL && !ork_call_has_failed(exit))
        ork_causality_section_is_uncounted(s);
    if (s == NULL || c == NULL)
        return;
    ork_causality_section_is_counted(s, exit);
    c->section = s;
    s->choice = c;
    c->source = p->call.peer;
    c->tag = (int32_t)s->before;
    complete(p, (struct op){.type = OP_LOCK, .section = s});
}

/* RATIONALE: a loop that repeats it until it succeeds is a wait. */
static void note_swap(struct rank *p, const struct ork_record *exit, struct choice *c)
{
    const struct ork_record *call = &p->call;
    struct failed_swap *f = &p->failed_swap;

    if (f->choice != NULL && f->site == call->site && f->comm == call->comm &&
        f->peer == call->peer && f->displacement == call->extra && f->operands == exit->arg2)
        f->choice->is_repeated = true;
    *f = (struct failed_swap){.choice = exit->arg == ORK_ATOMIC_FAILS ? c : NULL,
                              .site = call->site,
                              .comm = call->comm,
                              .peer = call->peer,
                              .displacement = call->extra,
                              .operands = exit->arg2};
}

/* An ordered atomic is a section of its location. */
static void return_atomic(struct rank *p, const struct ork_record *exit, uint64_t *number)
{
    struct choice *c = choose(p, number, ORK_CHOICE_LOCK);
    struct section *s =
        c == NULL ? NULL : ork_causality_atomic(p, &p->call, exit->arg == ORK_ATOMIC_READS);

    if (s == NULL) {
        p->failed_swap.choice = NULL;
        return;
    }
    ork_causality_section_is_counted(s, exit);
    s->is_over = true;
    c->section = s;
    s->choice = c;
    c->source = p->call.peer;
    c->tag = (int32_t)s->before;
    complete(p, (struct op){.type = OP_LOCK, .section = s});
    p->locking = s;
    note_swap(p, exit, c);
}

static void return_window(struct rank *p, const struct ork_record *exit)
{
    bool is_access = p->call.kind == ORK_KIND_ACCESS;

    if (is_access && exit != NULL && exit->extra != 0)
        p->call.flags |= ORK_F_CHOICE;
    if (is_access && ork_call_did_nothing(exit))
        p->call.flags |= ORK_F_ERROR;
    else if (is_access)
        ork_causality_read_access(p, &p->call);
    if (is_access || !ork_call_did_nothing(exit))
        ork_causality_listen(p, &p->call, p->call_list);
}

/* RATIONALE: a file that is not known is of no window. */
static void return_file(struct rank *p)
{
    if (p->call.mode == ORK_FILE_POINTER_SHARED &&
        ork_comms_ref(p->causality->comms, p->number, p->call.comm).comm != NULL)
        ork_causality_listen(p, &p->call, NULL);
}

static void return_epoch(struct rank *p, const struct ork_record *exit)
{
    struct op op;

    return_window(p, exit);
    if (ork_call_did_nothing(exit))
        return;
    ork_causality_read_epoch(p, &p->call, p->call_list, &op);
    if (op.type == OP_EPOCH)
        complete(p, op);
    if (p->call.kind == ORK_KIND_WIN_TESTED)
        choose_op(p, &op);
}

static void return_call(struct rank *p, const struct ork_record *exit, const uint32_t *list)
{
    uint64_t number = named_by(p, exit);

    switch (p->call.kind) {
    case ORK_KIND_SEND:
        return_send(p, exit);
        break;
    case ORK_KIND_SENDRECV:
        return_send(p, exit);
        return_receive(p, exit, &number);
        break;
    case ORK_KIND_RECV:
    case ORK_KIND_PROBE:
        return_receive(p, exit, &number);
        break;
    case ORK_KIND_PROBED:
        return_probed(p);
        break;
    case ORK_KIND_WAIT:
        if (p->call.mode == ORK_WAIT_ONE || p->call.mode == ORK_WAIT_ALL)
            return_wait_for_all(p, exit, list, &number);
        else
            return_wait_for_some(p, exit, list, &number);
        break;
    case ORK_KIND_TESTED:
        return_tested(p);
        break;
    case ORK_KIND_STATUS:
        return_status(p);
        break;
    case ORK_KIND_COLL:
        if ((p->call.flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == 0)
            return_coll(p, exit);
        break;
    case ORK_KIND_WIN_LOCK:
        return_lock(p, exit, &number);
        return_window(p, exit);
        break;
    case ORK_KIND_WIN_POST:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_COMPLETE:
    case ORK_KIND_WIN_WAIT:
    case ORK_KIND_WIN_TESTED:
        return_epoch(p, exit);
        break;
    case ORK_KIND_WIN_UNLOCK:
    case ORK_KIND_WIN_FLUSH:
        return_window(p, exit);
        break;
    case ORK_KIND_ACCESS:
        return_atomic(p, exit, &number);
        return_window(p, exit);
        break;
    case ORK_KIND_FILE_ACCESS:
        return_file(p);
        break;
    default:
        break;
    }
}

/* An ordered atomic has returned, and so its section is over. */
static void end_atomic(struct rank *p)
{
    struct step *s = ork_causality_step(p, STEP_UNLOCK);

    if (s == NULL)
        p->causality->failed = true;
    else
        s->section = p->locking;
}

void ork_causality_return(struct rank *p, const struct ork_record *exit, const uint32_t *list)
{
    uint32_t choices = p->choices;

    p->inside = false;
    p->completions = 0;
    return_call(p, exit, list);
    if (p->completions == 0 && p->choices == choices)
        return;
    struct step *s = ork_causality_step(p, STEP_RETURN);
    if (s == NULL || !copy(p->completed, p->completions, sizeof(*s->op), (void **)&s->op)) {
        p->causality->failed = true;
        return;
    }
    s->ops = p->completions;
    s->first_choice = choices;
    s->choices = p->choices - choices;
    if (p->call.kind == ORK_KIND_ACCESS && p->locking != NULL)
        end_atomic(p);
}
