/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root of the tool says on its stdout: one JSON object a line. Untrusted: any bytes give a
 * message or a status. */
#ifndef ORK_MUSTRUN_PROTOCOL_H
#define ORK_MUSTRUN_PROTOCOL_H

#include "common/status.h"
#include "viz/report.h"

#include <stddef.h>

enum ork_message_type {
    ORK_MESSAGE_UNKNOWN, /* of a later version: skipped */
    ORK_MESSAGE_READY,   /* a leaf takes ranks */
    ORK_MESSAGE_FINDING,
    ORK_MESSAGE_STATE, /* where all ranks are, asked for by "interrupt" */
    ORK_MESSAGE_GONE,  /* all ranks that had attached have hung up */
    ORK_MESSAGE_STUCK, /* the job should have ended by itself, and has not */
    ORK_MESSAGE_FINAL, /* the last line */
};

struct ork_message {
    enum ork_message_type type;
    struct ork_finding finding; /* of FINDING and STATE */
    bool fatal;              /* of FINDING: the job hangs ("fatal"; without it: class manifest) */
    struct ork_report final; /* of FINAL: statistics, notes, complete, ranks */
};

/* Parse a line without its newline. ORK_INVALID: it is no message; ORK_NOMEM. Release the message
 * after ORK_OK. */
enum ork_status ork_message_parse(const char *line, size_t size, struct ork_message *message);
void ork_message_release(struct ork_message *message);

#endif
