/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/findings/call_sites.h"

#include "common/hash.h"
#include "common/vec.h"
#include "overlay/findings/places.h"
#include "overlay/stacktrace/call_flow.h"
#include "overlay/stacktrace/symbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 1 << 22, TEXT_MAX = 1 << 16 };
/* RATIONALE: interceptors count from 1, so a number far above the count so far is invalid, and no
 * array is made that long. */
enum { NUMBERS_AHEAD = 1 << 12 };

struct site {
    bool known;
    bool is_text; /* text: "file\0function" */
    bool copies;  /* ORK_F_COPIES */
    uint32_t module;
    uint64_t offset;
    uint32_t line;
    uint32_t caller; /* a site; 0: not recorded */
    uint32_t place;  /* its number; 0: not known yet */
    char *text;
};

struct rank_sites {
    char **module;
    uint32_t num_modules;
    struct site *site;
    uint32_t num_sites;
    uint32_t defined;          /* modules and sites received */
    struct ork_record partial; /* a MODULE or SITE record whose text has not arrived in full */
    bool is_partial;
    char *text;
    uint32_t have; /* words */
};

struct ork_call_sites {
    uint32_t nprocs;
    struct rank_sites *rank;
    struct ork_symbols *symbols;
    struct ork_load_uses *load_uses; /* NULL: not asked so far */
    struct ork_places places;
};

enum ork_status ork_call_sites_create(uint32_t nprocs, struct ork_call_sites **out)
{
    struct ork_call_sites *sites = calloc(1, sizeof(*sites));

    if (sites == NULL)
        return ORK_NOMEM;
    sites->nprocs = nprocs;
    sites->rank = calloc(nprocs, sizeof(*sites->rank));
    if (sites->rank == NULL || ork_symbols_create(&sites->symbols) != ORK_OK) {
        free(sites->rank);
        free(sites);
        return ORK_NOMEM;
    }
    *out = sites;
    return ORK_OK;
}

enum ork_status ork_call_sites_grow(struct ork_call_sites *sites, uint32_t nprocs)
{
    if (!ork_vec_extend(&sites->rank, sites->nprocs, nprocs, sizeof(*sites->rank)))
        return ORK_NOMEM;
    sites->nprocs = nprocs;
    return ORK_OK;
}

void ork_call_sites_destroy(struct ork_call_sites *sites)
{
    if (sites == NULL)
        return;
    for (uint32_t r = 0; r < sites->nprocs; r++) {
        struct rank_sites *s = &sites->rank[r];
        for (uint32_t i = 0; i < s->num_modules; i++)
            free(s->module[i]);
        for (uint32_t i = 0; i < s->num_sites; i++)
            free(s->site[i].text);
        free(s->module);
        free(s->site);
        free(s->text);
    }
    ork_symbols_destroy(sites->symbols);
    ork_load_uses_destroy(sites->load_uses);
    ork_places_release(&sites->places);
    free(sites->rank);
    free(sites);
}

static bool is_plausible(const struct rank_sites *s, uint32_t number)
{
    return number < NUMBERS_MAX && number < s->defined + NUMBERS_AHEAD;
}

/* `text` (NUL-terminated, may be NULL) is taken over. */
static enum ork_status define(struct rank_sites *s, const struct ork_record *rec, char *text)
{
    if (rec->kind == ORK_KIND_MODULE) {
        if (!is_plausible(s, rec->arg) || text == NULL)
            goto ignore;
        if (!ork_vec_reserve(&s->module, &s->num_modules, rec->arg + 1, sizeof(*s->module)))
            goto err;
        free(s->module[rec->arg]);
        s->module[rec->arg] = text;
        s->defined++;
        return ORK_OK;
    }
    if (!is_plausible(s, rec->site))
        goto ignore;
    if (!ork_vec_reserve(&s->site, &s->num_sites, rec->site + 1, sizeof(*s->site)))
        goto err;
    free(s->site[rec->site].text);
    s->site[rec->site] =
        (struct site){.known = true,
                      .is_text = text != NULL,
                      .copies = (rec->flags & ORK_F_COPIES) != 0,
                      .module = rec->arg,
                      .offset = rec->extra,
                      .line = text != NULL ? rec->arg2 : 0,
                      .caller = text == NULL && rec->arg2 < rec->site ? rec->arg2 : 0,
                      .text = text};
    s->defined++;
    return ORK_OK;
ignore:
    free(text);
    return ORK_OK;
err:
    free(text);
    return ORK_NOMEM;
}

