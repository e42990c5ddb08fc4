/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in for a leaf: takes the rings of N ranks and prints one line for each record when all
 * are gone. Usage: ringdump SESSION TOKEN RANKS [late]; says "ready" on stderr when it listens;
 * ends when it has refused a rank; late: takes no more than the first records before a rank has
 * waited. A line: "<rank> <thread> <kind> <function> key=value .. list=w,w,..", or text=.. at its
 * end; then "<rank> end waits=.. threads=.. state=.. seq=.. polls=..". */
#include "common/leaf_address.h"
#include "common/session.h"
#include "record/calls.h"
#include "record/ring_reader.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 100 }; /* records that are taken at once; enough to begin */

struct rank {
    int socket;
    int id;
    bool gone;
    struct ork_ring *ring;
    struct ork_ring_reader reader;
    struct ork_record *record; /* all so far */
    size_t count;
    size_t room;
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int listen_at(const char *session)
{
    struct sockaddr_un address;
    const char *token = getenv(ORK_ENV_TOKEN); /* of the ranks */
    socklen_t size = token != NULL ? ork_leaf_address(session, token, 0, &address) : 0;
    int s = socket(AF_UNIX, SOCK_STREAM, 0);

    if (size == 0 || s < 0 || bind(s, (struct sockaddr *)&address, size) != 0 || listen(s, 64) != 0)
        die("listen");
    return s;
}

/* The hello and the memfd that comes with it. */
static int receive_hello(int s, struct ork_hello *hello)
{
    struct iovec part = {.iov_base = hello, .iov_len = sizeof(*hello)};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof(control.bytes)};
    int fd = -1;

    if (recvmsg(s, &message, 0) != (ssize_t)sizeof(*hello) || CMSG_FIRSTHDR(&message) == NULL)
        die("hello");
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
    return fd;
}

