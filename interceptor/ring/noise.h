/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:noise: delays calls, so that orders of messages come up that are rare otherwise. How long
 * is decided by noise_stream.h. A delay comes before its call is recorded: the thread counts as
 * outside MPI, as if it computed. Never called with the recorder's lock held. */
#ifndef ORK_NOISE_H
#define ORK_NOISE_H

/* How a call is delayed. */
enum ork_noise {
    ORK_NOISE_NONE, /* it has no part in the order of messages */
    ORK_NOISE_CALL,
    ORK_NOISE_POLL, /* one of perhaps many unsuccessful polls in a row */
};

/* Begin to delay calls, if the environment requests it. Call once, when MPI is initialised and
 * before recording starts. */
void ork_noise_init(void);

/* The calling thread is about to make a call of this kind: sleep, or not. Keeps errno. */
void ork_noise_delay(enum ork_noise kind);

#endif