static enum ork_status take_words(struct rank_sites *s, const struct ork_record *rec)
{
    struct ork_cont cont;

    memcpy(&cont, rec, sizeof(cont));
    if (cont.words > ORK_CONT_WORDS || cont.words > s->partial.count - s->have) {
        s->is_partial = false;
        return ORK_OK;
    }
    memcpy(s->text + (size_t)s->have * 4, cont.word, (size_t)cont.words * 4);
    s->have += cont.words;
    if (s->have < s->partial.count)
        return ORK_OK;
    char *text = s->text;
    s->text = NULL;
    s->is_partial = false;
    text[s->partial.bytes] = '\0';
    return define(s, &s->partial, text);
}

static enum ork_status take(struct rank_sites *s, const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_CONT)
        return s->is_partial ? take_words(s, rec) : ORK_OK;
    s->is_partial = false;
    if (rec->kind != ORK_KIND_MODULE && rec->kind != ORK_KIND_SITE)
        return ORK_OK;
    if (rec->count == 0)
        return define(s, rec, NULL);
    if (rec->count > TEXT_MAX || rec->bytes > (uint64_t)rec->count * 4)
        return ORK_OK;
    free(s->text);
    s->text = calloc((size_t)rec->count * 4 + 2, 1);
    if (s->text == NULL)
        return ORK_NOMEM;
    s->partial = *rec;
    s->have = 0;
    s->is_partial = true;
    return ORK_OK;
}

