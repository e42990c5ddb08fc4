/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a report that several others have; see json_reader.h for mistakes. */
#ifndef ORK_REPORT_JSON_READ_H
#define ORK_REPORT_JSON_READ_H

#include "report/json_reader.h"

/* As ork_finding_from_json(), of a value that is parsed already. */
enum ork_status ork_parse_finding(const json_t *value, struct ork_finding *finding, char **error);

/* json_read_context.c: near misses, communicators, what would resolve it, the basis. */
void ork_parse_context(struct ork_json_reader *in, const json_t *o, struct ork_finding *out);

#endif
