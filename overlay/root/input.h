/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes to the root from below: records.c, early.c, ends.c. All functions return what feeding
 * the detector returns. */
#ifndef ORK_ANALYSIS_INPUT_H
#define ORK_ANALYSIS_INPUT_H

#include "overlay/root/root_internal.h"

/* ---- events ---- */

/* A leaf asks for the first rank of a job. */
enum ork_status ork_root_on_job(struct ork_root *root, const struct ork_job_name *job);
/* The same records so many times in a row. */
enum ork_status ork_root_on_repeated(struct ork_root *root, uint32_t rank,
                                     const struct ork_record *record, size_t n, uint32_t times);
enum ork_status ork_root_on_records(struct ork_root *root, uint32_t rank,
                                    const struct ork_record *record, size_t n);
enum ork_status ork_root_on_wave(struct ork_root *root, const struct ork_wave *wave);
enum ork_status ork_root_on_end(struct ork_root *root, uint32_t rank,
                                const struct ork_ending *ending);

/* ---- before the number of ranks is known ---- */

/* *nprocs: the number of ranks, if it is known now; or 0. */
enum ork_status ork_root_keep_early(struct ork_root *root, uint32_t rank,
                                    const struct ork_record *record, size_t n, uint32_t *nprocs);
enum ork_status ork_root_keep_early_end(struct ork_root *root, uint32_t rank, enum ork_end end);
void ork_root_forget_early(struct ork_root *root);

/* ---- afterwards ---- */

enum ork_status ork_root_take_end(struct ork_root *root, uint32_t rank, enum ork_end end,
                                  enum ork_causal_end how);

#endif
