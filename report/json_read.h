/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that occur in several parts of a report; see json_reader.h for errors. */
#ifndef ORK_REPORT_JSON_READ_H
#define ORK_REPORT_JSON_READ_H

#include "report/json_reader.h"

/* As ork_finding_from_json(), for a value that is already parsed. */
enum ork_status ork_parse_finding(const json_t *value, struct ork_finding *finding, char **error);

/* The keys "choices" and "order_hash" of the statistics. */
void ork_read_choices(struct ork_json_reader *in, const json_t *o, struct ork_report *out);

/* json_read_context.c: the calls by second; near misses, communicators, remedies, the basis. */
void ork_parse_rates(struct ork_json_reader *in, const json_t *finding, struct ork_finding *out);
void ork_parse_context(struct ork_json_reader *in, const json_t *o, struct ork_finding *out);

#endif
