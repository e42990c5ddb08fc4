/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/hooks/op_comm.h"

#include <string.h>

/* The members that the record names. The lock is held. */
static bool has_members(const struct ork_args *a, unsigned mode)
{
    struct ork_handle_place place;

    if (mode == ORK_COLL_COMM_CREATE)
        return ork_handle_look(ORK_HANDLE_GROUP, ORK_KEY(a->group), &place) == ORK_HANDLE_VALID;
    return mode == ORK_COLL_COMM_CREATE_GROUP && a->group != MPI_GROUP_NULL;
}

void ork_put_constructor(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                         unsigned flags, uint32_t request)
{
    flags |= (flags & ORK_F_NONBLOCKING) == 0 ? ork_recorder.fallible : 0u;
    struct ork_record r =
        ORK_RECORD(call, COLL, .flags = (uint8_t)flags, .mode = (uint16_t)mode, .comm = a->id,
                   .request = request, .peer = ork_peer(a->root), .tag = a->tag, .tag2 = a->color);

    if (mode == ORK_COLL_INTERCOMM_CREATE) {
        r.peer = ork_peer(a->rank2);
        r.arg = (uint32_t)a->rank;
        r.arg2 = ork_comm_id(a->comm2);
    }
    ork_agreed_put(&r, a->agreed);
    ork_make_opaque(&r,
                    (a->color < 0 && a->color != MPI_UNDEFINED) || ork_is_impossible_root(a->root));
    if (has_members(a, mode))
        ork_put_group(&r, a->group);
    else
        ork_send_record(&r);
}

void ork_put_constructed(const struct ork_call *call, const struct ork_args *a, unsigned mode)
{
    bool same_group = mode == ORK_COLL_COMM_DUP || mode == ORK_COLL_COMM_DUP_WITH_INFO ||
                      mode == ORK_COLL_COMM_IDUP;
    struct ork_record r =
        ORK_RECORD(call, COMM_DEF, .mode = (uint16_t)mode, .request = ORK_REQUEST_NULL,
                   .peer = ork_peer(a->root), .tag = a->tag, .tag2 = a->color, .arg = a->id);

    ork_comm_define(*a->newcomm, &r, same_group);
}

void ork_put_name(const struct ork_call *call, uint32_t id, const char *name)
{
    struct ork_record r =
        ORK_RECORD(call, COMM_NAME, .comm = id, .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER);

    ork_put_text(&r, name, strnlen(name, MPI_MAX_OBJECT_NAME - 1));
    ork_publish();
}
