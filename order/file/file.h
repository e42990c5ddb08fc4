/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of an order: a header, then blocks. Each block is one zstd frame with a checksum, of
 * what was added for all ranks since the previous one. A file whose writer was killed ends with a
 * part of a block, which is ignored. */
#ifndef ORK_ORDER_FILE_H
#define ORK_ORDER_FILE_H

#include "order/file/order.h"

#define ORK_ORDER_MAGIC "ORKORDER" /* its first bytes, of any version */

enum {
    ORK_ORDER_ERROR = 512,
    ORK_ORDER_PROGRAM = 256,
    ORK_ORDER_RANKS = 1 << 20, /* ranks are below this */
};

/* What a replay must have in common with the recording. */
struct ork_order_header {
    uint32_t ranks;                  /* of the first job */
    char program[ORK_ORDER_PROGRAM]; /* file name of the program, without its folder */
};

/* ---- writing ---- */

struct ork_order_writer;

/* Create `path`, which must not exist, with the version of this program. ORK_EXISTS, ORK_IO with
 * errno, ORK_NOMEM; ORK_INVALID: too many ranks. */
enum ork_status ork_order_writer_create(const char *path, const struct ork_order_header *header,
                                        struct ork_order_writer **out);
/* Bytes of a rank's stream, the first one being number `offset` of it; those that were added before
 * are skipped, a gap is ORK_INVALID. Kept until there are enough of them for a block, or flush.
 * `rank`: over all jobs of the run, as in records. After ORK_NOMEM, the same bytes can be added
 * again. */
enum ork_status ork_order_writer_add(struct ork_order_writer *writer, uint32_t rank,
                                     uint64_t offset, const uint8_t *bytes, size_t size);
/* The place of a call site: "farm.c:40", with the function's name; written once. */
enum ork_status ork_order_writer_site(struct ork_order_writer *writer, uint32_t rank, uint32_t site,
                                      const char *place);
/* A rank of a spawned job: number of its job, and its rank there. */
enum ork_status ork_order_writer_job(struct ork_order_writer *writer, uint32_t rank, uint32_t job,
                                     uint32_t rank_in_job);
/* Write all that is kept. ORK_IO: with errno; nothing more is written, and all further calls fail
 * in the same way. */
enum ork_status ork_order_writer_flush(struct ork_order_writer *writer);
/* The streams are complete; or not: `complete` false. Frees the writer in any case. */
enum ork_status ork_order_writer_close(struct ork_order_writer *writer, bool complete);

/* ---- reading ---- */

struct ork_order_rank {
    uint32_t rank; /* over all jobs */
    uint32_t job;  /* 0: the first one; else the n-th other one, from 1 */
    uint32_t rank_in_job;
    uint8_t *stream; /* the whole one */
    size_t size;
};

struct ork_order_file {
    struct ork_order_header header;
    struct ork_order_rank *rank; /* by number; those without choices are there with size 0 */
    uint32_t num_ranks;
    bool complete; /* false: the recording was cut off */
};

/* Read a file. ORK_INVALID: `error` is a sentence without the file's name ("it is not an order
 * file", "it is from orknot 0.0.9, and this is 0.1.0", "block 3 is damaged"); ORK_IO: errno;
 * ORK_NOMEM. The streams have not been decoded. Texts in it may contain any characters. */
enum ork_status ork_order_file_read(const char *path, struct ork_order_file **out,
                                    char error[ORK_ORDER_ERROR]);
/* The text of a call site; NULL: unknown. */
const char *ork_order_file_place(const struct ork_order_file *file, uint32_t rank, uint32_t site);
void ork_order_file_destroy(struct ork_order_file *file);

#endif
