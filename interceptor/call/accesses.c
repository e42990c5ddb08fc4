/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/call/accesses.h"

#include "common/session.h"
#include "interceptor/objects/types.h"
#include "interceptor/objects/windows.h"
#include "bytes/ranges/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_portable; /* --must:memory-model separate */
static bool has_stamps;  /* --must:timestamps */

static bool is_set(const char *name, const char *value)
{
    const char *wanted = getenv(name);

    return wanted != NULL && strcmp(wanted, value) == 0;
}

void ork_accesses_init(void)
{
    ork_accesses_are_off = is_set(ORK_ENV_RMA, "off");
    is_portable = is_set(ORK_ENV_MODEL, "separate");
    has_stamps = is_set(ORK_ENV_STAMPS, "1");
}

/* ---- bytes ---- */

/* From the first to the last byte of some elements. */
struct extent {
    int64_t offset;        /* of the first one from the address of the buffer */
    uint64_t size;         /* 0: none, or unknown */
    bool has_gaps;         /* there may be bytes between them that do not belong to them; */
    struct ork_span span;  /* if `type`: they are those of this span */
    struct ork_type *type; /* a reference; NULL: none */
};

static struct extent extent_of_unknown(int count, MPI_Datatype type)
{
    MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    int64_t all, low;

    if (ORK_NEXT(MPI_Type_get_extent)(type, &lower, &extent) != MPI_SUCCESS ||
        ORK_NEXT(MPI_Type_get_true_extent)(type, &true_lower, &true_extent) != MPI_SUCCESS ||
        true_extent <= 0 || __builtin_mul_overflow((int64_t)extent, count - 1, &all))
        return (struct extent){0};
    low = all < 0 ? true_lower + all : true_lower;
    return (struct extent){.offset = low,
                           .size = (uint64_t)true_extent + (uint64_t)(all < 0 ? -all : all),
                           .has_gaps = true};
}

static struct extent extent_of_derived(int count, MPI_Datatype type)
{
    struct extent e = {.type = ork_type_with_layout(type)};

    if (e.type == NULL)
        return extent_of_unknown(count, type);
    if (!ork_span_of_layout(&e.span, &e.type->layout, 0, count, ork_type_extent(e.type))) {
        ork_type_release(e.type);
        return extent_of_unknown(count, type);
    }
    e.offset = e.span.low;
    e.size = (uint64_t)(e.span.high - e.span.low);
    e.has_gaps = e.span.set != NULL;
    return e;
}

static inline struct extent extent_of(int count, MPI_Datatype type)
{
    uint64_t size = ork_dense_size(type);

    if (count <= 0 || type == MPI_DATATYPE_NULL)
        return (struct extent){0};
    return ORK_LIKELY(size > 0) ? (struct extent){.size = (uint64_t)count * size}
                                : extent_of_derived(count, type);
}

/* ---- the basic type of an accumulate ---- */

uint32_t ork_access_type(MPI_Datatype type)
{
    uint32_t id = ork_type_element(type);
    enum ork_basic_kind kind = ork_basic_kind(ork_basic_of_id(id));

    if (id == ORK_TYPE_UNKNOWN)
        return 0;
    bool rounds = kind == ORK_BASIC_IS_REAL || kind == ORK_BASIC_IS_COMPLEX;
    return (uint32_t)(kind == ORK_BASIC_IS_UNSIGNED ? ORK_BASIC_IS_SIGNED : kind) << 16 | id |
           (rounds ? ORK_ACCESS_ROUNDS : 0);
}

/* ---- records ---- */

/* Say where the gaps are. Returns the number of words. */
static uint32_t put_patterns(const struct extent *const side[ORK_SIDES], uint64_t *gaps,
                             uint32_t word[ORK_PATTERN_WORDS])
{
    uint32_t words = 0;

    for (unsigned i = 0; i < ORK_SIDES; i++) {
        uint32_t more = 0;
        if (!side[i]->has_gaps || side[i]->size == 0)
            continue;
        if (side[i]->type != NULL)
            more = ork_span_to_words(&side[i]->span, word + words, ORK_PATTERN_WORDS - words);
        *gaps |= (uint64_t)(more > 0 ? ORK_HAS_PATTERN : ORK_HAS_UNKNOWN_GAPS) << i;
        words += more;
    }
    return words;
}

