/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/object_code.h"

#include "common/lower_bound.h"
#include "common/vec.h"
#include "overlay/stacktrace/stack_internal.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTIONS_MAX = 128 };

struct section {
    uint64_t address, size;
    const uint8_t *byte;
    bool is_code;
};

struct ork_object {
    int fd;
    Elf *elf;
    struct section section[SECTIONS_MAX]; /* that are loaded, and have bytes */
    uint32_t sections;
    struct ork_function *function; /* by address */
    uint32_t functions, room;
    Elf_Scn *exported; /* .dynsym; NULL: there is none */
    bool is_fixed;     /* addresses may be immediate operands */
};

/* ---- reading ---- */

static bool add_functions(struct ork_object *o, Elf_Scn *scn, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(scn, NULL);
    GElf_Sym symbol;

    for (int i = 0; data != NULL && header->sh_entsize > 0 && gelf_getsym(data, i, &symbol) != NULL;
         i++) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 ||
            symbol.st_shndx == SHN_UNDEF)
            continue;
        for (uint32_t k = 0; k < o->sections; k++) {
            const struct section *s = &o->section[k];
            if (!s->is_code || symbol.st_value < s->address ||
                symbol.st_size > s->size - (symbol.st_value - s->address) ||
                symbol.st_value - s->address >= s->size)
                continue;
            if (!ork_vec_reserve(&o->function, &o->room, o->functions + 1, sizeof(*o->function)))
                return false;
            o->function[o->functions++] =
                (struct ork_function){.code = {.byte = s->byte + (symbol.st_value - s->address),
                                               .size = symbol.st_size,
                                               .address = symbol.st_value},
                                      .name = elf_strptr(o->elf, header->sh_link, symbol.st_name)};
        }
    }
    return true;
}

static void add_section(struct ork_object *o, Elf_Scn *scn, const GElf_Shdr *header)
{
    Elf_Data *data = elf_rawdata(scn, NULL);

    if ((header->sh_flags & SHF_ALLOC) == 0 || header->sh_type == SHT_NOBITS || data == NULL ||
        data->d_buf == NULL || o->sections == SECTIONS_MAX)
        return;
    o->section[o->sections++] =
        (struct section){.address = header->sh_addr,
                         .size = data->d_size,
                         .byte = data->d_buf,
                         .is_code = (header->sh_flags & SHF_EXECINSTR) != 0};
}

static int compare(const void *a, const void *b)
{
    uint64_t x = ((const struct ork_function *)a)->code.address;
    uint64_t y = ((const struct ork_function *)b)->code.address;

    return (x > y) - (x < y);
}

static bool read_object(struct ork_object *o)
{
    Elf_Scn *scn = NULL, *symbols = NULL;
    GElf_Shdr header, table = {0};
    GElf_Ehdr file;

    if (elf_kind(o->elf) != ELF_K_ELF || gelf_getehdr(o->elf, &file) == NULL ||
        file.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    o->is_fixed = file.e_type == ET_EXEC;
    while ((scn = elf_nextscn(o->elf, scn)) != NULL) {
        if (gelf_getshdr(scn, &header) == NULL)
            return false;
        add_section(o, scn, &header);
        if (header.sh_type == SHT_DYNSYM)
            o->exported = scn;
        if (header.sh_type == SHT_SYMTAB) {
            symbols = scn;
            table = header;
        }
    }
    if (symbols == NULL || o->sections == SECTIONS_MAX || !add_functions(o, symbols, &table))
        return false;
    if (o->functions > 0)
        qsort(o->function, o->functions, sizeof(*o->function), compare);
    return true;
}

struct ork_object *ork_object_open(const char *path)
{
    struct ork_object *o = calloc(1, sizeof(*o));

    if (o == NULL)
        return NULL;
    o->fd = ork_stack_open(0, path);
    elf_version(EV_CURRENT);
    o->elf = o->fd < 0 ? NULL : elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
    if (o->elf != NULL && read_object(o))
        return o;
    ork_object_close(o);
    return NULL;
}

void ork_object_close(struct ork_object *o)
{
    if (o == NULL)
        return;
    elf_end(o->elf);
    if (o->fd >= 0)
        close(o->fd);
    free(o->function);
    free(o);
}

bool ork_object_function(const struct ork_object *o, uint64_t address,
                         struct ork_function *function)
{
    ORK_LOWER_BOUND(after, o->functions, i, o->function[i].code.address <= address);

    if (after == 0 ||
        address - o->function[after - 1].code.address >= o->function[after - 1].code.size)
        return false;
    *function = o->function[after - 1];
    return true;
}

/* ---- calls ---- */

static uint64_t word_at(const uint8_t *byte, unsigned size)
{
    uint64_t word = 0;

    memcpy(&word, byte, size);
    return word;
}

static bool is_exported(const struct ork_object *o, uint64_t address)
{
    Elf_Data *data = o->exported != NULL ? elf_getdata(o->exported, NULL) : NULL;
    GElf_Sym symbol;

    for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL; i++) {
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_value == address)
            return true;
    }
    return false;
}

