/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of device memory: devices.def as data. */
#ifndef ORK_RECORD_DEVICES_H
#define ORK_RECORD_DEVICES_H

enum ork_device {
    ORK_DEVICE_NONE, /* memory of the host, or of a device that is not known */
#define ORK_DEVICE(name, words) ORK_DEVICE_##name,
#include "record/devices.def"
#undef ORK_DEVICE
    ORK_DEVICE_MAX
};

/* "CUDA device memory"; NULL: it is none. */
static inline const char *ork_device_words(unsigned device)
{
    static const char *const words[ORK_DEVICE_MAX] = {
#define ORK_DEVICE(name, text) [ORK_DEVICE_##name] = text,
#include "record/devices.def"
#undef ORK_DEVICE
    };

    return device < ORK_DEVICE_MAX ? words[device] : 0;
}

#endif
