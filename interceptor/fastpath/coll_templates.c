/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that end otherwise than their templates say. */
#include "interceptor/fastpath/coll_templates.h"

#include "record/ring_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* RATIONALE: the error is recorded before the call is known to have returned, as in
 * ork_leave_coll(). */
void ork_template_failed_collective(const struct ork_template *s, int result)
{
    const struct ork_call call = ork_template_call(s);

    ork_loop_body_suspend();
    ork_put_coll_error(&call, result, false);
}

/* The record of the template, with its list. False: there is none any more, or no memory. */
static bool copy_record(const struct ork_template *s, struct ork_record *record, uint32_t **words)
{
    const struct ork_recorder *r = &ork_recorder;
    const uint32_t position = (uint32_t)(s - ork_loop_body.templates);
    const int saved = errno;

    *words = NULL;
    if (r->block == 0 || ork_loop_body.first != r->first)
        return false;
    const uint64_t slot = r->slot - r->block + position;
    *record = *ork_ring_slot(r->ring, slot);
    if (record->count > 0)
        *words = malloc(record->count * sizeof(**words));
    errno = saved;
    for (uint32_t i = 0; *words != NULL && i < record->count; i++) {
        const uint64_t at = (position + 1 + i / ORK_CONT_WORDS) % r->block;
        const struct ork_cont *cont = (const void *)ork_ring_slot(r->ring, r->slot - r->block + at);
        (*words)[i] = cont->word[i % ORK_CONT_WORDS];
    }
    return record->count == 0 || *words != NULL;
}

/* Write it with the number of the request that has come. */
static void put_record(const struct ork_call *call, struct ork_record *record,
                       const uint32_t *words, const MPI_Request *request)
{
    struct ork_list list;

    record->request = ork_request_add(*request, ORK_R_COLLECTIVE);
    if (record->count == 0) {
        ork_stored_put(call, request, record->request);
        ork_send_record(record);
        return;
    }
    ork_list_begin(&list, record);
    for (uint32_t i = 0; i < record->count; i++)
        ork_list_add(&list, words[i]);
    ork_list_end(&list);
    ork_publish();
}

/* RATIONALE: only the request can be another one. Without the record of a call that has started,
 * the next ones would be wrong. */
void ork_template_other_collective(const struct ork_template *s, const MPI_Request *request,
                                   int result)
{
    const struct ork_call call = ork_template_call(s);
    const struct ork_template template = *s;
    struct ork_record record;
    uint32_t *words;
    const bool is_known = copy_record(s, &record, &words);

    ork_loop_body_suspend();
    ork_thread.loses = NULL;
    if (result != MPI_SUCCESS) {
        ork_put_not_started(&call, result);
    } else if (is_known) {
        put_record(&call, &record, words, request);
        ork_coll_template_restore(&call, &template, record.request);
    } else {
        ork_recorder_stop();
    }
    free(words);
}
