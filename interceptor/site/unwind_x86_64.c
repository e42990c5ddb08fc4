/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/unwind.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

enum { REGISTER_BP = 6, REGISTER_SP = 7, REGISTER_RA = 16, STATES = 8 };
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
    CFA_def_cfa_expression = 0x0f,
    CFA_expression = 0x10,
    CFA_GNU_args_size = 0x2e,
};

/* Operations of expressions (DW_OP_*). */
enum { OP_deref = 0x06, OP_breg = 0x70 /* and a register */ };

struct bytes {
    const uint8_t *at, *end;
    bool bad; /* out of bounds, or unsupported */
};

/* How to compute the canonical frame address, and where the caller's frame pointer is. */
struct rule {
    uint64_t base;   /* a register */
    uint64_t offset; /* signed in an expression */
    bool is_loaded;  /* the address is the word there: of functions that align their stack */
    enum { BP_KEPT, BP_BELOW_FRAME, BP_AT_BP } bp;
    uint64_t bp_offset; /* words below that address; else signed bytes from the frame pointer */
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

static uint64_t get_sleb(struct bytes *b)
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
    return (byte & 0x40) != 0 && shift < 64 ? value | UINT64_MAX << shift : value;
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

/* Bytes of a pointer in this encoding, or 0. */
static size_t pointer_size(uint64_t form)
{
    static const size_t size[] = {[0] = 8, [2] = 2, [3] = 4, [4] = 8};

    return (form & 7) < sizeof(size) / sizeof(size[0]) ? size[form & 7] : 0;
}

/* How addresses are encoded; C++ also has a function and data for its exceptions. */
static bool read_augmentation(struct bytes *b, const char *letter, size_t letters)
{
    uint64_t form = 0, personality;

    for (size_t i = 1; i < letters; i++) {
        switch (letter[i]) {
        case 'R':
            form = get(b, 1);
            break;
        case 'L':
            get(b, 1);
            break;
        case 'P':
            personality = get(b, 1);
            b->bad |= pointer_size(personality) == 0;
            skip(b, pointer_size(personality));
            break;
        default: /* the frame of a signal, among others */
            return false;
        }
    }
    return form == FORM_SDATA4_PCREL && !b->bad;
}

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
        return_address != REGISTER_RA || augmentation[0] != 'z')
        return false;
    uint64_t more = get_uleb(&b);
    struct bytes data = b;
    skip(&b, more);
    common->program = b;
    return !b.bad && read_augmentation(&data, augmentation, length);
}

/* Any rule for the return address moves it: it is not where a call has put it. */
static uint64_t read_register(struct bytes *b)
{
    uint64_t number = get_uleb(b);

    b->bad |= number == REGISTER_RA;
    return number;
}

static void save(struct rule *rule, uint64_t number, uint64_t words)
{
    if (number != REGISTER_BP)
        return;
    rule->bp = words != 0 ? BP_BELOW_FRAME : BP_KEPT;
    rule->bp_offset = words;
}

/* A register and an offset, and maybe the word there: what GCC writes for a function that aligns
 * its stack. Others are not known. */
static struct bytes read_expression(struct bytes *b, uint64_t *base, uint64_t *offset)
{
    uint64_t size = get_uleb(b);
    struct bytes expression = {.at = b->at, .end = b->at};

    skip(b, size);
    expression.end = b->at;
    *base = get(&expression, 1) - OP_breg;
    *offset = get_sleb(&expression);
    return expression;
}

static void read_frame_expression(struct row *row, struct bytes *b)
{
    struct bytes rest = read_expression(b, &row->rule.base, &row->rule.offset);

    row->rule.is_loaded = true;
    b->bad |= get(&rest, 1) != OP_deref || rest.at != rest.end || rest.bad;
}

static void read_saved_expression(struct row *row, struct bytes *b)
{
    uint64_t number = read_register(b), base, offset;
    struct bytes rest = read_expression(b, &base, &offset);

    if (number != REGISTER_BP)
        return;
    row->rule.bp = BP_AT_BP;
    row->rule.bp_offset = offset;
    b->bad |= base != REGISTER_BP || rest.at != rest.end || rest.bad;
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
        row->rule.is_loaded = false;
        return;
    case CFA_def_cfa_register:
        row->rule.base = get_uleb(b);
        return;
    case CFA_def_cfa_offset:
        row->rule.offset = get_uleb(b);
        return;
    case CFA_def_cfa_expression:
        read_frame_expression(row, b);
        return;
    case CFA_remember_state:
        keep(row, b);
        return;
    case CFA_restore_state:
        restore(row, b);
        return;
    case CFA_offset_extended: {
        uint64_t number = read_register(b);
        save(&row->rule, number, get_uleb(b));
        return;
    }
    case CFA_register:
        b->bad |= read_register(b) == REGISTER_BP;
        get_uleb(b);
        return;
    case CFA_restore_extended:
    case CFA_undefined:
    case CFA_same_value:
        save(&row->rule, read_register(b), 0);
        return;
    case CFA_expression:
        read_saved_expression(row, b);
        return;
    case CFA_GNU_args_size:
        get_uleb(b);
        return;
    default:
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
        case CFA_offset: {
            uint64_t words = get_uleb(&b);
            b.bad |= words != SAVED_RA && low == REGISTER_RA;
            save(&row->rule, low, words);
            break;
        }
        case CFA_restore:
            save(&row->rule, low, 0);
            break;
        default:
            step_other(row, &b, what, code_align);
        }
        if (row->location > address)
            return !b.bad;
    }
    return !b.bad;
}

