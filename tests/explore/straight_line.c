/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what its arguments say, one for each rank: words that are calls, without loops or branches.
 *
 *     s1.2     MPI_Send to rank 1 with tag 2          y1.2     MPI_Ssend
 *     r*.2     MPI_Recv from any source with tag 2    r0.*     any tag
 *     j*.2:a   MPI_Irecv into request a               i1.2:a   MPI_Isend
 *     w:ab     MPI_Waitall on these requests          a:ab     MPI_Waitany
 *     o:ab     MPI_Waitsome                           f:a      MPI_Request_free
 *     t:ab     MPI_Testany until it succeeds          q:ab     MPI_Testsome until it succeeds
 *     e:ab     MPI_Testall until it succeeds          n*.2     MPI_Iprobe until it succeeds
 *     t:ab/3   at most three times                    t:ab/3>1.2  with an MPI_Send to rank 1 after
 *                                                              each unsuccessful test or probe
 *     p*.2     MPI_Probe                              b        MPI_Barrier
 *     l1       MPI_Win_lock, exclusive, of rank 1     u1       MPI_Win_unlock
 *     h1       MPI_Win_lock, shared, of rank 1
 *     z        a pause, so that others probably come first
 *
 * A tag that is not given is 0. If OBSERVED names a folder, each rank appends to its file there,
 * for each run: "begin", a word for each message that it got ("1.2": of rank 1 with tag 2), the
 * indices that a call completed ("[0,2]"), and of a lock how many exclusive locks of its target
 * each rank had before it ("1,0,2"); if it is exclusive, also how many shared ones
 * ("1,0,2+0,1,0"). Of tests and probes that do not wait: "!t:ab" for an unsuccessful one, if it is
 * the first of its kind since the rank made another call; "=t:ab" for a successful one, "+t:ab" if
 * one of its kind was unsuccessful since then. */
#include <ctype.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REQUESTS = 26, RANKS = 16, ROW = 16, WRONG = 64, PAUSE_US = 200000 };

struct call {
    char verb;
    int peer, tag;
    const char *requests; /* letters; "" */
    const char *name;     /* the word without what follows "/" */
    int limit;            /* of unsuccessful tests or probes; 0: none */
    int reports;          /* a message after each of them, to .. */
    int reports_to, report;
};

static int me, ranks, buffer[REQUESTS];
static MPI_Request request[REQUESTS];
static MPI_Win window = MPI_WIN_NULL;
static FILE *observed;

/* ---- what was observed ---- */

static void open_observed(void)
{
    const char *folder = getenv("OBSERVED");
    char path[4096];

    if (folder == NULL)
        return;
    snprintf(path, sizeof(path), "%s/%d", folder, me);
    observed = fopen(path, "a");
}

__attribute__((format(printf, 1, 2))) static void saw(const char *format, ...)
{
    va_list list;

    if (observed == NULL)
        return;
    va_start(list, format);
    vfprintf(observed, format, list);
    va_end(list);
    fflush(observed); /* the rank may be killed */
}

/* An empty status is of a send, or of nothing. */
static void saw_message(const MPI_Status *status)
{
    if (status->MPI_SOURCE != MPI_ANY_SOURCE)
        saw(" %d.%d", status->MPI_SOURCE, status->MPI_TAG);
}

/* ---- words ---- */

static int number(const char **text, int any)
{
    if (**text == '*') {
        ++*text;
        return any;
    }
    int value = 0;
    while (isdigit((unsigned char)**text))
        value = 10 * value + *(*text)++ - '0';
    return value;
}

static void parse_peer(const char **word, int *peer, int *tag)
{
    *peer = number(word, MPI_ANY_SOURCE);
    if (**word != '.')
        return;
    ++*word;
    *tag = number(word, MPI_ANY_TAG);
}

/* Cuts the word. */
static struct call parse(char *word)
{
    struct call c = {.verb = *word, .requests = "", .name = word};
    char *slash = strchr(word, '/');
    const char *at = word + 1;

