/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/op_comm.h"

#include <stdlib.h>

/* The list of MPI_Comm_create_group: who takes part. */
static void put_participants(struct ork_record *r, MPI_Group group)
{
    struct ork_words words = {.item = NULL};
    struct ork_list list;

    if (!ork_group_runs(group, &words)) {
        ork_recorder_stop();
        free(words.item);
        return;
    }
    r->count = words.count;
    ork_list_begin(&list, r);
    for (uint32_t i = 0; i < words.count; i++)
        ork_list_add(&list, words.item[i]);
    ork_list_end(&list);
    ork_publish();
    free(words.item);
}

void ork_put_constructor(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                         unsigned flags, uint32_t request)
{
    struct ork_record r =
        ORK_RECORD(call, COLL, .flags = (uint8_t)flags, .mode = (uint16_t)mode, .comm = a->id,
                   .request = request, .peer = ORK_NO_PEER, .tag = a->tag, .tag2 = a->color);

    if (mode == ORK_COLL_INTERCOMM_CREATE) {
        r.peer = ork_peer(a->leader2);
        r.arg = (uint32_t)a->leader;
        r.arg2 = ork_comm_id(a->comm2);
    }
    if (mode == ORK_COLL_COMM_CREATE_GROUP && a->group != MPI_GROUP_NULL)
        put_participants(&r, a->group);
    else
        ork_send_record(&r);
}

void ork_put_constructed(const struct ork_call *call, const struct ork_args *a, unsigned mode)
{
    bool same_group = mode == ORK_COLL_COMM_DUP || mode == ORK_COLL_COMM_DUP_WITH_INFO ||
                      mode == ORK_COLL_COMM_IDUP;
    struct ork_record r =
        ORK_RECORD(call, COMM_DEF, .mode = (uint16_t)mode, .request = ORK_REQUEST_NULL,
                   .peer = ORK_NO_PEER, .tag = a->tag, .tag2 = a->color, .arg = a->id);

    ork_comm_define(*a->newcomm, &r, same_group);
}

void ork_put_comm_name(const struct ork_call *call, const struct ork_args *a)
{
    struct ork_record r = ORK_RECORD(call, COMM_NAME, .comm = ork_comm_id(a->comm),
                                     .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER);

    ork_put_text(&r, a->name, strnlen(a->name, MPI_MAX_OBJECT_NAME - 1));
    ork_publish();
}
