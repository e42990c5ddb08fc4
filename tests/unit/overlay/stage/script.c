/* SPDX-License-Identifier: BSD-3-Clause */
#include "script.h"

#include "unit.h"

#include <string.h>

void script_add(struct script *s, struct ork_record record)
{
    assert_in_range(s->n, 0, sizeof(s->record) / sizeof(s->record[0]) - 1);
    s->record[s->n++] = record;
}

void script_list(struct script *s, struct ork_record record, const uint32_t *word, uint32_t count)
{
    record.count = count;
    script_add(s, record);
    for (uint32_t i = 0; i < count; i += ORK_CONT_WORDS) {
        struct ork_cont cont = {.kind = ORK_KIND_CONT};
        uint32_t n = count - i < ORK_CONT_WORDS ? count - i : ORK_CONT_WORDS;
        cont.words = (uint8_t)n;
        memcpy(cont.word, word + i, n * sizeof(*word));
        memcpy(&record, &cont, sizeof(record));
        script_add(s, record);
    }
}

void script_text(struct script *s, struct ork_record record, const char *text, size_t bytes)
{
    uint32_t word[2048] = {0};

    assert_in_range(bytes, 0, sizeof(word));
    memcpy(word, text, bytes);
    record.bytes = bytes;
    script_list(s, record, word, (uint32_t)((bytes + 3) / 4));
}

static uint32_t next_site(const struct script *s)
{
    return (uint32_t)s->n + 1;
}

void script_init(struct script *s, uint32_t rank, uint32_t size)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_INIT,
                                      .call = ORK_CALL_MPI_Init,
                                      .peer = (int32_t)rank,
                                      .arg2 = size});
}

void script_recv(struct script *s, int32_t source, int32_t tag)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_RECV,
                                      .call = ORK_CALL_MPI_Recv,
                                      .site = next_site(s),
                                      .request = ORK_REQUEST_NULL,
                                      .peer = source,
                                      .tag = tag});
}

void script_irecv(struct script *s, uint32_t comm, int32_t source, uint32_t request)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_RECV,
                                      .flags = ORK_F_NONBLOCKING,
                                      .call = ORK_CALL_MPI_Irecv,
                                      .site = next_site(s),
                                      .comm = comm,
                                      .request = request,
                                      .peer = source});
}

void script_send(struct script *s, int32_t destination, int32_t tag)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_SEND,
                                      .call = ORK_CALL_MPI_Send,
                                      .site = next_site(s),
                                      .request = ORK_REQUEST_NULL,
                                      .peer = destination,
                                      .tag = tag,
                                      .bytes = 8});
}

void script_wait_all(struct script *s, const uint32_t *request, uint32_t count)
{
    const struct ork_record record = {.kind = ORK_KIND_WAIT,
                                      .call = ORK_CALL_MPI_Waitall,
                                      .mode = ORK_WAIT_ALL,
                                      .site = next_site(s)};

    script_list(s, record, request, count);
}

void script_coll(struct script *s, uint32_t comm, enum ork_coll coll)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_COLL,
                                      .call = coll == ORK_COLL_BARRIER ? ORK_CALL_MPI_Barrier
                                                                       : ORK_CALL_MPI_Comm_create,
                                      .mode = (uint16_t)coll,
                                      .site = next_site(s),
                                      .comm = comm,
                                      .peer = ORK_NO_PEER});
}

void script_create(struct script *s, uint32_t comm, const uint32_t *ranks, uint32_t count)
{
    uint32_t runs[3 * 8];

    script_coll(s, ORK_COMM_WORLD, ORK_COLL_COMM_CREATE);
    assert_in_range(count, 0, 8);
    if (ranks == NULL)
        return;
    for (uint32_t i = 0; i < count; i++) {
        runs[3 * i] = ranks[i];
        runs[3 * i + 1] = 0;
        runs[3 * i + 2] = 1;
    }
    script_list(
        s,
        (struct ork_record){
            .kind = ORK_KIND_COMM_DEF, .mode = ORK_COLL_COMM_CREATE, .comm = comm, .arg2 = count},
        runs, 3 * count);
}

void script_finalize(struct script *s)
{
    script_add(s, (struct ork_record){.kind = ORK_KIND_FINALIZE,
                                      .call = ORK_CALL_MPI_Finalize,
                                      .site = next_site(s)});
}