/* False: refused. */
static bool take(int listener, const char *token, struct rank *r)
{
    struct ork_hello hello;
    char padded[ORK_TOKEN_SIZE] = {0};
    int s = accept(listener, NULL, NULL);
    int fd = receive_hello(s, &hello);
    char answer;

    memcpy(padded, token, strnlen(token, sizeof(padded)));
    answer = memcmp(padded, hello.token, sizeof(padded)) == 0;
    r->socket = s;
    r->id = (int)hello.rank;
    r->ring = mmap(NULL, sizeof(*r->ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (r->ring == MAP_FAILED || hello.magic != ORK_RING_MAGIC || hello.job[0] == '\0')
        die("ring");
    close(fd);
    if (send(s, &answer, 1, MSG_NOSIGNAL) != 1)
        die("answer");
    if (answer == 0) {
        close(s);
        munmap(r->ring, sizeof(*r->ring));
    }
    return answer != 0;
}

static void drain(struct rank *r)
{
    const struct ork_ring_view view = ork_ring_look(r->ring);
    const struct ork_record *next;

    while ((next = ork_ring_front(r->ring, &r->reader, &view)) != NULL) {
        if (r->count == r->room) {
            r->room = r->room == 0 ? 4096 : r->room * 2;
            r->record = realloc(r->record, r->room * sizeof(*r->record));
            if (r->record == NULL)
                die("memory");
        }
        r->record[r->count] = *next;
        ork_ring_take(&r->reader);
        if (r->record[r->count++].kind == ORK_KIND_CONTROL)
            atomic_fetch_add(&r->ring->asked, 1);
    }
    atomic_store_explicit(&r->ring->tail_slot, r->reader.slot, memory_order_release);
    atomic_store_explicit(&r->ring->tail, r->reader.number, memory_order_release);
}

static bool has_hung_up(const struct rank *r)
{
    struct pollfd p = {.fd = r->socket, .events = POLLRDHUP};

    return poll(&p, 1, 0) > 0;
}

static void print_list(const struct rank *r, size_t i, uint32_t count)
{
    const char *separator = " list=";

    for (uint32_t w = 0; w < count; w++) {
        const struct ork_cont *c = (const void *)&r->record[i + 1 + w / ORK_CONT_WORDS];
        printf("%s%d", separator, (int)c->word[w % ORK_CONT_WORDS]);
        separator = ",";
    }
}

static void print_text(const struct rank *r, size_t i)
{
    printf(" text=");
    for (uint64_t b = 0; b < r->record[i].bytes; b++) {
        const struct ork_cont *c = (const void *)&r->record[i + 1 + b / (4 * ORK_CONT_WORDS)];
        char text = ((const char *)c->word)[b % (4 * ORK_CONT_WORDS)];
        putchar(text != '\0' ? text : ':');
    }
}

static size_t print_record(const struct rank *r, size_t i)
{
    const struct ork_record *x = &r->record[i];
    size_t conts = ork_record_conts(x->count);

    if (i + conts >= r->count) {
        printf("%d broken\n", r->id);
        return r->count;
    }
    for (size_t c = 1; c <= conts; c++)
        if (r->record[i + c].kind != ORK_KIND_CONT)
            printf("%d broken\n", r->id);
    printf("%d %u %s %s flags=%u mode=%u site=%u comm=%d request=%d peer=%d tag=%d peer2=%d tag2=%d"
           " arg=%d arg2=%d bytes=%llu extra=%llx",
           r->id, x->thread, ork_kind_name(x->kind), ork_call_name(x->call), x->flags, x->mode,
           x->site, (int)x->comm, (int)x->request, x->peer, x->tag, x->peer2, x->tag2, (int)x->arg,
           (int)x->arg2, (unsigned long long)x->bytes, (unsigned long long)x->extra);
    if (x->kind == ORK_KIND_MODULE || x->kind == ORK_KIND_COMM_NAME ||
        (x->kind == ORK_KIND_SITE && (x->flags & ORK_F_SOURCE) != 0))
        print_text(r, i);
    else
        print_list(r, i, x->count);
    putchar('\n');
    return i + 1 + conts;
}

/* How often it wanted the leaf to wake up. */
static ssize_t wakeups(const struct rank *r)
{
    char rung[4096];
    ssize_t n = recv(r->socket, rung, sizeof(rung), MSG_DONTWAIT);

    return n > 0 ? n : 0;
}

static void print_rank(const struct rank *r)
{
    uint32_t threads = atomic_load(&r->ring->threads);

    for (size_t i = 0; i < r->count;)
        i = print_record(r, i);
    printf("%d end waits=%llu wakeups=%zd threads=%u", r->id,
           (unsigned long long)atomic_load(&r->ring->full_waits), wakeups(r), threads);
    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS; t++) {
        uint64_t word = atomic_load(&r->ring->thread[t].word);
        printf(" state=%u seq=%llu polls=%llu", (unsigned)(word & 255),
               (unsigned long long)(word >> 8),
               (unsigned long long)atomic_load(&r->ring->thread[t].polls));
        struct ork_polled p = ork_polled_read(r->ring, t);
        printf(" polled=%s,%d,%d,%d", ork_call_name(p.call), p.peer, p.tag, (int)p.comm);
        printf(" looks=%u busy=%u", atomic_load(&r->ring->thread[t].looks),
               atomic_load(&r->ring->thread[t].busy));
    }
    putchar('\n');
}

static bool is_time(const struct rank *r, bool late, bool gone)
{
    return !late || gone || r->count < FIRST || atomic_load(&r->ring->full_waits) > 0;
}

int main(int argc, char **argv)
{
    struct rank rank[64] = {0};
    bool late = argc == 5 && strcmp(argv[4], "late") == 0;
    int n = argc == 4 || late ? atoi(argv[3]) : -1;

    if (n < 1 || n > 64) {
        fprintf(stderr, "usage: ringdump SESSION TOKEN RANKS [late]\n");
        return 2;
    }
    int listener = listen_at(argv[1]);
    fprintf(stderr, "ready\n");
    for (int i = 0; i < n; i++)
        if (!take(listener, argv[2], &rank[i])) {
            printf("refused\n");
            return 0;
        }
    for (int left = n; left > 0;) {
        for (int i = 0; i < n; i++) {
            bool gone = !rank[i].gone && has_hung_up(&rank[i]);
            if (is_time(&rank[i], late, gone))
                drain(&rank[i]);
            rank[i].gone |= gone;
            left -= gone;
        }
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    for (int i = 0; i < n; i++) {
        print_rank(&rank[i]);
        free(rank[i].record);
    }
    return 0;
}
