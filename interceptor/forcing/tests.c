/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/tests.h"

#include "common/session.h"
#include "interceptor/outcomes/choice.h"

#include <stdlib.h>

bool ork_is_explored;

void ork_tests_init(void)
{
    const char *wanted = getenv(ORK_ENV_EXPLORED);

    ork_is_explored = wanted != NULL && wanted[0] == '1';
}

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
