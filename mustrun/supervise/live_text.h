/* SPDX-License-Identifier: BSD-3-Clause */
/* The answer to "where are the ranks?" as text: equal ranks in one line, those that have waited
 * longest first. */
#ifndef ORK_MUSTRUN_SUPERVISE_LIVE_TEXT_H
#define ORK_MUSTRUN_SUPERVISE_LIVE_TEXT_H

#include "report/protocol.h"

/* A few lines, the caller's. `seconds`: since the application was started. `blocks`: the reader can
 * show block characters of UTF-8. NULL: out of memory. */
char *ork_live_text(const struct ork_message *answer, double seconds, bool color, bool blocks);

#endif
