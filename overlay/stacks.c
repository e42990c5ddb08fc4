/* SPDX-License-Identifier: BSD-3-Clause */
/* A finding about ranks that hang is told at once, and told again with their call stacks, which
 * take a moment. Only then the job is ended. */
#include "overlay/root_internal.h"

#include "overlay/describe_internal.h"
#include "overlay/words.h"

#include <stdlib.h>
#include <string.h>

/* Of more ranks the first of the causes are as good as all. */
enum { STACKS_MAX = 64 };
/* What has not come by then is left out. */
#define STACKS_NS (2000 * MS)

struct root_stacks {
    struct root_stacks *next;
    struct ork_finding finding;
    bool fatal;
    uint32_t missing, denied;
    uint64_t until_ns;
    char *reason; /* of the first that there is none of */
};

static struct ork_wait *wait_of(struct ork_finding *f, uint32_t rank)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        if (f->waits[i].rank == rank)
            return &f->waits[i];
    }
    return NULL;
}

/* Whoever hangs in a call; of a hang that nothing explains, whoever is there. */
static bool is_worth_it(const struct ork_finding *f, const struct ork_wait *wait)
{
    if (wait == NULL || strcmp(wait->state, "blocked") == 0)
        return wait != NULL;
    return strcmp(f->id, "hang") == 0 && strcmp(wait->state, "finalized") != 0 &&
           strcmp(wait->state, "ended") != 0;
}

/* Ranks whose stacks are wanted: the causes first. How many. */
static uint32_t choose(struct ork_finding *f, uint32_t rank[STACKS_MAX])
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < f->num_roots; k++) {
        for (uint32_t i = 0; i < f->roots[k].count && n < STACKS_MAX; i++) {
            if (is_worth_it(f, wait_of(f, f->roots[k].item[i])))
                rank[n++] = f->roots[k].item[i];
        }
    }
    uint32_t causes = n;
    for (uint32_t i = 0; i < f->num_waits && n < STACKS_MAX; i++) {
        bool known = !is_worth_it(f, &f->waits[i]);
        for (uint32_t k = 0; k < causes && !known; k++)
            known = rank[k] == f->waits[i].rank;
        if (!known)
            rank[n++] = f->waits[i].rank;
    }
    return n;
}

static enum ork_status finish(struct ork_root *root, struct root_stacks *s)
{
    struct root_stacks **link = &root->stacks;
    enum ork_status status = ORK_OK;

    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    if (s->denied > 0) {
        char *text = ork_words("No call stack of %u of these ranks: %s.", s->denied, s->reason);
        status = text == NULL ? ORK_NOMEM : describe_add_detail(&s->finding, text);
    }
    root->sink->stacks(root->sink->context, &s->finding, s->fatal);
    ork_finding_release(&s->finding);
    free(s->reason);
    free(s);
    return status;
}

enum ork_status root_tell_hanging(struct ork_root *root, struct ork_finding *finding, bool fatal)
{
    uint32_t rank[STACKS_MAX];
    uint32_t n = root->down.stack != NULL ? choose(finding, rank) : 0;
    struct root_stacks *s = n > 0 ? calloc(1, sizeof(*s)) : NULL;
    enum ork_status status = ORK_OK;

    root->sink->finding(root->sink->context, finding, fatal && s == NULL);
    if (s == NULL) {
        ork_finding_release(finding);
        return ORK_OK;
    }
    *s = (struct root_stacks){.next = root->stacks,
                              .finding = *finding,
                              .fatal = fatal,
                              .missing = n,
                              .until_ns = root_now() + STACKS_NS};
    *finding = (struct ork_finding){0};
    root->stacks = s;
    for (uint32_t i = 0; i < n && status == ORK_OK; i++)
        status = root->down.stack(root->down.context, rank[i]);
    return status;
}

bool root_copy_stack(struct ork_wait *to, const struct ork_wait *from)
{
    to->stack = calloc(from->num_stack + 1, sizeof(*to->stack));
    if (to->stack == NULL)
        return false;
    for (uint32_t i = 0; i < from->num_stack; i++) {
        const struct ork_where *in = &from->stack[i];
        struct ork_where *out = &to->stack[to->num_stack++];
        *out = (struct ork_where){.line = in->line, .offset = in->offset, .inlined = in->inlined};
        out->function = in->function != NULL ? strdup(in->function) : NULL;
        out->file = in->file != NULL ? strdup(in->file) : NULL;
        out->module = in->module != NULL ? strdup(in->module) : NULL;
        if ((in->function != NULL && out->function == NULL) ||
            (in->file != NULL && out->file == NULL) || (in->module != NULL && out->module == NULL))
            return false;
    }
    return true;
}

static bool take(struct root_stacks *s, const struct ork_wait *wait, const char *reason)
{
    struct ork_wait *to = wait_of(&s->finding, wait->rank);

    if (to == NULL || to->num_stack > 0 || s->missing == 0)
        return true;
    s->missing--;
    if (reason[0] == '\0')
        return root_copy_stack(to, wait);
    if (s->denied++ == 0)
        s->reason = strdup(reason);
    return s->reason != NULL;
}

enum ork_status root_take_stack(struct ork_root *root, const struct ork_wait *wait,
                                const char *reason)
{
    for (struct root_stacks *s = root->stacks; s != NULL; s = s->next) {
        if (!take(s, wait, reason))
            return ORK_NOMEM;
    }
    return ORK_OK;
}

enum ork_status root_tell_stacks(struct ork_root *root, bool all)
{
    enum ork_status status = ORK_OK;
    struct root_stacks *next;

    for (struct root_stacks *s = root->stacks; s != NULL && status == ORK_OK; s = next) {
        next = s->next;
        if (all || s->missing == 0 || root_now() > s->until_ns)
            status = finish(root, s);
    }
    return status;
}

void root_forget_stacks(struct ork_root *root)
{
    while (root->stacks != NULL) {
        struct root_stacks *next = root->stacks->next;
        ork_finding_release(&root->stacks->finding);
        free(root->stacks->reason);
        free(root->stacks);
        root->stacks = next;
    }
}
