/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's own frames of a thread, read from the memory of its process. The layout is that of
 * CPython 3.11 (Include/internal of its sources); other versions are not read. No pointer is
 * trusted: its target must have the expected Python type, and two looks must agree. */
#include "overlay/stacktrace/python.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

enum {
    VERSION = 0x030b, /* of Py_Version, its two upper bytes */
    THREADS_MAX = 4096,
    FRAMES_MAX = 1024,
    TEXT_MAX = 4096,
    TABLE_MAX = 1 << 20,
};

/* Offsets in bytes. */
enum {
    RUNTIME_INTERPRETER = 48, /* interpreters.main */
    INTERPRETER_THREADS = 16, /* threads.head */
    THREAD_NEXT = 8,
    THREAD_CFRAME = 56,
    THREAD_NATIVE_ID = 160,
    CFRAME_FRAME = 8,
    FRAME_CODE = 32,
    FRAME_PREVIOUS = 48,
    FRAME_INSTRUCTION = 56, /* prev_instr */
    FRAME_IS_ENTRY = 68,
    FRAME_SIZE = 72,
    OBJECT_TYPE = 8,
    CODE_FIRST_LINE = 72,
    CODE_FILE = 112,
    CODE_NAME = 128, /* co_qualname */
    CODE_TABLE = 136,
    CODE_INSTRUCTIONS = 184,
    TEXT_LENGTH = 16,
    TEXT_STATE = 32,
    TEXT_ASCII = 48,
    BYTES_LENGTH = 16,
    BYTES_TEXT = 32,
};

/* state of a str: kind 1, compact, ascii. */
enum { STATE_MASK = 0x7c, STATE_ASCII = 0x64 };

/* The order of ork_python_symbol. */
enum { RUNTIME, VERSION_NUMBER, CODE_TYPE, TEXT_TYPE, BYTES_TYPE };
const char *const ork_python_symbol[ORK_PYTHON_SYMBOLS] = {
    "_PyRuntime", "Py_Version", "PyCode_Type", "PyUnicode_Type", "PyBytes_Type"};

struct reader {
    pid_t pid;
    const uint64_t *address; /* of the symbols */
};

/* ---- by names ---- */

bool ork_python_has_file(const char *file)
{
    return strncmp(file, "python3", 7) == 0 || strncmp(file, "libpython3", 10) == 0;
}

bool ork_python_has_extension(const char *file)
{
    return strstr(file, ".cpython-") != NULL || strstr(file, ".abi3.") != NULL;
}

bool ork_python_is_evaluation(const char *function)
{
    return strcmp(function, "_PyEval_EvalFrameDefault") == 0;
}

/* ---- memory of the process ---- */

