/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a report that several others have; see json_reader.h for mistakes. */
#ifndef ORK_REPORT_JSON_READ_H
#define ORK_REPORT_JSON_READ_H

#include "report/json_reader.h"

void ork_parse_place(struct ork_json_reader *in, const json_t *o, struct ork_where *out);
/* Of the object below `key` of `o`, if there is one. */
void ork_parse_match_end(struct ork_json_reader *in, const json_t *o, const char *key,
                         struct ork_match_end *out);
/* Ranks as text: see fold_runs.h. */
void ork_parse_runs(struct ork_json_reader *in, const json_t *o, const char *key,
                    struct ork_rank_run **run, uint32_t *num_runs);

/* As ork_finding_from_json(), of a value that is parsed already. */
enum ork_status ork_parse_finding(const json_t *value, struct ork_finding *finding, char **error);

/* json_read_context.c: near misses, communicators, what would resolve it, the basis. */
void ork_parse_context(struct ork_json_reader *in, const json_t *o, struct ork_finding *out);

#endif
