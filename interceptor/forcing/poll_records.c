/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/poll_records.h"

#include "common/hash.h"
#include "common/session.h"
#include "interceptor/outcomes/choice.h"

#include <stdlib.h>

bool ork_is_explored;

void ork_poll_records_init(void)
{
    const char *wanted = getenv(ORK_ENV_EXPLORED);

    ork_is_explored = wanted != NULL && wanted[0] == '1';
}

/* ---- unsuccessful polls ---- */

/* Different polls of the first thread since its latest choice and the latest record that is none of
 * a poll. RATIONALE: a request that a call made or completed in between has a record, so the same
 * handle is the same request. */
static struct {
    uint64_t key[ORK_POLLS_MAX];   /* a hash of the arguments and the call site */
    uint32_t again[ORK_POLLS_MAX]; /* `num` when an equal one had a record */
    uint32_t num;                  /* one more than that: the record for too many was written */
    uint64_t choices, head;        /* when the latest one was added */
} known;

static uint64_t num_records(void)
{
    return atomic_load_explicit(&ork_recorder.ring->head, memory_order_relaxed);
}

/* An equal poll needs a record if it is the first one after all different ones. */
static bool is_again(uint32_t i)
{
    bool is_first = known.again[i] != known.num;

    known.again[i] = known.num;
    return is_first;
}

/* Add the key. False: it needs no record. RATIONALE: several threads of a rank are not followed. */
static bool needs_record(uint64_t key)
{
    if (ork_thread.ordinal > 0)
        return false;
    if (known.choices != ork_thread.choices || known.head != num_records())
        known.num = 0;
    for (uint32_t i = 0; i < known.num && i < ORK_POLLS_MAX; i++) {
        if (known.key[i] == key)
            return is_again(i);
    }
    if (known.num > ORK_POLLS_MAX)
        return false;
    if (known.num < ORK_POLLS_MAX) {
        known.key[known.num] = key;
        known.again[known.num] = 0;
    }
    known.num++;
    return true;
}

static uint64_t key_of(const struct ork_call *call)
{
    return ork_hash_add(call->site, call->id);
}

/* The lock is held. end_poll() ends the list. */
static void begin_poll(const struct ork_call *call, struct ork_record r, struct ork_list *list)
{
    uint64_t polls = atomic_load_explicit(&ork_thread.line->polls, memory_order_relaxed);

    r.request = ORK_REQUEST_NULL;
    r.arg = known.num > ORK_POLLS_MAX ? ORK_POLL_OTHER : r.arg;
    r.arg2 = ork_choice_place_of(call->site);
    r.bytes = polls - ork_thread.polls_before;
    r.extra = ork_thread.choices + 1;
    ork_list_begin(list, &r);
}

static void end_poll(struct ork_list *list)
{
    ork_list_end(list);
    ork_publish();
    known.choices = ork_thread.choices;
    known.head = num_records();
}

void ork_poll_failed_test(const struct ork_call *call, const MPI_Request *request, int count,
                          unsigned mode)
{
    uint64_t key = ork_hash_add(key_of(call), (uint64_t)count);
    struct ork_list list;

    for (int i = 0; i < count; i++)
        key = ork_hash_add(key, ORK_KEY(request[i]));
    if (!needs_record(key))
        return;
    ork_lock();
    begin_poll(call,
               ORK_RECORD(call, POLL, .mode = (uint16_t)mode, .peer = ORK_NO_PEER,
                          .count = (uint32_t)count, .arg = ORK_POLL_TEST),
               &list);
    for (int i = 0; i < count; i++)
        ork_list_add(&list, ork_request_find(request[i]).id);
    end_poll(&list);
    ork_unlock();
}

void ork_poll_failed_probe(const struct ork_polled *polled, unsigned flags)
{
    const struct ork_call call = {.id = (uint16_t)polled->call, .site = polled->site};
    uint64_t key = ork_hash_add(ork_hash_add(key_of(&call), (uint32_t)polled->peer),
                                (uint64_t)(uint32_t)polled->tag << 32 | polled->comm);
    struct ork_list list;

    if (!needs_record(key))
        return;
    ork_lock();
    begin_poll(&call,
               ORK_RECORD(&call, POLL, .flags = (uint8_t)flags, .comm = polled->comm,
                          .peer = polled->peer, .tag = polled->tag, .arg = ORK_POLL_PROBE),
               &list);
    end_poll(&list);
    ork_unlock();
}

void ork_poll_failed_window(const struct ork_call *call, MPI_Win window)
{
    struct ork_list list;

    if (!needs_record(ork_hash_add(key_of(call), ORK_KEY(window))))
        return;
    ork_lock();
    begin_poll(call,
               ORK_RECORD(call, POLL, .comm = ork_object_id(&ork_windows, ORK_KEY(window)),
                          .peer = ORK_NO_PEER, .arg = ORK_POLL_WINDOW),
               &list);
    end_poll(&list);
    ork_unlock();
}

/* ---- successful ones ---- */

void ork_put_tests(const struct ork_call *call, const struct ork_args *a, uint32_t count)
{
    struct ork_list list;

    if (!ork_is_explored)
        return;
    struct ork_record r = ORK_RECORD(call, TESTS, .peer = ORK_NO_PEER, .arg = count,
                                     .count = count + (uint32_t)a->length);
    ork_list_begin(&list, &r);
    for (uint32_t i = 0; i < count; i++)
        ork_list_add(&list, (uint32_t)a->index[i]);
    for (int i = 0; i < a->length; i++)
        ork_list_add(&list, ork_request_find(a->set->request[i].handle).id);
    ork_list_end(&list);
    ork_publish();
}

void ork_put_status(const struct ork_call *call, MPI_Request request)
{
    uint32_t id = ork_request_find(request).id;
    struct ork_record r = ORK_RECORD(call, STATUS, .peer = ORK_NO_PEER, .request = id);

    if (id == ORK_REQUEST_NULL)
        return;
    r.extra = ork_choice_name(ork_thread.choices);
    ork_send_record(&r);
}