static bool get(const struct reader *in, uint64_t address, void *to, size_t size)
{
    struct iovec here = {.iov_base = to, .iov_len = size};
    struct iovec there = {.iov_len = size};

    memcpy(&there.iov_base, &address, sizeof(there.iov_base)); /* not dereferenced here */
    return process_vm_readv(in->pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* 0: none. */
static uint64_t get_pointer(const struct reader *in, uint64_t address)
{
    uint64_t value = 0;

    return get(in, address, &value, sizeof(value)) ? value : 0;
}

static bool is_of_type(const struct reader *in, uint64_t object, uint64_t type)
{
    return object != 0 && get_pointer(in, object + OBJECT_TYPE) == type;
}

/* ---- objects ---- */

/* A str of ASCII; else NULL. */
static char *get_text(const struct reader *in, uint64_t object)
{
    uint32_t state = 0;

    if (!is_of_type(in, object, in->address[TEXT_TYPE]) ||
        !get(in, object + TEXT_STATE, &state, sizeof(state)) || (state & STATE_MASK) != STATE_ASCII)
        return NULL;
    uint64_t length = get_pointer(in, object + TEXT_LENGTH);
    if (length == 0 || length > TEXT_MAX)
        return NULL;
    char *text = calloc(1, (size_t)length + 1);
    if (text != NULL && !get(in, object + TEXT_ASCII, text, (size_t)length)) {
        free(text);
        return NULL;
    }
    return text;
}

static unsigned next_varint(const unsigned char *table, size_t size, size_t *at)
{
    unsigned value = 0;

    for (unsigned shift = 0; *at < size && shift < 30; shift += 6) {
        unsigned char byte = table[(*at)++];
        value |= (byte & 63u) << shift;
        if ((byte & 64u) == 0)
            break;
    }
    return value;
}

/* Change of the line number in an entry of the table, see Objects/locations.md of CPython. */
static int line_step(const unsigned char *table, size_t size, size_t *at, unsigned code)
{
    if (code == 13 || code == 14) {
        unsigned value = next_varint(table, size, at);
        return (value & 1) != 0 ? -(int)(value >> 1) : (int)(value >> 1);
    }
    return code >= 10 && code <= 12 ? (int)code - 10 : 0;
}

/* Line of code unit `unit`; 0: none. */
static uint32_t line_in(const unsigned char *table, size_t size, int64_t line, uint64_t unit)
{
    size_t at = 0;
    uint64_t end = 0;

    while (at < size) {
        unsigned code = table[at] >> 3 & 15;
        end += (table[at++] & 7u) + 1;
        line += line_step(table, size, &at, code);
        if (unit < end)
            return code != 15 && line > 0 && line <= INT32_MAX ? (uint32_t)line : 0;
        while (at < size && (table[at] & 128u) == 0)
            at++;
    }
    return 0;
}

static uint32_t get_line(const struct reader *in, uint64_t code, uint64_t instruction)
{
    uint64_t table = get_pointer(in, code + CODE_TABLE);
    uint64_t size = table != 0 ? get_pointer(in, table + BYTES_LENGTH) : 0;
    int first = 0;
    uint32_t line = 0;

    if (instruction < code + CODE_INSTRUCTIONS || !is_of_type(in, table, in->address[BYTES_TYPE]) ||
        size == 0 || size > TABLE_MAX || !get(in, code + CODE_FIRST_LINE, &first, sizeof(first)))
        return 0;
    unsigned char *bytes = malloc((size_t)size);
    if (bytes != NULL && get(in, table + BYTES_TEXT, bytes, (size_t)size))
        line = line_in(bytes, (size_t)size, first, (instruction - code - CODE_INSTRUCTIONS) / 2);
    free(bytes);
    return line;
}

/* ---- frames ---- */

struct look {
    uint64_t code, instruction;
    bool is_entry;
};

static uint64_t find_thread(const struct reader *in, uint32_t tid)
{
    uint64_t interpreter = get_pointer(in, in->address[RUNTIME] + RUNTIME_INTERPRETER);
    uint64_t thread = interpreter != 0 ? get_pointer(in, interpreter + INTERPRETER_THREADS) : 0;

    for (int i = 0; i < THREADS_MAX && thread != 0; i++) {
        if (get_pointer(in, thread + THREAD_NATIVE_ID) == tid)
            return thread;
        thread = get_pointer(in, thread + THREAD_NEXT);
    }
    return 0;
}

/* UINT32_MAX: the memory does not contain Python frames. */
static uint32_t look_at(const struct reader *in, uint32_t tid, struct look look[FRAMES_MAX])
{
    uint64_t thread = find_thread(in, tid);
    uint64_t cframe = thread != 0 ? get_pointer(in, thread + THREAD_CFRAME) : 0;
    uint64_t frame = cframe != 0 ? get_pointer(in, cframe + CFRAME_FRAME) : 0;
    unsigned char bytes[FRAME_SIZE];
    uint32_t count = 0;

    memset(look, 0, FRAMES_MAX * sizeof(*look));
    while (frame != 0 && count < FRAMES_MAX) {
        struct look *l = &look[count++];
        if (!get(in, frame, bytes, sizeof(bytes)))
            return UINT32_MAX;
        memcpy(&l->code, bytes + FRAME_CODE, sizeof(l->code));
        memcpy(&l->instruction, bytes + FRAME_INSTRUCTION, sizeof(l->instruction));
        memcpy(&frame, bytes + FRAME_PREVIOUS, sizeof(frame));
        l->is_entry = bytes[FRAME_IS_ENTRY] != 0;
        if (!is_of_type(in, l->code, in->address[CODE_TYPE]))
            return UINT32_MAX;
    }
    return count;
}

static uint32_t look_twice(const struct reader *in, uint32_t tid, struct look *look)
{
    struct look *again = look + FRAMES_MAX;
    uint32_t count = look_at(in, tid, look);

    if (count == 0 || count == UINT32_MAX || look_at(in, tid, again) != count ||
        memcmp(look, again, FRAMES_MAX * sizeof(*look)) != 0)
        return 0;
    return count;
}

void ork_python_release(struct ork_python *python)
{
    for (uint32_t i = 0; i < python->num_frames; i++) {
        free(python->frame[i].function);
        free(python->frame[i].file);
    }
    free(python->frame);
    free(python->is_entry);
    *python = (struct ork_python){.num_frames = 0};
}

static enum ork_status read_frames(const struct reader *in, const struct look *look, uint32_t count,
                                   struct ork_python *out)
{
    out->frame = calloc((size_t)count + 1, sizeof(*out->frame));
    out->is_entry = calloc((size_t)count + 1, sizeof(*out->is_entry));
    if (out->frame == NULL || out->is_entry == NULL) {
        ork_python_release(out);
        return ORK_NOMEM;
    }
    out->num_frames = count;
    for (uint32_t i = 0; i < count; i++) {
        struct ork_frame *f = &out->frame[i];
        f->function = get_text(in, get_pointer(in, look[i].code + CODE_NAME));
        f->file = get_text(in, get_pointer(in, look[i].code + CODE_FILE));
        f->line = get_line(in, look[i].code, look[i].instruction);
        out->is_entry[i] = look[i].is_entry;
    }
    return ORK_OK;
}

enum ork_status ork_python_read(uint32_t pid, uint32_t tid,
                                const uint64_t address[ORK_PYTHON_SYMBOLS], struct ork_python *out)
{
    const struct reader in = {.pid = (pid_t)pid, .address = address};

    *out = (struct ork_python){.num_frames = 0};
    if (sizeof(void *) != 8 || get_pointer(&in, address[VERSION_NUMBER]) >> 16 != VERSION)
        return ORK_OK;
    struct look *look = calloc((size_t)FRAMES_MAX * 2, sizeof(*look));
    if (look == NULL)
        return ORK_NOMEM;
    uint32_t count = look_twice(&in, tid, look);
    enum ork_status status = count > 0 ? read_frames(&in, look, count, out) : ORK_OK;
    free(look);
    return status;
}
