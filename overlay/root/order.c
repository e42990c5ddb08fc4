/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/order.h"

#include "common/assert.h"
#include "common/text.h"
#include "common/vec.h"
#include "overlay/root/replayed.h"
#include "overlay/findings/phrase.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH_NS UINT64_C(1000000000)

enum {
    RECORD_MAX = 1 << 16, /* bytes of a record's list */
    KEPT_MAX = 1 << 20,   /* bytes of a rank before the first choice of the run */
    SITES_MAX = 1 << 22
};

struct rank_order {
    struct ork_order_decoder *decoder; /* NULL: no bytes yet */
    struct ork_order_hash hash;
    uint64_t size; /* of the stream so far */
    const char *fault;
    bool has_threads; /* more than one that called MPI */
    bool has_job;     /* its job is in the file */
    uint64_t left;    /* number of the choice at which it left the recording of a replay; or 0 */
    uint8_t *kept;    /* bytes that came before there was a file */
    uint32_t num_kept, cap_kept;
    bool *site; /* its place is in the file, or will be */
    uint32_t num_sites;
    /* A record whose list has not arrived in full. */
    struct ork_record partial;
    bool is_partial;
    uint8_t *list;
    uint32_t cap_list, have; /* bytes */
};

/* A call site whose place is to be written. */
struct new_site {
    uint32_t rank, site;
};

struct ork_recording {
    const char *path, *program;
    uint32_t first_job; /* its ranks */
    struct rank_order *rank;
    uint32_t nprocs;
    struct ork_order_writer *writer; /* NULL: none yet, or no more */
    bool has_file;
    int error; /* errno of what could not be written; 0: none */
    bool has_choices, is_dirty;
    uint64_t flushed_ns;
    struct new_site *new_site;
    uint32_t num_new, cap_new;
};

enum ork_status ork_recording_create(uint32_t nprocs, const char *path, const char *program,
                                     struct ork_recording **out)
{
    struct ork_recording *r = calloc(1, sizeof(*r));

    if (r == NULL)
        return ORK_NOMEM;
    r->path = path;
    r->program = program;
    r->first_job = nprocs;
    enum ork_status status = ork_recording_grow(r, nprocs);
    if (status == ORK_OK)
        *out = r;
    else
        free(r);
    return status;
}

enum ork_status ork_recording_grow(struct ork_recording *r, uint32_t nprocs)
{
    ORK_ASSERT(nprocs > r->nprocs);
    if (!ork_vec_extend(&r->rank, r->nprocs, nprocs, sizeof(*r->rank)))
        return ORK_NOMEM;
    r->nprocs = nprocs;
    return ORK_OK;
}

void ork_recording_destroy(struct ork_recording *r)
{
    if (r == NULL)
        return;
    if (r->writer != NULL)
        ork_order_writer_close(r->writer, false);
    for (uint32_t i = 0; i < r->nprocs; i++) {
        ork_order_decoder_destroy(r->rank[i].decoder);
        ork_order_hash_release(&r->rank[i].hash);
        free(r->rank[i].kept);
        free(r->rank[i].site);
        free(r->rank[i].list);
    }
    free(r->rank);
    free(r->new_site);
    free(r);
}

/* ---- the file ---- */

/* RATIONALE: a failure to write ends the file, not the run. */
static enum ork_status check_written(struct ork_recording *r, enum ork_status status)
{
    if (status == ORK_OK || status == ORK_NOMEM)
        return status;
    r->error = status == ORK_EXISTS ? EEXIST : status == ORK_IO && errno != 0 ? errno : EIO;
    if (r->writer != NULL)
        ork_order_writer_close(r->writer, false);
    r->writer = NULL;
    return ORK_OK;
}

static enum ork_status add_bytes(struct ork_recording *r, uint32_t rank, uint64_t offset,
                                 const uint8_t *bytes, size_t size)
{
    if (r->writer == NULL || size == 0)
        return ORK_OK;
    r->is_dirty = true;
    return check_written(r, ork_order_writer_add(r->writer, rank, offset, bytes, size));
}

/* The first choice of the run: from now on, there is a file. */
static enum ork_status open_file(struct ork_recording *r)
{
    struct ork_order_header header = {.ranks = r->first_job};
    enum ork_status status;

