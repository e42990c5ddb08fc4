/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of the standard ABI: what MPI-5.0 says of all values of a kind (sections 20.3.2 to
 * 20.3.4). A number that is mistyped breaks one of these rules, or meets another one. */
#include <mpi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Each kind of handle has a range of its own, which begins with its null handle. */
static const void *const handles[] = {MPI_OP_NULL,
                                      MPI_SUM,
                                      MPI_MIN,
                                      MPI_MAX,
                                      MPI_PROD,
                                      MPI_BAND,
                                      MPI_BOR,
                                      MPI_BXOR,
                                      MPI_LAND,
                                      MPI_LOR,
                                      MPI_LXOR,
                                      MPI_MINLOC,
                                      MPI_MAXLOC,
                                      MPI_REPLACE,
                                      MPI_NO_OP,
                                      MPI_COMM_NULL,
                                      MPI_COMM_WORLD,
                                      MPI_COMM_SELF,
                                      MPI_GROUP_NULL,
                                      MPI_GROUP_EMPTY,
                                      MPI_WIN_NULL,
                                      MPI_FILE_NULL,
                                      MPI_MESSAGE_NULL,
                                      MPI_MESSAGE_NO_PROC,
                                      MPI_INFO_NULL,
                                      MPI_INFO_ENV,
                                      MPI_ERRHANDLER_NULL,
                                      MPI_ERRORS_ARE_FATAL,
                                      MPI_ERRORS_ABORT,
                                      MPI_ERRORS_RETURN,
                                      MPI_REQUEST_NULL,
                                      MPI_DATATYPE_NULL,
                                      MPI_AINT,
                                      MPI_COUNT,
                                      MPI_OFFSET,
                                      MPI_PACKED,
                                      MPI_SHORT,
                                      MPI_INT,
                                      MPI_LONG,
                                      MPI_LONG_LONG,
                                      MPI_UNSIGNED_SHORT,
                                      MPI_UNSIGNED,
                                      MPI_UNSIGNED_LONG,
                                      MPI_UNSIGNED_LONG_LONG,
                                      MPI_FLOAT,
                                      MPI_C_FLOAT_COMPLEX,
                                      MPI_CXX_FLOAT_COMPLEX,
                                      MPI_DOUBLE,
                                      MPI_C_DOUBLE_COMPLEX,
                                      MPI_CXX_DOUBLE_COMPLEX,
                                      MPI_LOGICAL,
                                      MPI_INTEGER,
                                      MPI_REAL,
                                      MPI_COMPLEX,
                                      MPI_DOUBLE_PRECISION,
                                      MPI_DOUBLE_COMPLEX,
                                      MPI_CHARACTER,
                                      MPI_LONG_DOUBLE,
                                      MPI_C_LONG_DOUBLE_COMPLEX,
                                      MPI_CXX_LONG_DOUBLE_COMPLEX,
                                      MPI_FLOAT_INT,
                                      MPI_DOUBLE_INT,
                                      MPI_LONG_INT,
                                      MPI_2INT,
                                      MPI_SHORT_INT,
                                      MPI_LONG_DOUBLE_INT,
                                      MPI_2REAL,
                                      MPI_2DOUBLE_PRECISION,
                                      MPI_2INTEGER,
                                      MPI_C_BOOL,
                                      MPI_CXX_BOOL,
                                      MPI_WCHAR,
                                      MPI_INT8_T,
                                      MPI_UINT8_T,
                                      MPI_CHAR,
                                      MPI_SIGNED_CHAR,
                                      MPI_UNSIGNED_CHAR,
                                      MPI_BYTE,
                                      MPI_INT16_T,
                                      MPI_UINT16_T,
                                      MPI_INT32_T,
                                      MPI_UINT32_T,
                                      MPI_INT64_T,
                                      MPI_UINT64_T,
                                      MPI_LOGICAL1,
                                      MPI_INTEGER1,
                                      MPI_LOGICAL2,
                                      MPI_INTEGER2,
                                      MPI_REAL2,
                                      MPI_LOGICAL4,
                                      MPI_INTEGER4,
                                      MPI_REAL4,
                                      MPI_COMPLEX4,
                                      MPI_LOGICAL8,
                                      MPI_INTEGER8,
                                      MPI_REAL8,
                                      MPI_COMPLEX8,
                                      MPI_LOGICAL16,
                                      MPI_INTEGER16,
                                      MPI_REAL16,
                                      MPI_COMPLEX16,
                                      MPI_COMPLEX32};

