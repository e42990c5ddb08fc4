/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustview/order_words.h"

#include "record/atomic_calls.h"
#include "record/record.h"
#include "report/escape.h"

#include <inttypes.h>

#define PLACE_MAX 1000u

void ork_order_put_number(uint64_t number, const char *what, FILE *out)
{
    fprintf(out, "%" PRIu64 " %s%s", number, what, number == 1 ? "" : "s");
}

void ork_order_put_rank(const struct ork_order_rank *rank, FILE *out)
{
    fprintf(out, "rank %" PRIu32, rank->rank);
    if (rank->job != 0)
        fprintf(out, " (rank %" PRIu32 " of job %" PRIu32 ")", rank->rank_in_job, rank->job);
}

/* A source that is no rank. */
static const char *special_source(int32_t source)
{
    switch (source) {
    case ORK_ANY_SOURCE:
        return "MPI_ANY_SOURCE";
    case ORK_PROC_NULL:
        return "MPI_PROC_NULL";
    case ORK_ROOT:
        return "MPI_ROOT";
    default:
        return "an unknown rank";
    }
}

static void put_message(const char *what, const struct ork_choice *choice, FILE *out)
{
    if (choice->source >= 0)
        fprintf(out, "%s rank %" PRId32, what, choice->source);
    else
        fprintf(out, "%s %s", what, special_source(choice->source));
    if (choice->source != ORK_PROC_NULL)
        fprintf(out, ", tag %" PRId32, choice->tag);
}

/* The call that a choice belongs to: "(receive 5 of thread 1)". */
static void put_post(const char *what, const struct ork_choice *choice, FILE *out)
{
    if (choice->post == 0)
        return;
    fprintf(out, " (%s %" PRIu64, what, choice->post);
    if (choice->post_thread != choice->thread)
        fprintf(out, " of thread %" PRIu32, choice->post_thread);
    fputc(')', out);
}

/* "requests 0, 2-5 and 9" */
static void put_indices(const struct ork_choice *choice, FILE *out)
{
    fputs(choice->count == 1 ? "request " : "requests ", out);
    for (uint32_t i = 0; i < choice->count;) {
        uint32_t first = i++;
        while (i < choice->count && choice->index[i] == choice->index[first] + (i - first))
            i++;
        if (i - first == 2) /* a pair is no run */
            i--;
        if (first > 0)
            fputs(i < choice->count ? ", " : " and ", out);
        fprintf(out, "%" PRIu32, choice->index[first]);
        if (i - first > 1)
            fprintf(out, "-%" PRIu32, choice->index[i - 1]);
    }
    fputs(" of the array", out);
}

/* What a call without indices has completed. */
static const char *completed(const struct ork_choice *choice)
{
    switch ((unsigned)choice->call) {
    case ORK_CALL_MPI_Testall:
        return "completed all requests of the array";
    case ORK_CALL_MPI_Test:
        return "completed its request";
    case ORK_CALL_MPI_Request_get_status:
        return "found its request complete";
    case ORK_CALL_MPI_Win_test:
        return "completed the exposure epoch";
    case ORK_CALL_MPI_Testany:
    case ORK_CALL_MPI_Testsome:
    case ORK_CALL_MPI_Waitany:
    case ORK_CALL_MPI_Waitsome:
        return "found no active request";
    default:
        return "was successful";
    }
}

static void put_completed(const struct ork_choice *choice, FILE *out)
{
    if (choice->count == 0) {
        fputs(completed(choice), out);
        return;
    }
    fputs("completed ", out);
    put_indices(choice, out);
}

static void put_received(const struct ork_choice *choice, FILE *out)
{
    if (choice->source == ORK_CANCELLED)
        fputs("was cancelled", out);
    else
        put_message("received from", choice, out);
    put_post("receive", choice, out);
}

static void put_locked(const struct ork_choice *choice, FILE *out)
{
    if (choice->tag == ORK_CHOICE_FAILED) {
        fputs("failed", out);
        return;
    }
    if (ork_call_is_atomic(choice->call)) {
        fprintf(out, "was made at rank %" PRId32 " after ", choice->source);
        ork_order_put_number((uint32_t)choice->tag, "conflicting atomic", out);
        put_post("lock or atomic", choice, out);
        return;
    }
    fputs(choice->kind == ORK_CHOICE_LOCK ? "locked " : "the lock had been granted for ", out);
    if (choice->source >= 0)
        fprintf(out, "rank %" PRId32 " after ", choice->source);
    else
        fputs("all ranks after ", out);
    ork_order_put_number((uint32_t)choice->tag, "conflicting lock", out);
    put_post("lock", choice, out);
}

static void put_outcome(const struct ork_choice *choice, FILE *out)
{
    switch ((enum ork_choice_kind)choice->kind) {
    case ORK_CHOICE_RECEIVE:
        put_received(choice, out);
        break;
    case ORK_CHOICE_PROBE:
        put_message("found a message of", choice, out);
        break;
    case ORK_CHOICE_TEST:
    case ORK_CHOICE_WAIT:
        put_completed(choice, out);
        break;
    case ORK_CHOICE_CANCEL:
        fprintf(out, "the operation was %scancelled", choice->source != 0 ? "" : "not ");
        put_post("receive", choice, out);
        break;
    case ORK_CHOICE_LOCK:
    case ORK_CHOICE_LATE_LOCK:
        put_locked(choice, out);
        break;
    case ORK_CHOICE_AHEAD:
        put_message("is to receive a message of", choice, out);
        put_post("receive", choice, out);
        break;
    case ORK_CHOICE_FREE:
        fputs("left to the run", out);
        break;
    case ORK_CHOICE_OPEN:
        fputs("all further choices are left to the run", out);
        break;
    case ORK_CHOICE_END:
    case ORK_CHOICE_MAX:
        break;
    }
}

static void put_where(const struct ork_order_file *file, uint32_t rank,
                      const struct ork_choice *choice, FILE *out)
{
    const char *place = ork_order_file_place(file, rank, choice->site);

    fprintf(out, "%s at ", ork_call_name(choice->call));
    if (place != NULL)
        ork_escape_text(out, place, PLACE_MAX);
    else
        fprintf(out, "place %08" PRIx32, choice->place);
    fputs(": ", out);
}

void ork_choice_put(const struct ork_order_file *file, uint32_t rank,
                    const struct ork_choice *choice, FILE *out)
{
    if (choice->kind == ORK_CHOICE_END) {
        fputs("no further choice", out);
    } else {
        put_where(file, rank, choice, out);
        put_outcome(choice, out);
    }
    if (choice->polls == ORK_CHOICE_POLLS_ROW) {
        fputs(" after unsuccessful polls, until another poll, choice or call", out);
    } else if (choice->polls == ORK_CHOICE_POLLS_EQUAL) {
        fputs(" after unsuccessful polls, until another poll or choice", out);
    } else if (choice->polls > 0) {
        fputs(" after ", out);
        ork_order_put_number(choice->polls, "unsuccessful poll", out);
    }
}
