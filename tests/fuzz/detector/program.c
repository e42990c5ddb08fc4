/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/detector/program.h"

#include <string.h>

static const char *const verb_name[] = {
    "Send",     "Isend",  "Send_init",    "Recv",   "Irecv", "Recv_init", "Sendrecv", "Probe",
    "Iprobe",   "Mprobe", "Mrecv",        "Imrecv", "Start", "Waitall",   "Waitany",  "Waitsome",
    "Testsome", "Cancel", "Request_free", "",       "I",     "",          "Finalize"};

static void print_peer(int peer, int tag, FILE *out)
{
    if (peer == ORK_ANY_SOURCE)
        fputs("ANY", out);
    else if (peer == ORK_PROC_NULL)
        fputs("NULL", out);
    else
        fprintf(out, "%d", peer);
    if (tag == ORK_ANY_TAG)
        fputs(", tag ANY", out);
    else if (tag != 0)
        fprintf(out, ", tag %d", tag);
}

static void print_set(uint32_t set, FILE *out)
{
    const char *separator = "";

    for (unsigned i = 0; i < MAX_STEPS; i++) {
        if (set >> i & 1) {
            fprintf(out, "%s#%u", separator, i);
            separator = ", ";
        }
    }
}

static void print_arguments(const struct step *s, FILE *out)
{
    switch (s->verb) {
    case VERB_START:
    case VERB_WAIT:
    case VERB_WAITANY:
    case VERB_WAITSOME:
    case VERB_TEST:
    case VERB_CANCEL:
    case VERB_FREE:
        print_set(s->set, out);
        break;
    case VERB_MRECV:
    case VERB_IMRECV:
        fprintf(out, "#%u", s->of);
        break;
    case VERB_COLL:
    case VERB_ICOLL:
        break;
    case VERB_CONSTRUCT:
        fprintf(out, "-> comm %u", s->of);
        break;
    case VERB_FINALIZE:
        break;
    case VERB_SEND:
    case VERB_ISEND:
    case VERB_SEND_INIT:
    case VERB_RECV:
    case VERB_IRECV:
    case VERB_RECV_INIT:
    case VERB_SENDRECV:
    case VERB_PROBE:
    case VERB_IPROBE:
    case VERB_MPROBE:
        print_peer(s->peer, s->tag, out);
        if (s->verb == VERB_SENDRECV) {
            fputs("; ", out);
            print_peer(s->peer2, s->tag2, out);
        }
        break;
    }
    if (s->comm != 0)
        fprintf(out, ", comm %u", s->comm);
}

void step_print(const struct step *s, FILE *out)
{
    static const char *const mode[] = {"", "S", "B", "R"};
    bool coll = s->verb == VERB_COLL || s->verb == VERB_ICOLL || s->verb == VERB_CONSTRUCT;

    if (coll)
        fprintf(out, "%s%s(", verb_name[s->verb], ork_coll_name(s->mode));
    else
        fprintf(out, "%s%s(", verb_name[s->verb], mode[s->mode % 4]);
    print_arguments(s, out);
    fputs(")", out);
}

void program_print(const struct program *p, FILE *out)
{
    static const char *const ending[] = {"", " ... goes on", " exits"};

    for (unsigned c = 1; c < p->comms; c++)
        fprintf(out, "comm %u: ranks %#x%s\n", c, p->members[c], p->is_dup[c] ? " (dup)" : "");
    fprintf(out, "%s%s", p->lazy ? "lazy collectives\n" : "", p->shared ? "shared handles\n" : "");
    for (unsigned r = 0; r < p->ranks; r++) {
        fprintf(out, "rank %u:", r);
        for (unsigned i = 0; i < p->steps[r]; i++) {
            fprintf(out, " #%u ", i);
            step_print(&p->step[r][i], out);
        }
        fprintf(out, "%s\n", ending[p->ending[r]]);
    }
}

bool program_is_deterministic(const struct program *p)
{
    for (unsigned r = 0; r < p->ranks; r++) {
        for (unsigned i = 0; i < p->steps[r]; i++) {
            const struct step *s = &p->step[r][i];
            bool any = s->peer == ORK_ANY_SOURCE ||
                       (s->verb == VERB_SENDRECV && s->peer2 == ORK_ANY_SOURCE);
            if (any || s->verb == VERB_WAITANY || s->verb == VERB_WAITSOME ||
                s->verb == VERB_TEST || s->verb == VERB_CANCEL || s->verb == VERB_IPROBE)
                return false;
        }
    }
    return true;
}

bool program_has_running_end(const struct program *p)
{
    for (unsigned r = 0; r < p->ranks; r++) {
        if (p->ending[r] == ENDING_RUNNING)
            return true;
    }
    return false;
}

/* ---- taking steps out ---- */

static bool names_requests(enum verb verb)
{
    return verb >= VERB_START && verb <= VERB_FREE;
}

static void renumber(struct step *s, unsigned gone)
{
    uint32_t below = (UINT32_C(1) << gone) - 1;

    s->set = (s->set & below) | (s->set >> 1 & ~below);
    if ((s->verb == VERB_MRECV || s->verb == VERB_IMRECV) && s->of > gone)
        s->of--;
}

static bool depends_on(const struct step *s, unsigned gone)
{
    if (s->verb == VERB_MRECV || s->verb == VERB_IMRECV)
        return s->of == gone;
    return names_requests(s->verb) && s->set == UINT32_C(1) << gone;
}

bool program_drop(struct program *p, unsigned rank, unsigned step)
{
    struct step *s = p->step[rank];

    if (s[step].verb == VERB_CONSTRUCT || s[step].verb == VERB_FINALIZE)
        return false;
    for (unsigned i = p->steps[rank] - 1u; i > step; i--) {
        if (depends_on(&s[i], step))
            program_drop(p, rank, i);
    }
    memmove(s + step, s + step + 1, (p->steps[rank] - step - 1u) * sizeof(*s));
    p->steps[rank]--;
    for (unsigned i = step; i < p->steps[rank]; i++)
        renumber(&s[i], step);
    return true;
}