enum ork_status ork_call_sites_feed(struct ork_call_sites *sites, uint32_t rank,
                                    const struct ork_record *record, size_t n)
{
    if (rank >= sites->nprocs)
        return ORK_INVALID;
    for (size_t i = 0; i < n; i++) {
        enum ork_status status = take(&sites->rank[rank], &record[i]);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

static bool is_known(const struct ork_call_sites *sites, uint32_t rank, uint32_t site)
{
    return rank < sites->nprocs && site < sites->rank[rank].num_sites &&
           sites->rank[rank].site[site].known;
}

/* The same at all ranks. */
static uint64_t path_of(const struct rank_sites *s, uint32_t site)
{
    uint64_t path = 0;

    for (uint32_t caller = s->site[site].caller; caller != 0 && caller < s->num_sites;
         caller = s->site[caller].caller) {
        const struct site *at = &s->site[caller];
        const char *module = at->module < s->num_modules ? s->module[at->module] : NULL;
        path = ork_hash_add(ork_hash_text(path, module), at->offset);
    }
    return path;
}

static enum ork_status find(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                            struct ork_where *where)
{
    if (!is_known(sites, rank, site))
        return ORK_OK;
    const struct rank_sites *s = &sites->rank[rank];
    const struct site *at = &s->site[site];
    if (at->is_text) {
        where->file = strdup(at->text);
        where->function = strdup(at->text + strlen(at->text) + 1);
        where->line = at->line;
        return where->file == NULL || where->function == NULL ? ORK_NOMEM : ORK_OK;
    }
    const char *path = at->module < s->num_modules ? s->module[at->module] : NULL;
    if (path == NULL)
        return ORK_OK;
    where->module = strdup(path);
    where->offset = at->offset;
    where->path = path_of(s, site);
    if (where->module == NULL)
        return ORK_NOMEM;
    return ork_symbols_find(sites->symbols, path, at->offset, where) == ORK_NOMEM ? ORK_NOMEM
                                                                                  : ORK_OK;
}

enum ork_status ork_call_sites_find(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                    struct ork_where *where)
{
    *where = (struct ork_where){0};
    enum ork_status status = find(sites, rank, site, where);
    if (status != ORK_OK)
        ork_where_release(where);
    return status;
}

enum ork_load_use ork_call_sites_load_use(struct ork_call_sites *sites, uint32_t rank,
                                          uint32_t site)
{
    if (!is_known(sites, rank, site))
        return ORK_LOAD_REPEATS;
    const struct rank_sites *s = &sites->rank[rank];
    const struct site *at = &s->site[site];
    const char *path = at->module < s->num_modules ? s->module[at->module] : NULL;
    if (at->is_text || path == NULL ||
        (sites->load_uses == NULL && ork_load_uses_create(&sites->load_uses) != ORK_OK))
        return ORK_LOAD_REPEATS;
    return ork_load_uses_find(sites->load_uses, path, at->offset);
}

bool ork_call_sites_copies(const struct ork_call_sites *sites, uint32_t rank, uint32_t site)
{
    return is_known(sites, rank, site) && sites->rank[rank].site[site].copies;
}

bool ork_call_sites_are_sequence(const struct ork_call_sites *sites, const uint32_t rank[2],
                                 const uint32_t site[2])
{
    const char *path[2] = {NULL, NULL};
    uint64_t offset[2] = {0, 0};

    for (unsigned i = 0; i < 2; i++) {
        if (!is_known(sites, rank[i], site[i]))
            return false;
        const struct rank_sites *s = &sites->rank[rank[i]];
        const struct site *at = &s->site[site[i]];
        if (at->is_text || at->module >= s->num_modules || s->module[at->module] == NULL)
            return false;
        path[i] = s->module[at->module];
        offset[i] = at->offset;
    }
    return strcmp(path[0], path[1]) == 0 && ork_calls_are_sequence(path[0], offset[0], offset[1]);
}

/* RATIONALE: a place that is not known may become known: with the record of its module. */
enum ork_status ork_call_sites_number(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                      uint32_t *number)
{
    uint32_t *known = is_known(sites, rank, site) ? &sites->rank[rank].site[site].place : NULL;
    struct ork_where where;

    *number = known != NULL ? *known : 0;
    if (*number != 0)
        return ORK_OK;
    enum ork_status status = ork_call_sites_find(sites, rank, site, &where);
    if (status != ORK_OK)
        return status;
    bool is_final = where.module != NULL || where.file != NULL;
    status = ork_places_number(&sites->places, &where, number);
    if (status == ORK_OK && is_final)
        *known = *number;
    return status;
}

/* The callers of a row that is being filled. */
struct callers {
    struct ork_rank_row *row;
    uint32_t room;
    bool is_complete;
};

/* RATIONALE: what calls main, or the first function of a thread, is of no use. */
static bool is_outside(const struct ork_where *where)
{
    const char *slash = where->module != NULL ? strrchr(where->module, '/') : NULL;

    return slash != NULL && strncmp(slash, "/libc.so", strlen("/libc.so")) == 0;
}

static bool is_main(const struct ork_where *where)
{
    return where->function != NULL &&
           (strcmp(where->function, "main") == 0 || strcmp(where->function, "MAIN__") == 0);
}

/* The function that calls, `depth` inlined calls further out. *where is the row's. */
static enum ork_status add_caller(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                  uint32_t depth, struct callers *to)
{
    const struct rank_sites *s = &sites->rank[rank];
    const struct site *at = &s->site[site];
    const char *path = at->module < s->num_modules ? s->module[at->module] : NULL;
    struct ork_where where = {0};
    enum ork_status status = ORK_OK;

    if (depth == 0)
        status = ork_call_sites_find(sites, rank, site, &where);
    else
        status = path == NULL || at->is_text
                     ? ORK_NOTFOUND
                     : ork_symbols_find_outer(sites->symbols, path, at->offset, depth, &where);
    if (status != ORK_OK)
        return status;
    if (!ork_vec_reserve(&to->row->caller, &to->room, to->row->num_callers + 1, sizeof(where))) {
        ork_where_release(&where);
        return ORK_NOMEM;
    }
    where.inlined = depth > 0;
    to->row->caller[to->row->num_callers++] = where;
    to->is_complete = is_main(&where);
    return ORK_OK;
}

enum ork_status ork_call_sites_fill(struct ork_call_sites *sites, uint32_t rank, uint32_t site,
                                    struct ork_rank_row *row)
{
    struct callers to = {.row = row};
    enum ork_status status = ork_call_sites_find(sites, rank, site, &row->where);
    uint32_t depth = 1;

    to.is_complete = is_main(&row->where) || !is_known(sites, rank, site) ||
                     sites->rank[rank].site[site].caller == 0;
    while (status == ORK_OK && !to.is_complete) {
        status = add_caller(sites, rank, site, depth++, &to);
        if (status != ORK_NOTFOUND)
            continue;
        status = ORK_OK;
        depth = 0;
        site = sites->rank[rank].site[site].caller;
        to.is_complete = site == 0 || !is_known(sites, rank, site);
    }
    while (row->num_callers > 0 && is_outside(&row->caller[row->num_callers - 1]))
        ork_where_release(&row->caller[--row->num_callers]);
    return status;
}
