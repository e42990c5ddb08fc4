/* SPDX-License-Identifier: BSD-3-Clause */
/* Call stacks for a terminal: where the ranks that matter came from. */
#include "viz/viz.h"

#include "common/text.h"
#include "report/causes.h"
#include "report/escape.h"
#include "report/ranks.h"
#include "viz/pen.h"
#include "viz/stack_tree.h"

#include <inttypes.h>
#include <string.h>

#define STRING_MAX 160u
#define RUNS_MAX   8u
#define STACKS_MAX 4u  /* lines */
#define RANKS_MAX  64u /* the tool takes no more stacks */
#define OWN_FRAMES 2u  /* of the program's own code, of a rank in a call of MPI */
#define FRAMES_MAX 8u  /* of a rank outside MPI, which may be anywhere */

/* The frames that are shown of a stack. */
struct shown {
    const struct ork_where *frame[FRAMES_MAX];
    uint32_t count;
    bool is_cut;
};

static bool is_outside(const struct ork_rank_row *wait)
{
    return wait->call == NULL || wait->call[0] == '\0';
}

static bool is_called(const struct ork_where *frame, const char *name)
{
    return frame->function != NULL && strcmp(frame->function, name) == 0;
}

/* The compiler's own, in front of the main program. */
static bool is_main_of_fortran(const struct ork_where *frame)
{
    const char *dot = frame->file != NULL ? strrchr(frame->file, '.') : NULL;

    return is_called(frame, "main") && dot != NULL && (dot[1] == 'f' || dot[1] == 'F');
}

/* What calls it says nothing: it is the same in each program. */
static bool is_outermost(const struct ork_where *frame)
{
    return is_called(frame, "main") || is_called(frame, "MAIN__");
}

static void choose_frames(const struct ork_rank_row *wait, struct shown *s)
{
    uint32_t most = is_outside(wait) ? FRAMES_MAX : OWN_FRAMES;
    bool all = is_outside(wait) || ork_stack_own_frame(wait) == NULL;

    *s = (struct shown){.count = 0};
    for (uint32_t i = 0; i < wait->num_stack && !s->is_cut; i++) {
        const struct ork_where *frame = &wait->stack[i];
        if (!all && !ork_stack_is_own(frame))
            continue;
        if (is_main_of_fortran(frame))
            break;
        s->is_cut = s->count == most;
        if (!s->is_cut)
            s->frame[s->count++] = frame;
        if (is_outermost(frame))
            break;
    }
}

/* Does the stack say more than the row of the rank, which has the place of the call? */
static bool is_worth_it(const struct ork_finding *f, const struct ork_rank_row *wait)
{
    struct shown s;

    if (wait->num_stack == 0 || is_outside(wait))
        return wait->num_stack > 0;
    choose_frames(wait, &s);
    return s.count > 1 && wait->num_callers == 0 &&
           (f->num_roots == 0 || ork_finding_has_root(f, wait->rank));
}

static bool is_same(const struct ork_rank_row *a, const struct ork_rank_row *b)
{
    struct shown x, y;

    choose_frames(a, &x);
    choose_frames(b, &y);
    bool same = is_outside(a) == is_outside(b) && x.count == y.count && x.is_cut == y.is_cut;
    for (uint32_t i = 0; i < x.count && same; i++)
        same = x.frame[i]->line == y.frame[i]->line &&
               ork_text_is_same(x.frame[i]->file, y.frame[i]->file) &&
               ork_text_is_same(x.frame[i]->function, y.frame[i]->function);
    return same;
}

/* "clock_nanosleep, work (a.c:31), main (a.c:50)": the innermost frame first. */
static void put_frame(const struct ork_pen *pen, const struct ork_where *frame)
{
    const char *slash = frame->file != NULL ? strrchr(frame->file, '/') : NULL;

    ork_escape_text(pen->out, frame->function != NULL ? frame->function : "?", STRING_MAX);
    if (frame->file == NULL)
        return;
    fputs(" (", pen->out);
    ork_escape_text(pen->out, slash != NULL ? slash + 1 : frame->file, STRING_MAX);
    fprintf(pen->out, ":%" PRIu32 ")", frame->line);
}

/* Is it the first row with these frames? */
static bool is_first(const struct ork_finding *f, uint32_t row)
{
    for (uint32_t i = 0; i < row; i++)
        if (is_worth_it(f, &f->waits[i]) && is_same(&f->waits[i], &f->waits[row]))
            return false;
    return true;
}

/* A row and those like it after it. */
static void put_rows(const struct ork_pen *pen, const struct ork_finding *f, uint32_t row,
                     const struct shown *s)
{
    uint32_t rank[RANKS_MAX], count = 0;

    for (uint32_t i = row; i < f->num_waits && count < RANKS_MAX; i++)
        if (is_worth_it(f, &f->waits[i]) && is_same(&f->waits[row], &f->waits[i]))
            rank[count++] = f->waits[i].rank;
    fprintf(pen->out, "    rank%s ", count > 1 ? "s" : "");
    ork_put_ranks(pen->out, rank, count, RUNS_MAX);
    for (uint32_t i = 0; i < s->count; i++) {
        fputs(i > 0 ? ", " : ": ", pen->out);
        put_frame(pen, s->frame[i]);
    }
    fputs(s->is_cut ? ", ...\n" : "\n", pen->out);
}

static void put_hint(const struct ork_pen *pen, bool in_calls)
{
    fputs("    (the report has more frames", pen->out);
    if (in_calls)
        fputs("; --must:callers N shows them with every finding", pen->out);
    fputs(")\n", pen->out);
}

enum ork_status ork_viz_stacks_text(const struct ork_finding *f, bool color, FILE *out)
{
    struct ork_pen pen = {.out = out, .color = color};
    bool is_cut = false, in_calls = false;
    unsigned lines = 0;

    for (uint32_t i = 0; i < f->num_waits; i++) {
        struct shown s;
        if (!is_worth_it(f, &f->waits[i]) || !is_first(f, i))
            continue;
        if (lines == STACKS_MAX) {
            is_cut = true;
            break;
        }
        if (lines++ == 0) {
            ork_pen_severity(&pen, ORK_NOTE);
            fputs(" call stacks, the innermost function first\n", out);
        }
        choose_frames(&f->waits[i], &s);
        is_cut |= s.is_cut;
        in_calls |= !is_outside(&f->waits[i]);
        put_rows(&pen, f, i, &s);
    }
    if (is_cut)
        put_hint(&pen, in_calls);
    return ferror(out) ? ORK_IO : ORK_OK;
}
