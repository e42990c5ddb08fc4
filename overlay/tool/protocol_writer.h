/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root reports to mustrun: one JSON object a line, on stdout or (`fd`) a socket. */
#ifndef ORK_OVERLAY_TOOL_PROTOCOL_WRITER_H
#define ORK_OVERLAY_TOOL_PROTOCOL_WRITER_H

#include "overlay/root/root.h"

#include <stdbool.h>

extern const struct ork_report_sink ork_protocol_sink;

/* From now on write there; call it first. False: it failed, and stdout is still used. */
bool ork_protocol_use_socket(int fd);
/* The tool listens for ranks; `tree` describes it. */
void ork_protocol_write_ready(const char *tree);
/* All ranks that attached have ended. */
void ork_protocol_write_gone(void);
/* Statistics and notes. `failed`: the tool could not continue. */
void ork_protocol_write_final(struct ork_root *root, bool failed);

#endif
