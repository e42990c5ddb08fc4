/* SPDX-License-Identifier: BSD-3-Clause */
/* The English of the findings: messages.def as data. */
#ifndef ORK_OVERLAY_FINDINGS_MESSAGES_H
#define ORK_OVERLAY_FINDINGS_MESSAGES_H

enum ork_says {
#define ORK_MESSAGE(name, form, template) SAYS_##name,
#include "overlay/findings/messages.def"
#undef ORK_MESSAGE
    SAYS_MAX
};

enum ork_message_form {
    ORK_HEADLINE, /* the message of a finding */
    ORK_DETAIL,   /* one or more sentences; the report begins them with a capital letter */
    ORK_PART,     /* a part of another message, or of a row */
};

/* A row of messages.def. Static storage. */
struct ork_message_row {
    const char *name;
    enum ork_message_form form;
    const char *template;
};

const struct ork_message_row *ork_message_row(enum ork_says message);

/* The letters of all slots. Static storage. */
const char *ork_message_slots(void);

#endif
