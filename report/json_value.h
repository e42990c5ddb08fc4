/* SPDX-License-Identifier: BSD-3-Clause */
/* Building JSON never stops half-way: if memory is short, a value is NULL and makes its parent
 * NULL, up to the root. */
#ifndef ORK_REPORT_JSON_VALUE_H
#define ORK_REPORT_JSON_VALUE_H

#include "report/report.h"

#include <jansson.h>

/* Set `key` to `value` (owned from now on). *object becomes NULL if either is, or without
 * memory. */
void ork_json_put(json_t **object, const char *key, json_t *value);
/* The same at the end of a list. */
void ork_json_append(json_t **array, json_t *value);

/* null for NULL; invalid UTF-8 becomes U+FFFD. */
json_t *ork_json_text(const char *s);
json_t *ork_json_count(uint64_t n);
json_t *ork_json_real(double x);
json_t *ork_json_texts(char *const *text, uint32_t count);
/* "17" as a number, "MPI_ANY_TAG" as a string, NULL as null. */
json_t *ork_json_number_or_text(const char *s);
json_t *ork_json_ranks(const struct ork_u32s *set);
/* As text: 10,000 ranks are one line. null for none. */
json_t *ork_json_runs(const struct ork_rank_run *run, uint32_t num_runs);
json_t *ork_json_place(const struct ork_where *where);
/* The same, but null if nothing is known. */
json_t *ork_json_where(const struct ork_where *where);
json_t *ork_json_match_end(const struct ork_match_end *end);

#endif
