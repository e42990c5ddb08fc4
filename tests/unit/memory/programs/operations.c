/* SPDX-License-Identifier: BSD-3-Clause */
/* Each kind of access that a compiler tells a runtime of, with its result; and atomic operations of
 * four threads, whose result shows whether they are atomic. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, TIMES = 20000 };

struct packed {
    char c;
    uint64_t d;
    uint16_t b;
} __attribute__((packed));

static struct packed packed[4];
static struct {
    char c[48];
} large, other;
static _Atomic uint8_t a8;
static _Atomic uint16_t a16;
static _Atomic uint32_t a32;
static _Atomic uint64_t a64;
static _Atomic uint64_t mixed = 1;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static uint64_t guarded;
static char text[5000], copy[5000];
static volatile size_t length = 4000;

static void *work(void *unused)
{
    for (int i = 0; i < TIMES; i++) {
        uint64_t old = atomic_load_explicit(&mixed, memory_order_relaxed);
        while (!atomic_compare_exchange_weak(&mixed, &old, old * 3))
            ;
        a8++;
        atomic_fetch_sub_explicit(&a16, 1, memory_order_relaxed);
        a32 += 3;
        atomic_fetch_xor(&a64, (uint64_t)1 << i % 64);
        while (atomic_flag_test_and_set_explicit(&spin, memory_order_acquire))
            ;
        guarded++;
        atomic_flag_clear_explicit(&spin, memory_order_release);
    }
    return unused;
}

static void run_threads(void)
{
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    printf("%u %u %u %llx %llx %llu\n", a8, a16, a32, (unsigned long long)a64,
           (unsigned long long)mixed, (unsigned long long)guarded);
}

static void single(void)
{
    uint32_t expected = 5;
    int is_equal;

    a32 = 6;
    is_equal = atomic_compare_exchange_strong(&a32, &expected, 7);
    printf("%d %u %u\n", is_equal, expected, a32);
    is_equal = atomic_compare_exchange_strong(&a32, &expected, 7);
    printf("%d %u %u\n", is_equal, expected, a32);
    printf("%u %u %u\n", atomic_exchange(&a16, 9), atomic_fetch_or(&a16, 6),
           atomic_fetch_and(&a16, 12));
    printf("%u\n", __sync_val_compare_and_swap((uint16_t *)&a16, 12, 13));
    printf("%u\n", __sync_fetch_and_nand((uint8_t *)&a8, 3));
    printf("%u %u\n", a16, a8);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
}

static uint64_t sum(void)
{
    uint64_t total = 0;

    for (size_t i = 0; i < sizeof(text); i++)
        total = total * 31 + (unsigned char)text[i] + (unsigned char)copy[i];
    return total;
}

static void copies(void)
{
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (char)i;
    memcpy(copy, text, length);
    memmove(text + 7, text, length);
    memset(text, 1, length / 8);
    memcpy(copy + 4001, text, 16);
    memset(copy, 0, 16);
    large.c[47] = 5;
    other = large;
    printf("%llu %d\n", (unsigned long long)sum(), other.c[47]);
}

static void unaligned(void)
{
    volatile struct packed *p = packed;

    for (int i = 0; i < 4; i++) {
        p[i].d = (uint64_t)i << 40;
        packed[i].b = (uint16_t)(p[i].d >> 40);
        packed[i].d++;
    }
    printf("%llu %u\n", (unsigned long long)packed[3].d, packed[2].b);
}

int main(void)
{
    run_threads();
    single();
    copies();
    unaligned();
    return 0;
}
