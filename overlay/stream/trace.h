/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a run in a file, to analyse them again without the program: "ORKTRACE", version,
 * then chunks in the order in which the root took them. A chunk is rank, kind, size (32 bits each,
 * this machine's byte order) and `size` bytes. */
#ifndef ORK_OVERLAY_STREAM_TRACE_H
#define ORK_OVERLAY_STREAM_TRACE_H

#include "common/status.h"
#include "record/codec.h"

#include <stdio.h>

enum ork_trace_kind {
    ORK_TRACE_RECORDS, /* coded records: record/codec.h */
    ORK_TRACE_END,     /* one byte: how the rank ended, enum ork_end of the detector */
};

struct ork_trace;

/* Write a new file, or replace an earlier trace; any other file is not overwritten: ORK_EXISTS,
 * ORK_IO with errno. */
enum ork_status ork_trace_create(const char *path, struct ork_trace **out);
/* Write what is still in memory; NULL is allowed. ORK_IO: something could not be written. */
enum ork_status ork_trace_flush(struct ork_trace *trace);
/* NULL is allowed. ORK_IO: something could not be written. */
enum ork_status ork_trace_close(struct ork_trace *trace);
enum ork_status ork_trace_records(struct ork_trace *trace, uint32_t rank,
                                  const struct ork_record *record, size_t n);
enum ork_status ork_trace_end(struct ork_trace *trace, uint32_t rank, uint8_t how);

/* Read: untrusted input. Each call gives the next chunk; records are the reader's until the next
 * call. ORK_CLOSED at the end; ORK_TRUNCATED, ORK_INVALID for malformed data. */
struct ork_trace_reader;
struct ork_trace_chunk {
    uint32_t rank;
    enum ork_trace_kind kind;
    uint8_t how;
    const struct ork_record *record;
    size_t num_records;
};
enum ork_status ork_trace_open(FILE *file, struct ork_trace_reader **out);
void ork_trace_reader_destroy(struct ork_trace_reader *reader);
enum ork_status ork_trace_next(struct ork_trace_reader *reader, struct ork_trace_chunk *chunk);

#endif
