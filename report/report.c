/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include "common/text.h"
#include "common/vec.h"
#include "report/unlisted.h"

#include <stdlib.h>
#include <string.h>

void ork_report_init(struct ork_report *report)
{
    *report = (struct ork_report){
        .complete = true,
        .run.exit_code = -1,
        .statistics.seconds_to_verdict = -1,
    };
}

bool ork_finding_fails(const struct ork_finding *f)
{
    return f->fails == ORK_FAILS_BY_SEVERITY ? f->severity == ORK_ERROR : f->fails == ORK_FAILS;
}

static void release_strings(char **string, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(string[i]);
    free(string);
}

static void release_sets(struct ork_u32s *set, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(set[i].item);
    free(set);
}

void ork_where_release(struct ork_where *where)
{
    free(where->function);
    free(where->file);
    free(where->module);
    *where = (struct ork_where){0};
}

static bool copy_where(struct ork_where *to, const struct ork_where *from)
{
    *to = (struct ork_where){
        .line = from->line, .offset = from->offset, .inlined = from->inlined, .path = from->path};
    return ork_text_copy(&to->function, from->function) && ork_text_copy(&to->file, from->file) &&
           ork_text_copy(&to->module, from->module);
}

static bool copy_frames(const struct ork_where *from, uint32_t n, struct ork_where **to,
                        uint32_t *count)
{
    *to = calloc((size_t)n + 1, sizeof(**to));
    if (*to == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!copy_where(&(*to)[(*count)++], &from[i]))
            return false;
    }
    return true;
}

bool ork_rank_row_copy_stack(struct ork_rank_row *to, const struct ork_rank_row *from)
{
    return copy_frames(from->stack, from->num_stack, &to->stack, &to->num_stack);
}

bool ork_rank_row_copy_place(struct ork_rank_row *to, const struct ork_rank_row *from)
{
    return copy_where(&to->where, &from->where) &&
           copy_frames(from->caller, from->num_callers, &to->caller, &to->num_callers);
}

void ork_rank_row_release(struct ork_rank_row *wait)
{
    free(wait->call);
    free(wait->own_name);
    free(wait->comm);
    free(wait->peer);
    free(wait->tag);
    free(wait->operation);
    free(wait->waits_for.item);
    free(wait->state);
    free(wait->detail);
    ork_where_release(&wait->where);
    free(wait->now.call);
    ork_where_release(&wait->now.where);
    for (uint32_t i = 0; i < wait->num_callers; i++)
        ork_where_release(&wait->caller[i]);
    free(wait->caller);
    for (uint32_t i = 0; i < wait->num_stack; i++)
        ork_where_release(&wait->stack[i]);
    free(wait->stack);
}

const char *ork_rank_row_name(const struct ork_rank_row *wait)
{
    return wait->own_name != NULL ? wait->own_name : wait->call;
}

static void release_decision(struct ork_match_decision *decision)
{
    free(decision->receive.call);
    free(decision->send.call);
    ork_where_release(&decision->receive.where);
    ork_where_release(&decision->send.where);
}

static void release_near_miss(struct ork_near_miss *near)
{
    free(near->waits.call);
    free(near->pending.call);
    ork_where_release(&near->waits.where);
    ork_where_release(&near->pending.where);
    free(near->differs);
    free(near->message);
}

static void release_communicator(struct ork_communicator *communicator)
{
    free(communicator->name);
    free(communicator->member);
    free(communicator->origin);
    free(communicator->parent);
    ork_where_release(&communicator->where);
}

static void release_remedy(struct ork_remedy *remedy)
{
    free(remedy->ranks.item);
    free(remedy->call);
    ork_where_release(&remedy->where);
    free(remedy->frees.item);
    free(remedy->message);
}

static void release_access(struct ork_window_access *access)
{
    free(access->call);
    free(access->epoch);
    ork_where_release(&access->where);
}

static void release_circumstances(struct ork_finding *finding)
{
    for (uint32_t i = 0; i < finding->num_near_misses; i++)
        release_near_miss(&finding->near_miss[i]);
    free(finding->near_miss);
    for (uint32_t i = 0; i < finding->num_communicators; i++)
        release_communicator(&finding->communicator[i]);
    free(finding->communicator);
    for (uint32_t i = 0; i < finding->num_remedies; i++)
        release_remedy(&finding->remedy[i]);
    free(finding->remedy);
    ork_last_calls_release(finding->last_calls, finding->num_last_calls);
    free(finding->arrow);
    for (uint32_t i = 0; i < finding->num_accesses; i++)
        release_access(&finding->access[i]);
    free(finding->access);
    for (uint32_t i = 0; i < finding->num_rates; i++)
        free(finding->rates[i].calls.item);
    free(finding->rates);
    free(finding->basis_text);
}

