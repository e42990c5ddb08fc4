/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/writer.h"

#include <string.h>

static void make(struct writer *w, const struct move *move)
{
    struct run *run = w->run;
    struct stream *s = &run->stream[move->rank];
    unsigned pc = run->state.pc[move->rank];

    if (move->type == MOVE_ENTER) {
        writer_enter(w, move->rank);
    } else if (move->type == MOVE_MATCH) {
        run->known.message[move->b] = move->a;
        writer_match(w, move->a, move->b);
    } else if (move->type == MOVE_RETURN) {
        unsigned before = s->count;
        writer_return(w, move->rank, move);
        run->known.step[move->rank][pc] = true;
        run->known.returned[move->rank][pc] = *move;
        /* a call that wrote nothing is known to have returned by the next record */
        s->reported_at[pc] = s->count > before ? s->count : s->count + 1;
    }
    model_apply(&run->model, &run->state, move);
}

static bool is_over(const struct writer *w, unsigned rank)
{
    return model_is_finished(&w->run->model, &w->run->state, rank) &&
           w->p->ending[rank] != ENDING_RUNNING;
}

bool run_random(const struct program *p, struct wfg_random *random, struct run *run)
{
    struct writer w = {.p = p, .run = run, .random = random};
    struct move moves[MAX_MOVES];
    unsigned count;

    memset(run, 0, sizeof(*run));
    if (!model_init(&run->model, p, true, p->lazy))
        return false;
    model_start(&run->model, &run->state);
    memset(run->known.message, NO_ACT, sizeof(run->known.message));
    for (unsigned r = 0; r < p->ranks; r++)
        w.comms[r] = 2;
    while ((count = model_moves(&run->model, &run->state, NULL, moves)) > 0)
        make(&w, &moves[wfg_random_below(random, count)]);
    for (unsigned r = 0; r < p->ranks; r++)
        run->stream[r].is_over = is_over(&w, r);
    return true;
}

static bool is_known(const struct run *run, unsigned rank, unsigned step, unsigned count)
{
    return run->known.step[rank][step] && count >= run->stream[rank].reported_at[step];
}

unsigned run_reported_in(const struct run *run, unsigned act)
{
    const struct act *a = &run->model.act[act];

    if (!a->is_request)
        return a->step;
    for (unsigned k = a->step + 1u; k < run->model.p->steps[a->rank]; k++) {
        if (run->known.returned[a->rank][k].set >> act & 1)
            return k;
    }
    return MAX_STEPS;
}

static bool is_act_known(const struct run *run, unsigned act, unsigned count)
{
    unsigned step = run_reported_in(run, act);

    return step < MAX_STEPS && is_known(run, run->model.act[act].rank, step, count);
}

void run_known(const struct run *run, const unsigned count[MAX_RANKS], struct known *known)
{
    *known = run->known;
    for (unsigned r = 0; r < run->model.p->ranks; r++) {
        for (unsigned i = 0; i < MAX_STEPS; i++)
            known->step[r][i] = is_known(run, r, i, count[r]);
    }
    for (unsigned i = 0; i < run->model.acts; i++)
        known->act[i] = run->known.act[i] && is_act_known(run, i, count[run->model.act[i].rank]);
}

static void print_record(const struct ork_record *r, const struct stream *s, unsigned at, FILE *out)
{
    fprintf(out, "    %2u %s site %u comm %u request %d peer %d tag %d peer2 %d tag2 %d flags %#x",
            at, ork_kind_name(r->kind), r->site, r->comm, (int)r->request, r->peer, r->tag,
            r->peer2, r->tag2, r->flags);
    for (unsigned done = 0; done < r->count; done++) {
        struct ork_cont cont;
        memcpy(&cont, &s->record[at + 1 + done / ORK_CONT_WORDS], sizeof(cont));
        fprintf(out, "%s%d", done == 0 ? " : " : " ", (int)cont.word[done % ORK_CONT_WORDS]);
    }
    fputs("\n", out);
}

void run_print(const struct run *run, FILE *out)
{
    for (unsigned r = 0; r < run->model.p->ranks; r++) {
        const struct stream *s = &run->stream[r];
        fprintf(out, "  records of rank %u:\n", r);
        for (unsigned i = 0; i < s->count; i++) {
            if (s->record[i].kind != ORK_KIND_CONT)
                print_record(&s->record[i], s, i, out);
        }
    }
}