static void no_handle_comes_twice(void **state)
{
    (void)state;
    for (size_t i = 1; i < COUNT(handles); i++)
        for (size_t j = 0; j < i; j++)
            assert_ptr_not_equal(handles[i], handles[j]);
}

/* Ten bits: those of operations are 0000100000 and up, of datatypes 1000000000 and up. */
static void handles_are_in_the_range_of_their_kind(void **state)
{
    uintptr_t first = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(handles); i++) {
        uintptr_t value = (uintptr_t)handles[i];
        if (handles[i] == MPI_COMM_NULL || handles[i] == MPI_DATATYPE_NULL)
            first = value;
        assert_true(value >= first && value < 1024);
        assert_true(first != 0 || (value >> 5) == 1);
        assert_true(first != (uintptr_t)MPI_COMM_NULL || (value >> 8) == 1);
        assert_true(first != (uintptr_t)MPI_DATATYPE_NULL || (value >> 9) == 1);
    }
}

static void a_datatype_of_fixed_size_says_it(void **state)
{
    static const struct {
        MPI_Datatype type;
        unsigned bytes;
    } fixed[] = {
        {MPI_INT8_T, 1},        {MPI_UINT8_T, 1},    {MPI_CHAR, 1},       {MPI_SIGNED_CHAR, 1},
        {MPI_UNSIGNED_CHAR, 1}, {MPI_BYTE, 1},       {MPI_INT16_T, 2},    {MPI_UINT16_T, 2},
        {MPI_INT32_T, 4},       {MPI_UINT32_T, 4},   {MPI_INT64_T, 8},    {MPI_UINT64_T, 8},
        {MPI_LOGICAL1, 1},      {MPI_INTEGER1, 1},   {MPI_LOGICAL2, 2},   {MPI_INTEGER2, 2},
        {MPI_REAL2, 2},         {MPI_LOGICAL4, 4},   {MPI_INTEGER4, 4},   {MPI_REAL4, 4},
        {MPI_COMPLEX4, 4},      {MPI_LOGICAL8, 8},   {MPI_INTEGER8, 8},   {MPI_REAL8, 8},
        {MPI_COMPLEX8, 8},      {MPI_LOGICAL16, 16}, {MPI_INTEGER16, 16}, {MPI_REAL16, 16},
        {MPI_COMPLEX16, 16},    {MPI_COMPLEX32, 32},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(fixed); i++)
        assert_int_equal(1u << ((uintptr_t)fixed[i].type >> 3 & 7), fixed[i].bytes);
}

static void each_mode_is_a_bit_of_its_own(void **state)
{
    static const int modes[] = {MPI_MODE_APPEND,     MPI_MODE_CREATE,      MPI_MODE_DELETE_ON_CLOSE,
                                MPI_MODE_EXCL,       MPI_MODE_RDONLY,      MPI_MODE_RDWR,
                                MPI_MODE_SEQUENTIAL, MPI_MODE_UNIQUE_OPEN, MPI_MODE_WRONLY,
                                MPI_MODE_NOCHECK,    MPI_MODE_NOPRECEDE,   MPI_MODE_NOPUT,
                                MPI_MODE_NOSTORE,    MPI_MODE_NOSUCCEED};
    int all = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(modes); i++) {
        assert_int_equal(modes[i] & (modes[i] - 1), 0);
        assert_int_equal(all & modes[i], 0);
        all |= modes[i];
    }
    assert_int_equal(all, (1 << 15) - 1 - (1 << 9));
}

static void numbers_are_as_mpi_orders_them(void **state)
{
    (void)state;
    assert_true(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED);
    assert_true(MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED);
    assert_true(MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    assert_int_equal(MPI_ANY_SOURCE + MPI_ANY_TAG + MPI_PROC_NULL + MPI_ROOT, -1 - 2 - 3 - 4);
    assert_int_equal(MPI_ERR_UNSUPPORTED_OPERATION, 55);
}

static void a_status_has_its_public_fields_first(void **state)
{
    (void)state;
    assert_int_equal(offsetof(MPI_Status, MPI_SOURCE), 0);
    assert_int_equal(offsetof(MPI_Status, MPI_TAG), 4);
    assert_int_equal(offsetof(MPI_Status, MPI_ERROR), 8);
}

int test_abi(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_handle_comes_twice),
        cmocka_unit_test(handles_are_in_the_range_of_their_kind),
        cmocka_unit_test(a_datatype_of_fixed_size_says_it),
        cmocka_unit_test(each_mode_is_a_bit_of_its_own),
        cmocka_unit_test(numbers_are_as_mpi_orders_them),
        cmocka_unit_test(a_status_has_its_public_fields_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