static void put_long_list(struct ork_record *record, struct ork_access_list *access,
                          const struct extent *const side[ORK_SIDES])
{
    uint32_t word[ORK_ACCESS_WORDS], pattern[ORK_PATTERN_WORDS];
    uint32_t words = put_patterns(side, &access->gaps, pattern);
    struct ork_list list;

    memcpy(word, access, sizeof(word));
    record->count = ORK_ACCESS_WORDS + words;
    ork_list_begin(&list, record);
    for (unsigned i = 0; i < ORK_ACCESS_WORDS; i++)
        ork_list_add(&list, word[i]);
    for (unsigned i = 0; i < words; i++)
        ork_list_add(&list, pattern[i]);
    ork_list_end(&list);
    ork_publish();
}

/* RATIONALE: nearly every access has no gaps, and its list is compared in a loop that repeats. */
static inline void put_list(struct ork_record *record, struct ork_access_list *access,
                            const struct extent *const side[ORK_SIDES])
{
    if (ORK_UNLIKELY(side[ORK_SIDE_TARGET]->has_gaps || side[ORK_SIDE_ORIGIN]->has_gaps ||
                     side[ORK_SIDE_RESULT]->has_gaps)) {
        put_long_list(record, access, side);
        return;
    }
    const uint64_t number[] = {
        (uint64_t)access->offset, access->target_size, access->origin, access->origin_size,
        access->result,           access->result_size, access->gaps};
    _Static_assert(sizeof(number) == sizeof(*access), "all of it");
    record->count = ORK_ACCESS_WORDS;
    ork_put(record);
    ork_list_put(number, sizeof(number) / sizeof(number[0]));
    ork_publish();
}

static void release(const struct extent *e)
{
    if (ORK_UNLIKELY(e->type != NULL))
        ork_type_release(e->type);
}

static uint64_t place_of(const void *buffer, const struct extent *e)
{
    return (uint64_t)((int64_t)(uintptr_t)buffer + e->offset);
}

struct ork_repeated_access ork_repeated_access[ORK_REPEAT_BLOCK_MAX];

/* The record was put when the repetition, which still goes on, was at this position. */
static void learn(const struct ork_call *call, const struct ork_args *a, uint32_t at,
                  uint32_t words)
{
    const struct ork_recorder *r = &ork_recorder;

    ork_repeated_access[at] = (struct ork_repeated_access){
        .first = r->first,
        .version = atomic_load_explicit(&ork_handles_version, memory_order_relaxed),
        .site = call->site,
        .origin = a->origin,
        .result = a->result,
        .target_disp = a->target_disp,
        .win = a->win,
        .datatype = a->datatype,
        .datatype2 = a->datatype2,
        .datatype3 = a->datatype3,
        .op = a->op,
        .count = a->count,
        .count2 = a->count2,
        .count3 = a->count3,
        .target = a->target,
        .call = call->id,
        .next = (uint16_t)r->at,
        .slots = (uint16_t)(1 + ork_record_conts(words))};
}