    if (slash != NULL)
        *slash = '\0';
    parse_peer(&at, &c.peer, &c.tag);
    if (*at == ':')
        c.requests = at + 1;
    if (slash == NULL)
        return c;
    at = slash + 1;
    c.limit = number(&at, 0);
    c.reports = *at == '>';
    if (c.reports) {
        at++;
        parse_peer(&at, &c.reports_to, &c.report);
    }
    return c;
}

/* ---- calls ---- */

static void wait_all(const char *letters)
{
    MPI_Request list[REQUESTS];
    MPI_Status status[REQUESTS];
    int count = (int)strlen(letters);

    for (int i = 0; i < count; i++)
        list[i] = request[letters[i] - 'a'];
    MPI_Waitall(count, list, status);
    for (int i = 0; i < count; i++) {
        request[letters[i] - 'a'] = list[i];
        saw_message(&status[i]);
    }
}

/* The indices, and the messages that they got. */
static void saw_completed(const char *letters, const MPI_Request *list, int done, const int *index,
                          const MPI_Status *status)
{
    for (int i = 0; i < done; i++) {
        request[letters[index[i]] - 'a'] = list[index[i]];
        saw(i == 0 ? " [%d" : ",%d", index[i]);
    }
    saw("]");
    for (int i = 0; i < done; i++)
        saw_message(&status[i]);
}

static int copy_requests(const char *letters, MPI_Request *list)
{
    int count = (int)strlen(letters);

    for (int i = 0; i < count; i++)
        list[i] = request[letters[i] - 'a'];
    return count;
}

static void wait_any(const char *letters)
{
    MPI_Request list[REQUESTS];
    MPI_Status status;
    int index;

    MPI_Waitany(copy_requests(letters, list), list, &index, &status);
    if (index != MPI_UNDEFINED)
        saw_completed(letters, list, 1, &index, &status);
}

static void wait_some(const char *letters)
{
    MPI_Request list[REQUESTS];
    MPI_Status status[REQUESTS];
    int index[REQUESTS], done = 0;

    MPI_Waitsome(copy_requests(letters, list), list, &done, index, status);
    if (done != MPI_UNDEFINED)
        saw_completed(letters, list, done, index, status);
}

/* ---- tests and probes that do not wait ---- */

/* The unsuccessful ones since the rank made another call. */
static const char *row[ROW];
static int in_row;

static int is_in_row(const char *name)
{
    for (int i = 0; i < in_row; i++) {
        if (strcmp(row[i], name) == 0)
            return 1;
    }
    return 0;
}

static void saw_failure(const char *name)
{
    if (is_in_row(name))
        return;
    saw(" !%s", name);
    if (in_row < ROW)
        row[in_row++] = name;
    else
        MPI_Abort(MPI_COMM_WORLD, WRONG);
}

static void saw_success(const char *name)
{
    saw(is_in_row(name) ? " +%s" : " =%s", name);
    in_row = 0;
}

static int test(const struct call *c)
{
    MPI_Request list[REQUESTS];
    MPI_Status status[REQUESTS];
    int index[REQUESTS], flag = 0, done = 0, count = copy_requests(c->requests, list);

    if (c->verb == 't') {
        MPI_Testany(count, list, index, &flag, status);
        done = flag && index[0] == MPI_UNDEFINED ? MPI_UNDEFINED : flag;
    } else if (c->verb == 'q') {
        MPI_Testsome(count, list, &done, index, status);
    } else {
        MPI_Testall(count, list, &flag, status);
        done = flag ? count : 0;
        for (int i = 0; i < done; i++)
            index[i] = i;
    }
    if (done > 0) {
        saw_success(c->name);
        saw_completed(c->requests, list, done, index, status);
    }
    return done != 0; /* all requests were null: MPI_UNDEFINED */
}

static int look(const struct call *c)
{
    MPI_Status status;
    int flag;

    MPI_Iprobe(c->peer, c->tag, MPI_COMM_WORLD, &flag, &status);
    if (flag) {
        saw_success(c->name);
        saw_message(&status);
    }
    return flag;
}

static int are_null(const char *letters)
{
    for (; *letters != '\0'; letters++) {
        if (request[*letters - 'a'] != MPI_REQUEST_NULL)
            return 0;
    }
    return 1;
}

