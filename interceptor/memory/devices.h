/* SPDX-License-Identifier: BSD-3-Clause */
/* Which memory is a device's? CUDA's driver and HIP's runtime know it, if the program has loaded
 * them: nothing here loads or initialises one. */
#ifndef ORK_DEVICES_H
#define ORK_DEVICES_H

#include "record/devices.h"

#include <stdbool.h>
#include <stdint.h>

/* The program has loaded one of them, as far as was looked. */
extern bool ork_devices_exist;

/* Look, if files were loaded since the last time. */
void ork_devices_look(void) __attribute__((cold, noinline));

/* The memory at this address. Asks for what no call has changed: errors that the program has not
 * looked at yet stay. */
enum ork_device ork_device_of(int64_t address) __attribute__((cold, noinline));

#endif
