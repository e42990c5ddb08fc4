/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FUZZ_ONESIDED_DAMAGE_H
#define FUZZ_ONESIDED_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Damage the file of timestamps in several ways, and ask whatever can be read of it. False: what
 * was cut off was read, or a file was refused without a sentence. */
bool stamps_survive_damage(const char *path, uint64_t *random);

#endif
