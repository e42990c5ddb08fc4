/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of an order stream, which the rank left in its page, and the streams of a replay. */
#include "overlay/leaf/leaf_internal.h"

#include "common/log.h"
#include "order/file/order.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- recording ---- */

/* What the rank left, in a copy: the memory may still change. */
struct rest {
    uint64_t offset;
    size_t size;
    uint8_t byte[ORK_ORDER_PAGE + ORK_CHOICE_ROOM(0)];
};

/* RATIONALE: of a rank that was killed inside an encoding, `used` is the last complete one. */
static void copy_rest(const struct local *l, struct rest *rest)
{
    const struct ork_order_page *page = &l->ring->order;
    struct ork_order_tail tail = ork_order_tail_unpack(atomic_load(&page->state));

    rest->offset = tail.offset;
    rest->size = 0;
    if (l->broken || tail.used > ORK_ORDER_PAGE)
        return;
    memcpy(rest->byte, page->byte, tail.used);
    rest->size = tail.used;
    if (tail.pending > 0)
        rest->size += ork_order_encode_run(tail.pending, rest->byte + rest->size);
}

static uint32_t words_of(size_t bytes)
{
    return (uint32_t)((bytes + 3) / 4);
}

size_t ork_leaf_order_records(const struct local *l)
{
    struct rest rest;

    copy_rest(l, &rest);
    return rest.size > 0 ? 1 + ork_record_conts(words_of(rest.size)) : 0;
}

enum ork_status ork_leaf_report_order(struct ork_leaf *leaf, const struct local *l)
{
    enum { CONTS = (sizeof(struct rest) / 4 + ORK_CONT_WORDS) / ORK_CONT_WORDS };
    _Static_assert(1 + CONTS <= ORK_AGAIN_MAX, "they are in one frame, so there is room for them");
    struct ork_record record[1 + CONTS] = {{0}};
    struct rest rest;

    copy_rest(l, &rest);
    if (rest.size == 0)
        return ORK_OK;
    uint32_t words = words_of(rest.size);
    record[0] = (struct ork_record){.kind = ORK_KIND_ORDER,
                                    .request = ORK_REQUEST_NULL,
                                    .peer = ORK_NO_PEER,
                                    .count = words,
                                    .arg = atomic_load(&l->ring->threads),
                                    .bytes = rest.size,
                                    .extra = rest.offset};
    for (uint32_t i = 0; i < ork_record_conts(words); i++) {
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = ORK_CONT_WORDS};
        size_t at = (size_t)i * sizeof(cont.word);
        size_t bytes = rest.size - at < sizeof(cont.word) ? rest.size - at : sizeof(cont.word);

        cont.words = (uint8_t)words_of(bytes);
        memcpy(cont.word, rest.byte + at, bytes);
        memcpy(&record[1 + i], &cont, sizeof(cont));
    }
    return ork_up_deliver(leaf->up,
                          &(struct ork_event){.kind = ORK_EVENT_RECORDS,
                                              .rank = l->rank,
                                              .records = {record, 1 + ork_record_conts(words)}});
}

/* ---- replay ---- */

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
    return true;
}

int ork_leaf_stream_of(const struct ork_leaf *leaf, const struct local *l)
{
    const struct ork_order_file *file = leaf->replay;
    const struct ork_order_rank *rank =
        l->rank < file->num_ranks && file->rank[l->rank].rank_in_job == l->rank_in_job
            ? &file->rank[l->rank]
            : NULL;
    int fd = memfd_create("orknot-order", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        goto err;
    if (rank != NULL && !write_all(fd, rank->stream, rank->size))
        goto err_close;
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
        goto err_close;
    return fd;

err_close:
    close(fd);
err:
    ork_error("rank %u: its recorded choices cannot be passed on: %s", l->rank, strerror(errno));
    return -1;
}