void ork_graph_node_release(struct ork_graph_node *node)
{
    free(node->label);
    free(node->comm);
    free(node->place);
    free(node->towards);
    free(node->relation);
    free(node->run);
}

void ork_graph_release(struct ork_graph *graph)
{
    for (uint32_t i = 0; i < graph->num_nodes; i++)
        ork_graph_node_release(&graph->node[i]);
    free(graph->node);
    for (uint32_t i = 0; i < graph->num_arcs; i++)
        free(graph->arc[i].label);
    free(graph->arc);
    *graph = (struct ork_graph){0};
}

void ork_finding_release(struct ork_finding *finding)
{
    free(finding->id);
    free(finding->message);
    free(finding->summary);
    release_strings(finding->detail, finding->num_details);
    free(finding->ranks.item);
    release_sets(finding->roots, finding->num_roots);
    release_sets(finding->independent, finding->num_independent);
    for (uint32_t i = 0; i < finding->num_waits; i++)
        ork_rank_row_release(&finding->waits[i]);
    free(finding->waits);
    for (uint32_t i = 0; i < finding->num_decisions; i++)
        release_decision(&finding->decision[i]);
    free(finding->decision);
    release_circumstances(finding);
    ork_graph_release(&finding->graph);
    free(finding->dot_file);
    free(finding->svg_file);
    free(finding->lanes_file);
    memset(finding, 0, sizeof(*finding));
}

static void release_run(struct ork_run_facts *run)
{
    free(run->started);
    free(run->host);
    free(run->folder);
    release_strings(run->word, run->num_words);
    free(run->launcher);
    free(run->mpi);
}

void ork_report_release(struct ork_report *report)
{
    release_run(&report->run);
    release_strings(report->command, report->num_command);
    release_strings(report->note, report->num_notes);
    for (uint32_t i = 0; i < report->num_findings; i++)
        ork_finding_release(&report->finding[i]);
    free(report->finding);
    ork_unlisted_release(report);
    for (uint32_t i = 0; i < report->num_jobs; i++)
        free(report->job[i].origin);
    free(report->job);
    free(report->choices);
    free(report->replay);
    free(report->explore);
    free(report->source_root);
    ork_report_init(report);
}

enum ork_status ork_report_add_finding(struct ork_report *report, struct ork_finding *finding)
{
    size_t n = report->num_findings;

    if (!ork_vec_extend(&report->finding, n, n + 1, sizeof(*report->finding)))
        return ORK_NOMEM;
    report->finding[report->num_findings++] = *finding;
    memset(finding, 0, sizeof(*finding));
    return ORK_OK;
}

enum ork_status ork_report_add_note(struct ork_report *report, const char *note)
{
    size_t n = report->num_notes;

    if (!ork_vec_extend(&report->note, n, n + 1, sizeof(*report->note)))
        return ORK_NOMEM;
    report->note[n] = strdup(note);
    if (report->note[n] == NULL)
        return ORK_NOMEM;
    report->num_notes++;
    return ORK_OK;
}

enum ork_status ork_report_take_note(struct ork_report *report, char *note)
{
    enum ork_status status = note == NULL ? ORK_NOMEM : ork_report_add_note(report, note);

    free(note);
    return status;
}

enum ork_status ork_report_add_job(struct ork_report *report, uint32_t first, uint32_t ranks,
                                   const char *origin)
{
    size_t n = report->num_jobs;

    if (!ork_vec_extend(&report->job, n, n + 1, sizeof(*report->job)))
        return ORK_NOMEM;
    report->job[n] = (struct ork_job){.first = first, .ranks = ranks, .origin = strdup(origin)};
    if (report->job[n].origin == NULL)
        return ORK_NOMEM;
    report->num_jobs++;
    return ORK_OK;
}

void ork_last_call_release(struct ork_last_call *call)
{
    free(call->call);
    free(call->comm);
    free(call->peer);
    free(call->tag);
    free(call->source);
    free(call->source_tag);
    free(call->root);
    free(call->took);
    free(call->own_name);
    free(call->decided);
    ork_where_release(&call->where);
}

void ork_last_calls_drain(struct ork_last_calls *list)
{
    for (uint32_t i = 0; i < list->num_calls; i++)
        ork_last_call_release(&list->call[i]);
    free(list->call);
    free(list->ranks.item);
}

void ork_last_calls_release(struct ork_last_calls *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ork_last_calls_drain(&list[i]);
    free(list);
}

void ork_finding_move_calls(struct ork_finding *from, struct ork_finding *to)
{
    ork_last_calls_release(to->last_calls, to->num_last_calls);
    free(to->arrow);
    to->last_calls = from->last_calls;
    to->num_last_calls = from->num_last_calls;
    to->are_calls_gone = from->are_calls_gone;
    to->arrow = from->arrow;
    to->num_arrows = from->num_arrows;
    from->last_calls = NULL;
    from->arrow = NULL;
    from->num_last_calls = from->num_arrows = 0;
}