    ORK_ASSERT(r->writer == NULL && !r->has_choices);
    r->has_choices = true;
    if (r->path == NULL)
        return ORK_OK;
    strncpy(header.program, r->program != NULL ? r->program : "", sizeof(header.program) - 1);
    status = ork_order_writer_create(r->path, &header, &r->writer);
    r->has_file = status == ORK_OK;
    status = check_written(r, status);
    for (uint32_t i = 0; i < r->nprocs && status == ORK_OK; i++)
        status = add_bytes(r, i, 0, r->rank[i].kept, r->rank[i].num_kept);
    for (uint32_t i = 0; i < r->nprocs; i++) {
        free(r->rank[i].kept);
        r->rank[i].kept = NULL;
        r->rank[i].num_kept = r->rank[i].cap_kept = 0;
    }
    return status;
}

static enum ork_status keep(struct rank_order *o, const uint8_t *bytes, size_t size)
{
    ORK_ASSERT(o->num_kept <= KEPT_MAX && o->num_kept <= o->cap_kept);
    if (size > KEPT_MAX - o->num_kept) {
        o->fault = "its stream has no choices";
        return ORK_OK;
    }
    if (!ork_vec_reserve(&o->kept, &o->cap_kept, o->num_kept + (uint32_t)size, 1))
        return ORK_NOMEM;
    memcpy(o->kept + o->num_kept, bytes, size);
    o->num_kept += (uint32_t)size;
    return ORK_OK;
}

static enum ork_status write_site(struct ork_recording *r, const struct new_site *s,
                                  struct ork_call_sites *sites)
{
    char *place = ork_phrase_place(sites, s->rank, s->site);
    enum ork_status status = place == NULL ? ORK_NOMEM : ORK_OK;

    if (status == ORK_OK && place[0] != '\0')
        status = check_written(r, ork_order_writer_site(r->writer, s->rank, s->site, place));
    free(place);
    return status;
}

static enum ork_status write_job(struct ork_recording *r, uint32_t rank,
                                 const struct ork_detector *d)
{
    ORK_ASSERT(rank >= r->first_job && !r->rank[rank].has_job);
    for (uint32_t j = 1; j < ork_detector_num_jobs(d); j++) {
        struct ork_job_view job = ork_detector_job(d, j);
        if (rank < job.first || rank - job.first >= job.size)
            continue;
        r->rank[rank].has_job = true;
        return check_written(r, ork_order_writer_job(r->writer, rank, j, rank - job.first));
    }
    return ORK_OK;
}

static enum ork_status write_rest(struct ork_recording *r, struct ork_call_sites *sites,
                                  const struct ork_detector *d)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < r->num_new && r->writer != NULL && status == ORK_OK; i++)
        status = write_site(r, &r->new_site[i], sites);
    r->num_new = 0;
    for (uint32_t i = r->first_job; i < r->nprocs && r->writer != NULL && status == ORK_OK; i++) {
        if (r->rank[i].size > 0 && !r->rank[i].has_job)
            status = write_job(r, i, d);
    }
    if (r->writer != NULL && status == ORK_OK)
        status = check_written(r, ork_order_writer_flush(r->writer));
    r->is_dirty = false;
    return status;
}

enum ork_status ork_recording_step(struct ork_recording *r, uint64_t now_ns,
                                   struct ork_call_sites *sites, const struct ork_detector *d)
{
    if (r->writer == NULL || !r->is_dirty)
        return ORK_OK;
    if (r->flushed_ns == 0)
        r->flushed_ns = now_ns;
    if (now_ns - r->flushed_ns < FLUSH_NS)
        return ORK_OK;
    r->flushed_ns = now_ns;
    return write_rest(r, sites, d);
}

enum ork_status ork_recording_finish(struct ork_recording *r, struct ork_call_sites *sites,
                                     const struct ork_detector *d, bool complete)
{
    if (r->writer == NULL)
        return ORK_OK;
    for (uint32_t i = 0; i < r->nprocs; i++)
        complete = complete && r->rank[i].fault == NULL;
    enum ork_status status = write_rest(r, sites, d);
    if (r->writer == NULL || status != ORK_OK)
        return status;
    struct ork_order_writer *writer = r->writer;
    r->writer = NULL;
    return check_written(r, ork_order_writer_close(writer, complete));
}

bool ork_recording_has_file(const struct ork_recording *r)
{
    return r->has_file;
}

/* ---- records ---- */

static enum ork_status note_site(struct ork_recording *r, uint32_t rank, uint32_t site)
{
    ORK_ASSERT(rank < r->nprocs);
    struct rank_order *o = &r->rank[rank];

