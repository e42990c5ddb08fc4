/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/unwind.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

enum { REGISTER_SP = 7, REGISTER_RA = 16, STATES = 8 };
/* Registers are saved at multiples of -8, as a signed LEB128; the return address is at the first.
 */
enum { DATA_ALIGN = 0x78, SAVED_RA = 1 };

/* Encodings of pointers in unwind tables (DW_EH_PE_*): GNU ld and lld write only these. */
enum { FORM_SDATA4_PCREL = 0x1b, FORM_UDATA4 = 0x03, FORM_SDATA4_DATAREL = 0x3b };

enum {
    CFA_advance_loc = 0x40, /* these three: in the upper two bits */
    CFA_offset = 0x80,
    CFA_restore = 0xc0,
    CFA_nop = 0x00,
    CFA_advance_loc1 = 0x02,
    CFA_advance_loc2 = 0x03,
    CFA_advance_loc4 = 0x04,
    CFA_offset_extended = 0x05,
    CFA_restore_extended = 0x06,
    CFA_undefined = 0x07,
    CFA_same_value = 0x08,
    CFA_register = 0x09,
    CFA_remember_state = 0x0a,
    CFA_restore_state = 0x0b,
    CFA_def_cfa = 0x0c,
    CFA_def_cfa_register = 0x0d,
    CFA_def_cfa_offset = 0x0e,
    CFA_expression = 0x10,
    CFA_GNU_args_size = 0x2e,
};

struct bytes {
    const uint8_t *at, *end;
    bool bad; /* out of bounds, or unsupported */
};

/* How to compute the canonical frame address. */
struct rule {
    uint64_t base; /* a register */
    uint64_t offset;
};

struct row {
    struct rule rule;
    struct rule kept[STATES];
    unsigned num_kept;
    uint64_t location; /* of the following instructions */
};

struct common {
    struct bytes program;
    uint64_t code_align;
};

/* ---- reading ---- */

static uint64_t get(struct bytes *b, size_t size)
{
    uint64_t value = 0;

    if ((size_t)(b->end - b->at) < size) {
        b->bad = true;
        b->at = b->end;
        return 0;
    }
    memcpy(&value, b->at, size);
    b->at += size;
    return value;
}

static uint64_t get_uleb(struct bytes *b)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = (uint8_t)get(b, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while ((byte & 0x80) != 0);
    return value;
}

static void skip(struct bytes *b, uint64_t size)
{
    if ((uint64_t)(b->end - b->at) < size) {
        b->bad = true;
        size = (uint64_t)(b->end - b->at);
    }
    b->at += size;
}

/* An address relative to its own position. */
static uint64_t get_relative(struct bytes *b)
{
    uint64_t from = (uint64_t)(uintptr_t)b->at;

    return from + (uint64_t)(int64_t)(int32_t)get(b, 4);
}

/* A length, and as many bytes. */
static struct bytes get_entry(const uint8_t *at)
{
    struct bytes b = {.at = at, .end = at + 4};
    uint64_t length = get(&b, 4);

    b.bad = length == 0 || length == UINT32_MAX; /* the end of the table; a 64-bit entry */
    b.end = b.at + (b.bad ? 0 : length);
    return b;
}

/* ---- the file that contains an address ---- */

struct search {
    uintptr_t address;
    const uint8_t *header; /* of its table of functions; NULL: none */
};

static int look_at_file(struct dl_phdr_info *info, size_t size, void *context)
{
    struct search *search = context;
    const uint8_t *header = NULL;
    bool here = false;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && search->address - start < p->p_memsz)
            here = true;
        if (p->p_type == PT_GNU_EH_FRAME)
            header = (const uint8_t *)start; // NOLINT(performance-no-int-to-ptr)
    }
    if (here)
        search->header = header;
    return here;
}

/* Entry of the last function that begins at or before the address. The table is sorted; the entry
 * need not contain that address. */
static const uint8_t *find_function(const uint8_t *header, uintptr_t address)
{
    struct bytes b = {.at = header, .end = header + 12};
    int64_t want = (int64_t)(address - (uintptr_t)header);

    if (get(&b, 1) != 1 || get(&b, 1) != FORM_SDATA4_PCREL || get(&b, 1) != FORM_UDATA4 ||
        get(&b, 1) != FORM_SDATA4_DATAREL)
        return NULL;
    skip(&b, 4);
    size_t low = 0;
    size_t high = get(&b, 4);
    if (high == 0)
        return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        int32_t start;
        memcpy(&start, header + 12 + 8 * middle, sizeof(start));
        if (start <= want)
            low = middle;
        else
            high = middle;
    }
    int32_t entry;
    memcpy(&entry, header + 12 + 8 * low + 4, sizeof(entry));
    return header + entry;
}

/* ---- the table's entries ---- */