static void poll_for(const struct call *c)
{
    if (c->verb != 'n' && c->limit > 0 && are_null(c->requests))
        return;
    for (int i = 0; c->limit == 0 || i < c->limit; i++) {
        if (c->verb == 'n' ? look(c) : test(c))
            return;
        saw_failure(c->name);
        if (!c->reports)
            continue;
        MPI_Send(&me, 1, MPI_INT, c->reports_to, c->report, MPI_COMM_WORLD);
        in_row = 0;
    }
}

static void receive(const struct call *c)
{
    MPI_Status status;
    int got;

    MPI_Recv(&got, 1, MPI_INT, c->peer, c->tag, MPI_COMM_WORLD, &status);
    saw_message(&status);
}

static void probe(const struct call *c)
{
    MPI_Status status;

    MPI_Probe(c->peer, c->tag, MPI_COMM_WORLD, &status);
    saw_message(&status);
}

/* Counts the locks of a target in its memory: the exclusive ones of each rank, and the shared ones.
 */
static void lock(int type, int target)
{
    static const int one = 1;
    const int is_shared = type == MPI_LOCK_SHARED, seen = is_shared ? ranks : 2 * ranks;
    int before[2 * RANKS];

    MPI_Win_lock(type, target, 0, window);
    if (observed == NULL)
        return;
    MPI_Get(before, seen, MPI_INT, target, 0, seen, MPI_INT, window);
    MPI_Win_flush(target, window);
    MPI_Accumulate(&one, 1, MPI_INT, target, is_shared * ranks + me, 1, MPI_INT, MPI_SUM, window);
    for (int i = 0; i < seen; i++) {
        const char *gap = i == ranks ? "+" : ",";
        saw("%s%d", i == 0 ? " " : gap, before[i]);
    }
}

static void make(const struct call *c)
{
    int slot = c->requests[0] != '\0' ? c->requests[0] - 'a' : 0;

    if (strchr("tqenz", c->verb) == NULL)
        in_row = 0;
    switch (c->verb) {
    case 's':
        MPI_Send(&me, 1, MPI_INT, c->peer, c->tag, MPI_COMM_WORLD);
        break;
    case 'y':
        MPI_Ssend(&me, 1, MPI_INT, c->peer, c->tag, MPI_COMM_WORLD);
        break;
    case 'i':
        MPI_Isend(&me, 1, MPI_INT, c->peer, c->tag, MPI_COMM_WORLD, &request[slot]);
        break;
    case 'r':
        receive(c);
        break;
    case 'j':
        MPI_Irecv(&buffer[slot], 1, MPI_INT, c->peer, c->tag, MPI_COMM_WORLD, &request[slot]);
        break;
    case 'w':
        wait_all(c->requests);
        break;
    case 'a':
        wait_any(c->requests);
        break;
    case 'o':
        wait_some(c->requests);
        break;
    case 't':
    case 'q':
    case 'e':
    case 'n':
        poll_for(c);
        break;
    case 'f':
        MPI_Request_free(&request[slot]);
        break;
    case 'p':
        probe(c);
        break;
    case 'b':
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    case 'l':
        lock(MPI_LOCK_EXCLUSIVE, c->peer);
        break;
    case 'h':
        lock(MPI_LOCK_SHARED, c->peer);
        break;
    case 'u':
        MPI_Win_unlock(c->peer, window);
        break;
    case 'z':
        usleep(PAUSE_US);
        break;
    default:
        MPI_Abort(MPI_COMM_WORLD, WRONG);
    }
}

static int has_locks(char **argument)
{
    for (; *argument != NULL; argument++) {
        if (strpbrk(*argument, "lh") != NULL)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static int memory[2 * RANKS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != ranks + 1 || ranks > RANKS)
        MPI_Abort(MPI_COMM_WORLD, WRONG);
    for (int i = 0; i < REQUESTS; i++)
        request[i] = MPI_REQUEST_NULL;
    open_observed();
    saw("begin");
    if (has_locks(argv + 1))
        MPI_Win_create(memory, sizeof(memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window);
    for (char *word = strtok(argv[me + 1], " "); word != NULL; word = strtok(NULL, " ")) {
        struct call c = parse(word);
        make(&c);
    }
    saw("\n");
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
