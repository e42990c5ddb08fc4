/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/hooks/op_file.h"

void ork_file_begun(const struct ork_call *call, const struct ork_args *a, int result)
{
    struct ork_entry *e = ork_map_find(&ork_files, ORK_KEY(a->file));

    if (result == MPI_SUCCESS) {
        if (e != NULL)
            e->flags = a->id;
        return;
    }
    struct ork_record r = ORK_RECORD(call, REQUEST_FREE, .request = a->id, .peer = ORK_NO_PEER);
    ork_send_record(&r);
    ork_request_free(&(struct ork_request){.handle = MPI_REQUEST_NULL, .id = a->id});
}

void ork_file_end(const struct ork_call *call, struct ork_args *a)
{
    struct ork_record r = ORK_RECORD(call, WAIT, .mode = ORK_WAIT_ONE, .request = ORK_REQUEST_NULL,
                                     .peer = ORK_NO_PEER, .count = 1);
    struct ork_entry *e = ork_map_find(&ork_files, ORK_KEY(a->file));
    struct ork_list list;

    a->id = ORK_REQUEST_UNKNOWN;
    if (e != NULL) {
        a->id = e->flags;
        e->flags = ORK_REQUEST_NULL;
    }
    ork_list_begin(&list, &r);
    ork_list_add(&list, a->id);
    ork_list_end(&list);
    ork_publish();
}