/* The rule at an instruction. */
static bool find_rule(const uint8_t *header, uintptr_t instruction, struct rule *rule)
{
    struct row row = {.num_kept = 0};
    struct common common;

    const uint8_t *at = header != NULL ? find_function(header, instruction) : NULL;
    if (at == NULL)
        return false;
    struct bytes b = get_entry(at);
    const uint8_t *here = b.at;
    uint64_t back = get(&b, 4);
    if (b.bad || back == 0 || !read_common(here - back, &common))
        return false;
    uint64_t start = get_relative(&b);
    uint64_t size = get(&b, 4);
    if (b.bad || instruction - start >= size)
        return false;
    skip(&b, get_uleb(&b)); /* augmentation */
    if (!run(&row, common.program, common.code_align, UINT64_MAX))
        return false;
    row.location = start;
    /* Initial rules that an instruction restores are for registers that are not needed here. */
    if (!run(&row, b, common.code_align, instruction))
        return false;
    *rule = row.rule;
    return true;
}

uint32_t ork_frame_size(uintptr_t address)
{
    const uintptr_t call = address - 1; /* it may be the last instruction of its function */
    struct search search = {.address = call};
    struct rule rule;

    if (dl_iterate_phdr(look_at_file, &search) == 0 || !find_rule(search.header, call, &rule) ||
        rule.base != REGISTER_SP || rule.is_loaded || rule.offset < 8 || rule.offset > UINT32_MAX)
        return 0;
    return (uint32_t)rule.offset;
}

/* ---- a walk ---- */

#if __GLIBC_PREREQ(2, 35)
/* RATIONALE: takes no lock, unlike dl_iterate_phdr(). */
static const uint8_t *find_header(uintptr_t address)
{
    struct dl_find_object found;
    void *at = (void *)address; // NOLINT(performance-no-int-to-ptr)

    return _dl_find_object(at, &found) == 0 ? found.dlfo_eh_frame : NULL;
}
#else
static const uint8_t *find_header(uintptr_t address)
{
    (void)address;
    return NULL;
}
#endif

static uintptr_t word_at(uintptr_t address)
{
    uintptr_t word;

    memcpy(&word, (const void *)address, sizeof(word)); // NOLINT(performance-no-int-to-ptr)
    return word;
}

bool ork_frame_up(struct ork_frame *f)
{
    struct rule rule;

    if (!find_rule(find_header(f->pc), f->pc - f->is_call, &rule)) {
        if (f->is_call || f->pc != 0)
            return false;
        /* A null pointer was called: the call has put only its return address on the stack. */
        rule = (struct rule){.base = REGISTER_SP, .offset = 8};
    }
    if (rule.base != REGISTER_SP && rule.base != REGISTER_BP)
        return false;
    uintptr_t cfa = (rule.base == REGISTER_SP ? f->sp : f->bp) + rule.offset;
    if (rule.is_loaded)
        cfa = word_at(cfa);
    if (cfa <= f->sp || cfa % sizeof(cfa) != 0)
        return false;
    if (rule.bp == BP_BELOW_FRAME)
        f->bp = word_at(cfa - rule.bp_offset * sizeof(cfa));
    else if (rule.bp == BP_AT_BP)
        f->bp = word_at(f->bp + rule.bp_offset);
    f->pc = ork_return_address(cfa);
    f->sp = cfa;
    f->is_call = true;
    return f->pc != 0;
}

__attribute__((noinline)) bool ork_frame_here(struct ork_frame *f)
{
    const uintptr_t *own = __builtin_frame_address(0);

    *f =
        (struct ork_frame){.bp = own[0], .pc = own[1], .sp = (uintptr_t)(own + 2), .is_call = true};
    return true;
}

bool ork_frame_at(const void *context, struct ork_frame *f)
{
    const ucontext_t *at = context;

    *f = (struct ork_frame){.pc = (uintptr_t)at->uc_mcontext.gregs[REG_RIP],
                            .sp = (uintptr_t)at->uc_mcontext.gregs[REG_RSP],
                            .bp = (uintptr_t)at->uc_mcontext.gregs[REG_RBP]};
    return true;
}
