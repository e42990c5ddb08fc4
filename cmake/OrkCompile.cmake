# SPDX-License-Identifier: BSD-3-Clause
# Language level, warnings and sanitizers for our own targets: link ork_compile.

option(ORKNOT_WERROR "Warnings are errors" OFF)
option(ORKNOT_ASSERT "Keep assertions in optimised builds" OFF)
set(ORKNOT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Compile nothing twice, where ccache is installed. It does not know Fortran.
find_program(ORKNOT_CCACHE ccache)
mark_as_advanced(ORKNOT_CCACHE)
foreach(language C CXX)
    if(ORKNOT_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
        set(CMAKE_${language}_COMPILER_LAUNCHER ${ORKNOT_CCACHE})
    endif()
endforeach()

add_library(ork_compile INTERFACE)
target_compile_features(ork_compile INTERFACE c_std_11)
target_compile_definitions(ork_compile INTERFACE _GNU_SOURCE ORKNOT_VERSION="${PROJECT_VERSION}")
target_include_directories(ork_compile INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_options(ork_compile INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wundef -Wstrict-prototypes -Wmissing-prototypes
    -Wformat=2 -Wcast-qual -Wswitch-enum -Wimplicit-fallthrough
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(ORKNOT_WERROR)
    target_compile_options(ork_compile INTERFACE -Werror)
endif()
if(ORKNOT_ASSERT)
    string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")
endif()

# RATIONALE: GCC zeroes objects of a few cache lines by "rep stos", which takes longer than all that is then done with a record.
include(CheckCCompilerFlag)
set(ORKNOT_ZEROING -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign)
check_c_compiler_flag(${ORKNOT_ZEROING} ORKNOT_HAS_ZEROING)
if(ORKNOT_HAS_ZEROING)
    target_compile_options(ork_compile INTERFACE ${ORKNOT_ZEROING})
endif()

# The processor, for files that depend on it: x_${ORK_PROCESSOR}.c.
set(ORK_PROCESSOR other)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    set(ORK_PROCESSOR x86_64)
endif()

# Optimise a library across its files, and with whom it is linked.
include(CheckIPOSupported)
check_ipo_supported(RESULT ORKNOT_HAS_IPO OUTPUT ORKNOT_IPO_OUTPUT LANGUAGES C)
function(ork_optimize_together)
    if(ORKNOT_HAS_IPO)
        set_target_properties(${ARGV} PROPERTIES INTERPROCEDURAL_OPTIMIZATION_RELEASE ON)
    endif()
endfunction()

# RATIONALE: the interceptor is preloaded into programs that know nothing of a sanitizer's runtime, so it never gets one.
add_library(ork_sanitize INTERFACE)
if(ORKNOT_SANITIZE)
    # RATIONALE: with -Og, sanitized code takes two thirds of the time that it takes with -O0, and no longer to compile. A sanitizer's
    # message needs lines only.
    target_compile_options(ork_sanitize INTERFACE -Og -g1 -fsanitize=${ORKNOT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(ork_sanitize INTERFACE -fsanitize=${ORKNOT_SANITIZE})
endif()
