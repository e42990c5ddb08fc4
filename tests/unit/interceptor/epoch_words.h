/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of epochs as text, for the tests. */
#ifndef ORK_TEST_EPOCH_WORDS_H
#define ORK_TEST_EPOCH_WORDS_H

#include "interceptor/objects/epochs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { RANKS = 4, OWN = 0 };

/* An event is a letter and its target or, for a start, its group: "F" fence ("Fp" and "Fs" with
 * MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED), "S12" start, "C" complete, "P" post, "W" wait, "L1"
 * lock, "U1" unlock, "l" lock_all, "u" unlock_all, "A1" access, "R1" access with a request, "H1"
 * flush, "h" flush_all, "Y" sync, "X" free. */
static const char letters[] = "FSCPWLUluARHhYX";

struct parsed {
    struct ork_epoch_event event;
    int member[RANKS];
};

static inline void parse(const char *word, size_t length, uint32_t number, struct parsed *out)
{
    *out = (struct parsed){.event = {.place = {.site = number, .call = (uint16_t)(number + 1)}}};
    out->event.kind = (enum ork_epoch_event_kind)(strchr(letters, word[0]) - letters);
    for (size_t i = 1; i < length; i++) {
        out->event.no_precede |= word[i] == 'p';
        out->event.no_succeed |= word[i] == 's';
        out->event.target = word[i] - '0';
        if (word[0] == 'S')
            out->member[out->event.num_members++] = word[i] - '0';
    }
    out->event.member = out->member;
}

/* The answer to one event; then it happens. */
static inline enum ork_epoch_misuse feed(struct ork_epochs *e, const struct ork_epoch_event *event,
                                         struct ork_epoch_place *other)
{
    enum ork_epoch_misuse misuse = ork_epochs_check(e, event, other);

    if (event->kind == ORK_EPOCH_DO_ACCESS || event->kind == ORK_EPOCH_DO_REQUEST_ACCESS) {
        bool has_request = event->kind == ORK_EPOCH_DO_REQUEST_ACCESS;
        if (ork_epochs_admit(e, event->target, has_request) ||
            ork_epochs_contain(e, event->target, has_request))
            assert_int_equal(misuse, ORK_EPOCH_RIGHT);
    }
    assert_true(ork_epochs_apply(e, event));
    return misuse;
}

#endif
