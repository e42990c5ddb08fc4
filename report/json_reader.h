/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads typed values from parsed JSON. struct ork_json_reader keeps the first error as a sentence;
 * every later read does nothing, so that no caller has to check each step. A key that is missing or
 * null leaves its default. */
#ifndef ORK_REPORT_JSON_READER_H
#define ORK_REPORT_JSON_READER_H

#include "report/report.h"

#include <jansson.h>

struct ork_json_reader {
    enum ork_status status;
    char *error;    /* with ORK_INVALID; the user of the source frees it */
    char place[96]; /* prefix of every sentence: "finding 2: wait 3: ", or "" */
};

/* The parsed text, the caller's (json_decref); on an error NULL, and the error names the line. */
json_t *ork_json_reader_load(struct ork_json_reader *in, const char *text, size_t size);

/* Set the error, unless there is one. */
__attribute__((format(printf, 2, 3))) void ork_json_reader_refuse(struct ork_json_reader *in,
                                                                  const char *format, ...);

/* Zeroed items, at least one byte; the caller's. NULL: out of memory (noted), or an earlier
 * error. */
void *ork_json_reader_room(struct ork_json_reader *in, size_t count, size_t size);

/* Enter item i of a list (shown counted from 1); to leave it, cut `place` at the returned
 * length. */
size_t ork_json_reader_enter(struct ork_json_reader *in, const char *what, uint32_t i);

/* The value of a key; NULL if it is missing or null, or after an error. */
const json_t *ork_json_reader_value(const struct ork_json_reader *in, const json_t *object,
                                    const char *key);
/* The value itself; an error if it is no object. */
const json_t *ork_json_reader_object(struct ork_json_reader *in, const char *key,
                                     const json_t *value);
/* The list of a key, as *count > 0 items; NULL and 0 if there is none. */
const json_t *ork_json_reader_get_list(struct ork_json_reader *in, const json_t *o, const char *key,
                                       uint32_t *count);

/* Strings are copied; *out is the caller's even after an error, and must be NULL before. */
void ork_json_reader_get_text(struct ork_json_reader *in, const json_t *o, const char *key,
                              char **out);
void ork_json_reader_get_word(struct ork_json_reader *in, const json_t *o, const char *key,
                              const char *missing, char **out);
void ork_json_reader_get_number_or_text(struct ork_json_reader *in, const json_t *o,
                                        const char *key, char **out);
void ork_json_reader_get_texts(struct ork_json_reader *in, const json_t *o, const char *key,
                               char ***out, uint32_t *num);

int64_t ork_json_reader_get_integer(struct ork_json_reader *in, const json_t *o, const char *key,
                                    int64_t min, int64_t max);
uint32_t ork_json_reader_get_u32(struct ork_json_reader *in, const json_t *o, const char *key);
uint64_t ork_json_reader_get_u64(struct ork_json_reader *in, const json_t *o, const char *key);
double ork_json_reader_get_real(struct ork_json_reader *in, const json_t *o, const char *key,
                                double missing);
bool ork_json_reader_get_bool(struct ork_json_reader *in, const json_t *o, const char *key,
                              bool missing);

/* The index, below `count`, of the key's word. */
unsigned ork_json_reader_get_choice(struct ork_json_reader *in, const json_t *o, const char *key,
                                    unsigned missing, const char *(*word)(unsigned),
                                    unsigned count);

/* Lists of ranks; owned as in struct ork_finding, even after an error. */
void ork_json_reader_get_set(struct ork_json_reader *in, const json_t *o, const char *key,
                             struct ork_u32s *out);
void ork_json_reader_get_sets(struct ork_json_reader *in, const json_t *o, const char *key,
                              struct ork_u32s **out, uint32_t *num);

void ork_json_reader_get_place(struct ork_json_reader *in, const json_t *o, struct ork_where *out);
/* The object of `key` in `o`, if there is one. */
void ork_json_reader_get_match_end(struct ork_json_reader *in, const json_t *o, const char *key,
                                   struct ork_match_end *out);
/* Ranks as text: see fold_runs.h. */
void ork_json_reader_get_runs(struct ork_json_reader *in, const json_t *o, const char *key,
                              struct ork_rank_run **run, uint32_t *num_runs);

#endif
