/* SPDX-License-Identifier: BSD-3-Clause */
/* Records as bytes: between tool processes and in trace files. A record is coded against the
 * previous one of its rank, so that a loop's records cost a few bytes. Decoding takes untrusted
 * bytes: every input gives records or a status, never undefined behaviour. */
#ifndef ORK_CODEC_H
#define ORK_CODEC_H

#include "common/status.h"
#include "record/record.h"

/* Coding state of one direction of one rank's stream. Both sides start from zero. */
struct ork_codec {
    struct ork_record previous;
};

/* The most bytes that ork_encode() writes for one record. */
#define ORK_ENCODED_MAX 128u

/* Encode one record (CONT records too) into out, which has room for ORK_ENCODED_MAX bytes. Returns
 * the bytes written. */
size_t ork_encode(struct ork_codec *codec, const struct ork_record *record, uint8_t *out);

/* Decode one record from at most `size` bytes. *used and *record are written on ORK_OK only.
 * ORK_TRUNCATED: more bytes are needed. ORK_INVALID: malformed. */
enum ork_status ork_decode(struct ork_codec *codec, const uint8_t *in, size_t size, size_t *used,
                           struct ork_record *record);

#endif
