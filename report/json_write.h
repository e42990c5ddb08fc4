/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a report as JSON (schema 1 of docs/reference/json.md); see json_value.h. */
#ifndef ORK_REPORT_JSON_WRITE_H
#define ORK_REPORT_JSON_WRITE_H

#include "report/json_value.h"

/* "tool": name and version of this program. */
json_t *ork_json_tool(void);
json_t *ork_json_statistics(const struct ork_report *report);
json_t *ork_json_finding(const struct ork_finding *finding);
json_t *ork_json_jobs(const struct ork_report *report);
/* Indented, ending in a newline; the value is released. *text is the caller's. ORK_NOMEM, for NULL
 * too. */
enum ork_status ork_json_to_text(json_t *value, char **text);

/* json_write_context.c: the calls by second, if they are known; near misses, communicators,
 * remedies, the basis. */
void ork_json_put_rates(json_t **object, const struct ork_finding *finding);
void ork_json_put_context(json_t **object, const struct ork_finding *finding);

#endif