void ork_access_put(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                    unsigned flags)
{
    int saved = errno;
    const uint64_t first = ork_recorder.first; /* of the repetition; 0: there is none */
    const uint32_t at = ork_recorder.at;
    bool is_one = a->datatype2 == MPI_DATATYPE_NULL; /* MPI_Fetch_and_op, MPI_Compare_and_swap */
    bool has_result = mode == ORK_ACCESS_FETCH || mode == ORK_ACCESS_SWAP;
    MPI_Datatype there = is_one ? a->datatype : a->datatype2;
    struct extent target = extent_of(is_one ? 1 : a->count2, there);
    struct extent origin = extent_of(is_one ? 1 : a->count, a->datatype);
    struct extent result = {0};
    const struct ork_window *w = ork_window_of(a->win);
    struct ork_record r = ORK_RECORD(
        call, ACCESS, .flags = (uint8_t)flags, .mode = (uint16_t)mode,
        .comm = w != NULL ? w->id : ORK_COMM_UNKNOWN, .request = ORK_REQUEST_NULL,
        .peer = ork_peer(a->target),
        .arg = mode == ORK_ACCESS_PUT || mode == ORK_ACCESS_GET ? 0 : ork_op_number(a->op),
        .arg2 = mode == ORK_ACCESS_PUT || mode == ORK_ACCESS_GET ? 0 : ork_access_type(there),
        .bytes = target.size, .extra = (uint64_t)(int64_t)a->target_disp);

    if (has_result && !is_one)
        result = extent_of(a->count3, a->datatype3);
    else if (has_result)
        result = (struct extent){
            .offset = origin.offset, .size = origin.size, .has_gaps = origin.has_gaps};
    if (has_result && r.arg == ork_op_number(MPI_NO_OP))
        origin.size = 0; /* it is not read */
    if ((flags & ORK_F_NONBLOCKING) != 0)
        r.request = ork_request_add(*a->request, ORK_R_RMA);
    put_list(&r,
             &(struct ork_access_list){.offset = target.offset,
                                       .target_size = target.size,
                                       .origin = place_of(a->origin, &origin),
                                       .origin_size = origin.size,
                                       .result = place_of(a->result, &result),
                                       .result_size = result.size},
             (const struct extent *const[ORK_SIDES]){&target, &origin, &result});
    if ((flags & ORK_F_NONBLOCKING) != 0)
        ork_decisions_published();
    if (first != 0 && first == ork_recorder.first)
        learn(call, a, at, r.count);
    release(&target);
    release(&origin);
    release(&result);
    errno = saved;
}

/* ---- the memory of a window ---- */

/* RATIONALE: in some libraries it is an error if there is no room for a value. */
static bool is_unordered(MPI_Win win)
{
    MPI_Info info = MPI_INFO_NULL;
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;

    if (ORK_NEXT(MPI_Win_get_info)(win, &info) != MPI_SUCCESS || info == MPI_INFO_NULL)
        return false;
    ORK_NEXT(MPI_Info_get)(info, "accumulate_ordering", MPI_MAX_INFO_VAL, value, &found);
    ORK_NEXT(MPI_Info_free)(&info);
    return found && strcmp(value, "none") == 0;
}

/* RATIONALE: in the unified memory model it orders nothing, and a rank may call it in a loop until
 * a value shows. So it is an event of time stamps only. */
void ork_access_put_sync(const struct ork_call *call, MPI_Win win)
{
    const struct ork_window *w = ork_window_of(win);

    if (ork_accesses_are_off || w == NULL ||
        !(has_stamps || is_portable || w->model == MPI_WIN_SEPARATE))
        return;
    ork_send_record(&ORK_RECORD(call, WIN_FLUSH, .mode = ORK_FLUSH_SYNC, .comm = w->id,
                                .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER));
}

static uint32_t info_of(MPI_Win win, const struct ork_window *w)
{
    return (is_unordered(win) ? ORK_WINDOW_UNORDERED : 0u) | (unsigned)ORK_WINDOW_REGIONS |
           (w->is_watched ? ORK_WINDOW_TOUCHED : 0u) |
           (w->model == MPI_WIN_SEPARATE ? ORK_WINDOW_SEPARATE : 0u) |
           (is_portable ? ORK_WINDOW_PORTABLE : 0u);
}

void ork_access_put_memory(const struct ork_call *call, MPI_Win win, unsigned mode)
{
    int saved = errno;
    const struct ork_window *w = ork_window_find(win);

    if (w == NULL)
        return;
    struct ork_record r =
        ORK_RECORD(call, WIN_MEMORY, .mode = (uint16_t)mode, .comm = w->id,
                   .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER, .arg2 = info_of(win, w));

    if (mode != ORK_COLL_WIN_CREATE_DYNAMIC) {
        r.extra = (uint64_t)(uintptr_t)w->base;
        r.bytes = w->bytes;
        r.arg = (uint32_t)w->disp_unit;
    }
    ork_send_record(&r);
    errno = saved;
}
