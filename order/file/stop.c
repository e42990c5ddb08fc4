/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Read digits and go past them. False: there are none, or the number is above `max`. */
static bool read_number(const char **text, uint64_t max, uint64_t *out)
{
    const char *p = *text;

    *out = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (*out > (max - digit) / 10)
            return false;
        *out = *out * 10 + digit;
    }
    bool any = p > *text;
    *text = p;
    return any;
}

bool ork_stop_read(const char *text, struct ork_stop *stop)
{
    uint64_t rank, thread = 0, choice;

    if (!read_number(&text, ORK_ORDER_RANKS - 1, &rank))
        return false;
    if (*text == '.') {
        text++;
        if (!read_number(&text, ORK_CHOICE_THREADS - 1, &thread))
            return false;
    }
    if (*text++ != ':' || !read_number(&text, UINT64_MAX, &choice) || *text != '\0' || choice == 0)
        return false;
    *stop = (struct ork_stop){.rank = (uint32_t)rank, .thread = (uint32_t)thread, .choice = choice};
    return true;
}

/* How many choices the thread has made. */
static enum ork_status count(const struct ork_order_rank *rank, uint32_t thread, uint64_t *choices)
{
    struct ork_order_decoder *decoder = ork_order_decoder_create();
    struct ork_choice choice;

    *choices = 0;
    if (decoder == NULL)
        return ORK_NOMEM;
    enum ork_status status = ork_order_decoder_feed(decoder, rank->stream, rank->size);
    while (status == ORK_OK && (status = ork_order_decode(decoder, &choice)) == ORK_OK)
        *choices += choice.thread == thread && choice.kind != ORK_CHOICE_END;
    ork_order_decoder_destroy(decoder);
    return status == ORK_NOTFOUND ? ORK_OK : status;
}

enum ork_status ork_stop_find(const struct ork_order_file *file, const struct ork_stop *stop,
                              char why[ORK_ORDER_ERROR])
{
    uint64_t choices;
    char thread[32] = "";

    if (stop->rank >= file->num_ranks) {
        snprintf(why, ORK_ORDER_ERROR,
                 "the recording has no rank %" PRIu32 ", it has %" PRIu32 " rank%s", stop->rank,
                 file->num_ranks, file->num_ranks == 1 ? "" : "s");
        return ORK_NOTFOUND;
    }
    enum ork_status status = count(&file->rank[stop->rank], stop->thread, &choices);
    if (status != ORK_OK || stop->choice <= choices)
        return status;
    if (stop->thread != 0)
        snprintf(thread, sizeof(thread), ", thread %" PRIu32 ",", stop->thread);
    if (choices == 0)
        snprintf(why, ORK_ORDER_ERROR, "rank %" PRIu32 "%s made no choices in the recording",
                 stop->rank, thread);
    else
        snprintf(why, ORK_ORDER_ERROR,
                 "rank %" PRIu32 "%s made only %" PRIu64 " choice%s in the recording", stop->rank,
                 thread, choices, choices == 1 ? "" : "s");
    return ORK_NOTFOUND;
}
