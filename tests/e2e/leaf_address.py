# SPDX-License-Identifier: BSD-3-Clause
"""The address of a leaf, as common/leaf_address.h says: of its own, so that it is also compared with that of the tool."""

import os
import socket
import struct

MASK = (1 << 64) - 1
SESSION_SIZE = 41  # ORK_SESSION_MAX and a zero


def _rotate(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & MASK


def _rounds(v, number):
    for _ in range(number):
        v[0] = (v[0] + v[1]) & MASK
        v[1] = _rotate(v[1], 13) ^ v[0]
        v[0] = _rotate(v[0], 32)
        v[2] = (v[2] + v[3]) & MASK
        v[3] = _rotate(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & MASK
        v[3] = _rotate(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & MASK
        v[1] = _rotate(v[1], 17) ^ v[2]
        v[2] = _rotate(v[2], 32)


def siphash(key, text):
    """SipHash-2-4 of bytes; the key is two numbers."""
    v = [key[0] ^ 0x736F6D6570736575, key[1] ^ 0x646F72616E646F6D, key[0] ^ 0x6C7967656E657261, key[1] ^ 0x7465646279746573]
    whole = len(text) // 8 * 8
    last = int.from_bytes(text[whole:], "little") | (len(text) & 0xFF) << 56
    for word in [*(word for (word,) in struct.iter_unpack("<Q", text[:whole])), last]:
        v[3] ^= word
        _rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    _rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _host():
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    words = (socket.gethostname(), 65), (boot, 40), (os.readlink("/proc/self/ns/net"), 40)
    return b"".join(word.encode()[:room - 1].ljust(room, b"\0") for word, room in words)


def of(session, token, leaf):
    """Of a leaf of this host, with its first byte."""
    place = _host() + session.encode().ljust(SESSION_SIZE, b"\0")
    place += bytes(-len(place) % 4)
    key = [int(token[half::2], 16) for half in range(2)]
    halves = [siphash(key, place + struct.pack("<II", leaf, half)) for half in range(2)]
    return f"\0orknot-{halves[0]:016x}{halves[1]:016x}"
