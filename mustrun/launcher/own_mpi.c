/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/launcher/own_mpi.h"

#include <fcntl.h>
#include <gelf.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static bool defines_init(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = header->sh_entsize != 0 ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym symbol;

    for (size_t i = 0; data != NULL && i < count; i++) {
        if (gelf_getsym(data, (int)i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name != NULL && strcmp(name, "MPI_Init") == 0)
            return true;
    }
    return false;
}

static bool look(Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(elf, section)) != NULL) {
        if (gelf_getshdr(section, &header) != NULL &&
            (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
            defines_init(elf, section, &header))
            return true;
    }
    return false;
}

bool ork_has_own_mpi(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return false;
    Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    bool found = elf != NULL && look(elf);
    elf_end(elf);
    close(fd);
    return found;
}