/* Is the address in the data of the file, as an entry of a table or an addend of a relocation? */
static bool is_in_data(const struct section *s, uint64_t address)
{
    for (uint64_t i = 0; i + 8 <= s->size; i += 4) {
        if (word_at(s->byte + i, 8) == address)
            return true;
    }
    return false;
}

/* Does a 4-byte operand at this place, before which there is some code, lead there? */
static bool leads_to(const struct section *s, uint64_t at, uint64_t address)
{
    int32_t relative = (int32_t)word_at(s->byte + at, 4);

    return s->address + at + 4 + (uint64_t)(int64_t)relative == address;
}

enum reference { NO_REFERENCE, REFERENCE_IS_CALL, REFERENCE_IS_OTHER };

/* What is before the operand: call, jmp, or jcc; others take the address. RATIONALE: bytes that
 * only look like a reference make the answer more careful. */
static enum reference reference_before(const struct section *s, uint64_t at, uint64_t *length)
{
    uint8_t last = s->byte[at - 1];

    *length = 1;
    if (last == 0xe8 || last == 0xe9)
        return REFERENCE_IS_CALL;
    if (at >= 2 && s->byte[at - 2] == 0x0f && (last & 0xf0) == 0x80) {
        *length = 2;
        return REFERENCE_IS_CALL;
    }
    return (last & 0xc7) == 0x05 ? REFERENCE_IS_OTHER : NO_REFERENCE;
}

/* False: its address is taken, or there are too many. */
static bool find_in_code(const struct ork_object *o, const struct section *s, uint64_t address,
                         uint64_t *call, uint32_t room, uint32_t *calls)
{
    for (uint64_t at = 1; at + 4 <= s->size; at++) {
        uint64_t length;
        if (o->is_fixed && word_at(s->byte + at, 4) == address)
            return false;
        if (!leads_to(s, at, address))
            continue;
        enum reference reference = reference_before(s, at, &length);
        if (reference == REFERENCE_IS_OTHER || (reference == REFERENCE_IS_CALL && *calls == room))
            return false;
        if (reference == REFERENCE_IS_CALL)
            call[(*calls)++] = s->address + at - length;
    }
    return true;
}

/* A jump of one byte: from a function beside it. */
static bool is_short_jump(const struct section *s, uint64_t at, uint64_t address)
{
    bool jumps = s->byte[at] == 0xeb || (s->byte[at] & 0xf0) == 0x70 ||
                 (s->byte[at] >= 0xe0 && s->byte[at] <= 0xe3);

    return jumps && s->address + at + 2 + (uint64_t)(int64_t)(int8_t)s->byte[at + 1] == address;
}

static bool has_short_jump(const struct section *s, const struct ork_function *function)
{
    uint64_t address = function->code.address;

    for (uint64_t at = 0; at + 2 <= s->size; at++) {
        bool is_own = s->address + at - address < function->code.size;
        if (!is_own && is_short_jump(s, at, address))
            return true;
    }
    return false;
}

bool ork_object_calls(const struct ork_object *o, const struct ork_function *function,
                      uint64_t *call, uint32_t room, uint32_t *calls)
{
    uint64_t address = function->code.address;

    *calls = 0;
    if (is_exported(o, address))
        return false;
    for (uint32_t i = 0; i < o->sections; i++) {
        const struct section *s = &o->section[i];
        if (!s->is_code && is_in_data(s, address))
            return false;
        if (s->is_code &&
            (has_short_jump(s, function) || !find_in_code(o, s, address, call, room, calls)))
            return false;
    }
    return true;
}
