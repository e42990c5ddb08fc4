/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/messages.h"

#include "common/assert.h"

static const struct ork_message_row rows[] = {
#define ORK_MESSAGE(name, form, template) {#name, ORK_##form, template},
#include "overlay/findings/messages.def"
#undef ORK_MESSAGE
};

const struct ork_message_row *ork_message_row(enum ork_says message)
{
    ORK_ASSERT(message < SAYS_MAX);
    return &rows[message];
}

const char *ork_message_slots(void)
{
    static const char letters[] = {
#define ORK_SLOT(letter, meaning) #letter[0],
#include "overlay/findings/messages.def"
#undef ORK_SLOT
        '\0'};

    return letters;
}
