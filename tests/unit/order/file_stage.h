/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of an order, in a folder of their own. */
#ifndef ORK_TEST_ORDER_FILE_STAGE_H
#define ORK_TEST_ORDER_FILE_STAGE_H

#include "order/file/file_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

extern char path[64], other[64];
extern const struct ork_order_header header;

int set_up(void **state);
int remove_files(void **state);
int tear_down(void **state);
#define FILE_TEST(name) cmocka_unit_test_teardown(name, remove_files)

struct ork_order_writer *create(void);
struct ork_order_file *read_file(const char *name);
void expect_refusal(const char *name, const char *sentence);
size_t size_of(const char *name);
/* The bytes of `path`; the caller's. */
uint8_t *load(size_t *size);
void save(const uint8_t *bytes, size_t size);
/* Three ranks and a spawned one, in several blocks. */
void write_sample(void);

#endif
