# SPDX-License-Identifier: BSD-3-Clause
# Libraries that a program opens when it first calls one of their functions. RATIONALE: to load one takes some tenths of a millisecond and
# dozens of page faults at the start of each process, and most runs call none of them.

find_program(ORKNOT_OBJDUMP objdump REQUIRED)

# ork_soname(<variable> <file>): the name by which programs find a shared library.
function(ork_soname variable file)
    execute_process(COMMAND ${ORKNOT_OBJDUMP} -p ${file} OUTPUT_VARIABLE headers)
    if(NOT headers MATCHES "SONAME +([^ \n]+)")
        message(FATAL_ERROR "${file} is no shared library.")
    endif()
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# ork_on_demand_stubs(<target> <library> <functions>...): stubs of these functions of a library, which has this name or path.
if(ORK_PROCESSOR STREQUAL x86_64)
    enable_language(ASM)
    function(ork_on_demand_stubs target library)
        set(stubs ${CMAKE_CURRENT_BINARY_DIR}/${target}.S)
        set(script ${PROJECT_SOURCE_DIR}/cmake/on_demand.py)
        add_custom_command(OUTPUT ${stubs}
            COMMAND ${Python3_EXECUTABLE} -B ${script} ${stubs} ${library} ${ARGN}
            DEPENDS ${script} VERBATIM)
        add_library(${target} STATIC ${stubs})
        target_link_libraries(${target} PUBLIC ork_common)
    endfunction()
endif()

# ork_on_demand(<target> <module> <library> <functions>...): link <target> instead of PkgConfig::<module>, whose <library> it is (ork_require).
# A function that is not listed is missing when a program is linked. RATIONALE: on other processors, and
# with a sanitizer, which has to see what the library allocates, the library is loaded at the start.
function(ork_on_demand target module library)
    if(ORK_PROCESSOR STREQUAL x86_64 AND NOT ORKNOT_SANITIZE)
        ork_soname(soname ${pkgcfg_lib_${module}_${library}})
        ork_on_demand_stubs(${target} ${soname} ${ARGN})
        target_include_directories(${target} SYSTEM INTERFACE ${${module}_INCLUDE_DIRS})
    else()
        add_library(${target} INTERFACE)
        target_link_libraries(${target} INTERFACE PkgConfig::${module})
    endif()
endfunction()

# Drawings.
ork_on_demand(ork_gvc GVC gvc
    gvContextPlugins gvFreeContext gvFreeLayout gvFreeRenderData gvLayout gvRenderData)
ork_on_demand(ork_cgraph CGRAPH cgraph
    agclose agmemread agsafeset agseterrf)
# Explorations.
ork_on_demand(ork_sqlite SQLITE sqlite3
    sqlite3_bind_blob64 sqlite3_bind_double sqlite3_bind_int sqlite3_bind_int64 sqlite3_bind_text sqlite3_close
    sqlite3_column_blob sqlite3_column_bytes sqlite3_column_double sqlite3_column_int sqlite3_column_int64
    sqlite3_column_text sqlite3_errcode sqlite3_errmsg sqlite3_exec sqlite3_finalize sqlite3_open_v2 sqlite3_prepare_v2
    sqlite3_step)
# The order of a run, which has choices.
ork_on_demand(ork_zstd ZSTD zstd
    ZSTD_CCtx_setParameter ZSTD_compress2 ZSTD_createCCtx ZSTD_decompress ZSTD_freeCCtx ZSTD_isError)
# Call stacks and places of findings; runs that were not observed.
ork_on_demand(ork_dw DW dw
    dwarf_attr dwarf_attr_integrate dwarf_child dwarf_diecu dwarf_diename dwarf_dieoffset dwarf_filesrc dwarf_formstring
    dwarf_formudata dwarf_getsrc_die dwarf_getsrcfiles dwarf_haspc dwarf_lineno dwarf_linesrc dwarf_ranges
    dwarf_siblingof dwarf_tag dwfl_addrmodule dwfl_begin dwfl_build_id_find_debuginfo dwfl_build_id_find_elf dwfl_end
    dwfl_frame_pc dwfl_getmodules dwfl_getthread_frames dwfl_linux_proc_attach dwfl_linux_proc_find_elf
    dwfl_linux_proc_report dwfl_module_addrdie dwfl_module_addrinfo dwfl_module_eh_cfi dwfl_module_getelf
    dwfl_module_getsym_info dwfl_module_getsymtab dwfl_module_info dwfl_module_nextcu dwfl_offline_section_address
    dwfl_report_begin dwfl_report_end dwfl_report_offline dwfl_standard_find_debuginfo)
ork_on_demand(ork_elf ELF elf
    elf_begin elf_end elf_getdata elf_kind elf_nextscn elf_rawdata elf_strptr elf_version gelf_getehdr gelf_getshdr
    gelf_getsym)