    if (r->path == NULL || site == 0 || site >= SITES_MAX || (site < o->num_sites && o->site[site]))
        return ORK_OK;
    if (!ork_vec_reserve(&o->site, &o->num_sites, site + 1, sizeof(*o->site)) ||
        !ork_vec_reserve(&r->new_site, &r->cap_new, r->num_new + 1, sizeof(*r->new_site)))
        return ORK_NOMEM;
    o->site[site] = true;
    r->new_site[r->num_new++] = (struct new_site){rank, site};
    return ORK_OK;
}

static enum ork_status take_choice(struct ork_recording *r, uint32_t rank,
                                   const struct ork_choice *choice)
{
    struct rank_order *o = &r->rank[rank];
    enum ork_status status = ork_order_hash_add(&o->hash, choice);

    if (status == ORK_INVALID)
        o->fault = "a thread has an invalid number";
    if (status != ORK_OK)
        return status == ORK_INVALID ? ORK_OK : status;
    if (!r->has_choices && choice->kind != ORK_CHOICE_END)
        status = open_file(r);
    return status == ORK_OK ? note_site(r, rank, choice->site) : status;
}

/* RATIONALE: the first rounds of a loop were taken one by one, so their sites are known. */
static enum ork_status take_rounds(struct rank_order *o)
{
    struct ork_order_rounds rounds;
    struct ork_order_series series;
    enum ork_status status = ORK_OK;

    do {
        if (ork_order_decode_rounds(o->decoder, &rounds))
            status = ork_order_hash_add_rounds(&o->hash, &rounds);
        if (status != ORK_OK || !ork_order_decode_series(o->decoder, &series))
            return status;
        status = ork_order_hash_add_series(&o->hash, &series);
    } while (status == ORK_OK);
    return status;
}

static enum ork_status decode(struct ork_recording *r, uint32_t rank)
{
    struct rank_order *o = &r->rank[rank];
    struct ork_choice choice;
    enum ork_status status = ORK_OK;

    while (o->fault == NULL && (status = ork_order_decode(o->decoder, &choice)) == ORK_OK) {
        status = take_choice(r, rank, &choice);
        if (status == ORK_OK)
            status = take_rounds(o);
        if (status != ORK_OK)
            return status;
    }
    if (status == ORK_INVALID)
        o->fault = "its stream is invalid";
    return status == ORK_NOMEM ? ORK_NOMEM : ORK_OK;
}

/* New bytes of the stream. RATIONALE: what came before the file was made is kept until the first
 * choice, which may be in these bytes; then open_file() has written them. */
static enum ork_status take_bytes(struct ork_recording *r, uint32_t rank, const uint8_t *bytes,
                                  size_t size)
{
    struct rank_order *o = &r->rank[rank];
    uint64_t offset = o->size;
    bool had_choices = r->has_choices;
    enum ork_status status = ORK_OK;

    if (o->decoder == NULL && (o->decoder = ork_order_decoder_create()) == NULL)
        return ORK_NOMEM;
    if (!had_choices && r->path != NULL)
        status = keep(o, bytes, size);
    o->size += size;
    if (status == ORK_OK)
        status = ork_order_decoder_feed(o->decoder, bytes, size);
    if (status == ORK_OK)
        status = decode(r, rank);
    return status == ORK_OK && had_choices ? add_bytes(r, rank, offset, bytes, size) : status;
}

/* All of an ORDER record is there. */
static enum ork_status take_order(struct ork_recording *r, uint32_t rank)
{
    struct rank_order *o = &r->rank[rank];
    uint64_t offset = o->partial.extra, size = o->partial.bytes;

    ORK_ASSERT(!o->is_partial && size <= o->have);
    o->has_threads |= o->partial.arg > 1;
    if (offset > o->size) {
        o->fault = "a part of its stream is missing";
        return ORK_OK;
    }
    uint64_t known = o->size - offset;
    return known >= size ? ORK_OK : take_bytes(r, rank, o->list + known, (size_t)(size - known));
}

static enum ork_status take_cont(struct ork_recording *r, uint32_t rank,
                                 const struct ork_record *record)
{
    struct rank_order *o = &r->rank[rank];
    struct ork_cont cont;

    ORK_ASSERT(o->is_partial && o->have < o->partial.count * (size_t)4);
    memcpy(&cont, record, sizeof(cont));
    size_t bytes = cont.words * sizeof(cont.word[0]);
    if (cont.words > ORK_CONT_WORDS || bytes > o->partial.count * (size_t)4 - o->have) {
        o->is_partial = false;
        return ORK_OK;
    }
    memcpy(o->list + o->have, cont.word, bytes);
    o->have += (uint32_t)bytes;
    ORK_ASSERT(o->have <= o->cap_list);
    if (o->have < o->partial.count * (size_t)4)
        return ORK_OK;
    o->is_partial = false;
    return take_order(r, rank);
}

