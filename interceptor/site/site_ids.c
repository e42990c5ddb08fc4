/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/site_ids.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t last_id;

void ork_sites_lock(void)
{
    pthread_mutex_lock(&lock);
}

void ork_sites_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

uint32_t ork_site_next_id(void)
{
    return ++last_id;
}
