/* SPDX-License-Identifier: BSD-3-Clause */
/* Building JSON that never stops half-way: a value that cannot be had (memory) is NULL and makes
 * its parent NULL, up to the root. */
#ifndef ORK_REPORT_JSON_WRITE_H
#define ORK_REPORT_JSON_WRITE_H

#include "report/report.h"

#include <jansson.h>

/* Put `value` (taken over) below `key`. Without it, or without memory, *object goes. */
void ork_json_put(json_t **object, const char *key, json_t *value);
/* The same at the end of a list. */
void ork_json_append(json_t **array, json_t *value);

/* null for NULL; what is no valid UTF-8 becomes U+FFFD. */
json_t *ork_json_text(const char *s);
json_t *ork_json_count(uint64_t n);
/* "17" as a number, "MPI_ANY_TAG" as a string, NULL as null. */
json_t *ork_json_number_or_text(const char *s);
json_t *ork_json_ranks(const struct ork_u32s *set);
/* As text: 10,000 ranks are one line. null for none. */
json_t *ork_json_runs(const struct ork_rank_run *run, uint32_t num_runs);
/* null where nothing is known. */
json_t *ork_json_where(const struct ork_where *where);
json_t *ork_json_match_end(const struct ork_match_end *end);

json_t *ork_json_statistics(const struct ork_statistics *s);
json_t *ork_json_finding(const struct ork_finding *finding);
json_t *ork_json_jobs(const struct ork_report *report);

/* json_write_context.c: near misses, communicators, what would resolve it, the basis. */
void ork_json_put_context(json_t **object, const struct ork_finding *finding);

#endif