static enum ork_status begin(struct rank_order *o, const struct ork_record *record)
{
    if (record->count == 0 || record->count > RECORD_MAX / 4 ||
        record->bytes > (uint64_t)record->count * 4 || record->bytes == 0)
        return ORK_OK;
    if (!ork_vec_reserve(&o->list, &o->cap_list, record->count * 4, 1))
        return ORK_NOMEM;
    o->partial = *record;
    o->have = 0;
    o->is_partial = true;
    return ORK_OK;
}

enum ork_status ork_recording_feed(struct ork_recording *r, uint32_t rank,
                                   const struct ork_record *record, size_t n)
{
    enum ork_status status = ORK_OK;

    if (rank >= r->nprocs)
        return ORK_INVALID;
    struct rank_order *o = &r->rank[rank];
    for (size_t i = 0; i < n && status == ORK_OK && o->fault == NULL; i++) {
        if (record[i].kind == ORK_KIND_CONT) {
            if (o->is_partial)
                status = take_cont(r, rank, &record[i]);
            continue;
        }
        o->is_partial = false;
        if (record[i].kind == ORK_KIND_ORDER)
            status = begin(o, &record[i]);
        else if (record[i].kind == ORK_KIND_DIVERGED && o->left == 0)
            o->left = record[i].extra;
    }
    return status;
}

/* ---- summary ---- */

/* The ranks with several threads. */
static enum ork_status add_threads(const struct ork_recording *r, struct ork_report *report)
{
    uint32_t *rank = malloc((r->nprocs + (size_t)1) * sizeof(*rank));
    uint32_t count = 0;

    for (uint32_t i = 0; i < r->nprocs && rank != NULL; i++) {
        if (r->rank[i].has_threads && r->rank[i].hash.choices > 0)
            rank[count++] = i;
    }
    char *ranks = rank != NULL && count > 0 ? ork_phrase_ranks(rank, count) : NULL;
    bool failed = rank == NULL || (count > 0 && ranks == NULL);
    free(rank);
    if (failed || count == 0)
        return failed ? ORK_NOMEM : ORK_OK;
    enum ork_status status = ork_report_take_note(
        report, ork_text("several threads of %s called MPI: the order of the run names threads by "
                         "their first MPI call, which can differ in a replay",
                         ranks));
    free(ranks);
    return status;
}

static enum ork_status add_faults(const struct ork_recording *r, struct ork_report *report)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < r->nprocs && status == ORK_OK; i++) {
        if (r->rank[i].fault != NULL)
            status = ork_report_take_note(
                report, ork_text("the order of rank %u is incomplete: %s", i, r->rank[i].fault));
    }
    if (status == ORK_OK && r->error != 0)
        status = ork_report_take_note(
            report, ork_text("the order of the run could not be written to %s: %s", r->path,
                             strerror(r->error)));
    return status;
}

enum ork_status ork_recording_summary(const struct ork_recording *r, bool is_wanted,
                                      struct ork_report *report)
{
    enum ork_status status = add_faults(r, report);

    if (status != ORK_OK || !r->has_choices)
        return status;
    report->choices = calloc(r->nprocs, sizeof(*report->choices));
    if (report->choices == NULL)
        return ORK_NOMEM;
    report->num_choices = r->nprocs;
    for (uint32_t i = 0; i < r->nprocs; i++)
        report->choices[i] = (struct ork_rank_choices){
            .count = r->rank[i].hash.choices, .hash = ork_order_hash_value(&r->rank[i].hash)};
    return is_wanted ? add_threads(r, report) : ORK_OK;
}

enum ork_status ork_recording_compare(const struct ork_recording *r,
                                      const struct ork_order_file *file, struct ork_report *report)
{
    struct ork_replayed *rank = calloc(r->nprocs + (size_t)1, sizeof(*rank));

    if (rank == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < r->nprocs; i++)
        rank[i] = (struct ork_replayed){.made = r->rank[i].hash.choices, .left = r->rank[i].left};
    enum ork_status status = ork_replayed_summary(file, rank, r->nprocs, report);
    free(rank);
    return status;
}