static bool read_common(const uint8_t *at, struct common *common)
{
    struct bytes b = get_entry(at);

    if (b.bad || get(&b, 4) != 0)
        return false;
    uint64_t version = get(&b, 1);
    const char *augmentation = (const char *)b.at;
    size_t length = strnlen(augmentation, (size_t)(b.end - b.at));
    skip(&b, length + 1);
    common->code_align = get_uleb(&b);
    uint64_t data_align = get_uleb(&b);
    uint64_t return_address = version == 1 ? get(&b, 1) : get_uleb(&b);
    if (b.bad || data_align != DATA_ALIGN || (version != 1 && version != 3) ||
        return_address != REGISTER_RA || strncmp(augmentation, "zR", length) != 0 || length != 2)
        return false;
    uint64_t more = get_uleb(&b);
    uint64_t form = get(&b, 1);
    if (more != 1 || form != FORM_SDATA4_PCREL)
        return false;
    common->program = b;
    return !b.bad;
}

/* Any rule for the return address moves it: it is not where a call has put it. */
static void read_register(struct bytes *b)
{
    b->bad |= get_uleb(b) == REGISTER_RA;
}

static void keep(struct row *row, struct bytes *b)
{
    if (row->num_kept == STATES)
        b->bad = true;
    else
        row->kept[row->num_kept++] = row->rule;
}

static void restore(struct row *row, struct bytes *b)
{
    if (row->num_kept == 0)
        b->bad = true;
    else
        row->rule = row->kept[--row->num_kept];
}

static void step_other(struct row *row, struct bytes *b, uint8_t what, uint64_t code_align)
{
    switch (what) {
    case CFA_nop:
        return;
    case CFA_advance_loc1:
        row->location += get(b, 1) * code_align;
        return;
    case CFA_advance_loc2:
        row->location += get(b, 2) * code_align;
        return;
    case CFA_advance_loc4:
        row->location += get(b, 4) * code_align;
        return;
    case CFA_def_cfa:
        row->rule.base = get_uleb(b);
        row->rule.offset = get_uleb(b);
        return;
    case CFA_def_cfa_register:
        row->rule.base = get_uleb(b);
        return;
    case CFA_def_cfa_offset:
        row->rule.offset = get_uleb(b);
        return;
    case CFA_remember_state:
        keep(row, b);
        return;
    case CFA_restore_state:
        restore(row, b);
        return;
    case CFA_offset_extended:
    case CFA_register:
        read_register(b);
        get_uleb(b);
        return;
    case CFA_restore_extended:
    case CFA_undefined:
    case CFA_same_value:
        read_register(b);
        return;
    case CFA_expression:
        read_register(b);
        skip(b, get_uleb(b));
        return;
    case CFA_GNU_args_size:
        get_uleb(b);
        return;
    default: /* an expression for the frame address, among others */
        b->bad = true;
    }
}

/* Run a program up to the row of the address. */
static bool run(struct row *row, struct bytes b, uint64_t code_align, uint64_t address)
{
    while (!b.bad && b.at < b.end) {
        uint8_t what = (uint8_t)get(&b, 1);
        uint8_t low = what & 0x3f;
        switch (what & 0xc0) {
        case CFA_advance_loc:
            row->location += low * code_align;
            break;
        case CFA_offset:
            b.bad |= get_uleb(&b) != SAVED_RA && low == REGISTER_RA;
            break;
        case CFA_restore:
            break;
        default:
            step_other(row, &b, what, code_align);
        }
        if (row->location > address)
            return !b.bad;
    }
    return !b.bad;
}

uint32_t ork_frame_size(uintptr_t address)
{
    const uintptr_t call = address - 1; /* it may be the last instruction of its function */
    struct search search = {.address = call};
    struct row row = {.num_kept = 0};
    struct common common;

    if (dl_iterate_phdr(look_at_file, &search) == 0 || search.header == NULL)
        return 0;
    const uint8_t *at = find_function(search.header, call);
    if (at == NULL)
        return 0;
    struct bytes b = get_entry(at);
    const uint8_t *here = b.at;
    uint64_t back = get(&b, 4);
    if (b.bad || back == 0 || !read_common(here - back, &common))
        return 0;
    uint64_t start = get_relative(&b);
    uint64_t size = get(&b, 4);
    if (b.bad || call - start >= size)
        return 0;
    skip(&b, get_uleb(&b)); /* augmentation */
    if (!run(&row, common.program, common.code_align, UINT64_MAX))
        return 0;
    row.location = start;
    /* Initial rules that an instruction restores are for registers that are not needed here. */
    if (!run(&row, b, common.code_align, call) || row.rule.base != REGISTER_SP ||
        row.rule.offset < 8 || row.rule.offset > UINT32_MAX)
        return 0;
    return (uint32_t)row.rule.offset;
}

uintptr_t ork_unwind_pc(const void *context)
{
    const ucontext_t *at = context;

    return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
}
