/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifies a run and proves membership, in the environment of both of its jobs: mustrun writes
 * it, leaf and interceptor read it. */
#ifndef ORK_SESSION_H
#define ORK_SESSION_H

/* The file of a recording (--must:record) during the run: its path, the session. */
#define ORK_ORDER_PART_FORMAT "%s.%s.part"

#define ORK_ENV_SESSION  "ORKNOT_SESSION" /* name of the run: letters, digits, '-' */
#define ORK_SESSION_MAX  40u
#define ORK_ENV_TOKEN    "ORKNOT_TOKEN"  /* ORK_TOKEN_SIZE hexadecimal digits; on no command line */
#define ORK_ENV_POLL     "ORKNOT_POLL"   /* 1: --must:poll */
#define ORK_ENV_LEAVES   "ORKNOT_LEAVES" /* leaves on each node; unset: one */
#define ORK_ENV_NOISE    "ORKNOT_NOISE"  /* SEED:MICROSECONDS, --must:noise */
#define ORK_ENV_CHECKS   "ORKNOT_CHECKS" /* LIST, --must:checks; unset: all */
#define ORK_ENV_RMA      "ORKNOT_RMA"    /* off: --must:rma off */
#define ORK_ENV_CALLERS  "ORKNOT_CALLERS" /* 1 to ORK_CALLERS_MAX, --must:callers; unset: none */
#define ORK_CALLERS_MAX  16u
#define ORK_ENV_FOLD     "ORKNOT_FOLD"     /* off: --must:fold off */
#define ORK_ENV_STAMPS   "ORKNOT_STAMPS"   /* 1: --must:timestamps */
#define ORK_ENV_MODEL    "ORKNOT_MODEL"    /* separate: --must:memory-model separate */
#define ORK_ENV_EXPLORED "ORKNOT_EXPLORED" /* 1: a run of an exploration */
#define ORK_ENV_ATOMICS  "ORKNOT_ATOMICS"  /* 1: the order of atomics of windows is a choice */
#define ORK_ENV_HASHES   "ORKNOT_HASHES"   /* 1: --must:check-buffers */
#define ORK_ENV_ORDER    "ORKNOT_ORDER"    /* off: no order is recorded; set by bench/run only */
#define ORK_ENV_UNHOOKED "ORKNOT_UNHOOKED" /* LIST of functions without a hook, for tests */
#define ORK_ENV_ASKED    "ORKNOT_ASKED"    /* the preload file describes the library, and ends */
/* In the environment of a spawned process, interceptor/process/spawn.c: the number of its job; its
 * parents, which are of one job: the number of this, then first rank, stride and count of runs. */
#define ORK_ENV_JOB     "ORKNOT_JOB"
#define ORK_ENV_PARENTS "ORKNOT_PARENTS"
#define ORK_TOKEN_SIZE  32u

#endif
