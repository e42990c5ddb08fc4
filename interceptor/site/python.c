/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/python.h"

#include "common/vec.h"
#include "interceptor/site/map.h"
#include "interceptor/site/places.h"
#include "interceptor/site/site.h"
#include "interceptor/site/site_ids.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct ork_py_object ork_py_object; /* PyObject, PyFrameObject, PyCodeObject */

/* Functions of Python's C interface (stable since 3.9, except names with an underscore). */
static struct {
    int (*is_initialized)(void);
    int (*is_finalizing)(void);
    int (*ensure)(void);
    void (*release)(int state);
    ork_py_object *(*get_frame)(void);                /* borrowed */
    ork_py_object *(*get_back)(ork_py_object *frame); /* new */
    ork_py_object *(*get_code)(ork_py_object *frame); /* new */
    int (*get_line)(ork_py_object *frame);
    ork_py_object *(*get_attribute)(ork_py_object *object, const char *name); /* new */
    const char *(*as_utf8)(ork_py_object *string);
    void (*incref)(ork_py_object *object);
    void (*decref)(ork_py_object *object);
    void (*clear_error)(void);
    ork_py_object *(*error_occurred)(void); /* borrowed */
} py;
static bool py_usable;

/* A place with a site. Two files may have the same key when code objects are freed and made. */
struct place {
    char *file;
    struct place *next;
    uint32_t site;
};
static struct ork_map places; /* key of code and line -> index in place */
static struct place **place;
static uint32_t num_places;

static void find(void *function, const char *name, bool *complete)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);

    memcpy(function, &symbol, sizeof(symbol));
    if (symbol == NULL)
        *complete = false;
}

static void load(void)
{
    bool complete = true;

    find(&py.is_initialized, "Py_IsInitialized", &complete);
    find(&py.ensure, "PyGILState_Ensure", &complete);
    find(&py.release, "PyGILState_Release", &complete);
    find(&py.get_frame, "PyEval_GetFrame", &complete);
    find(&py.get_back, "PyFrame_GetBack", &complete);
    find(&py.get_code, "PyFrame_GetCode", &complete);
    find(&py.get_line, "PyFrame_GetLineNumber", &complete);
    find(&py.get_attribute, "PyObject_GetAttrString", &complete);
    find(&py.as_utf8, "PyUnicode_AsUTF8", &complete);
    find(&py.incref, "Py_IncRef", &complete);
    find(&py.decref, "Py_DecRef", &complete);
    find(&py.clear_error, "PyErr_Clear", &complete);
    find(&py.error_occurred, "PyErr_Occurred", &complete);
    py_usable = complete;
    find(&py.is_finalizing, "_Py_IsFinalizing", &complete);
    if (!complete)
        find(&py.is_finalizing, "Py_IsFinalizing", &complete); /* its name since 3.13 */
}

/* Folder of the extension module that called last, with its '/'; guarded by the interpreter's
 * lock. */
static struct {
    uintptr_t address;
    char folder[PATH_MAX];
} package;

static void find_package(uintptr_t address)
{
    Dl_info info;

    if (package.address == address)
        return;
    package.address = address;
    package.folder[0] = '\0';
    if (dladdr((void *)address, &info) == 0 || info.dli_fname == NULL)
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    if (slash != NULL && strlen(info.dli_fname) < sizeof(package.folder)) {
        size_t length = (size_t)(slash - info.dli_fname) + 1;
        memcpy(package.folder, info.dli_fname, length);
        package.folder[length] = '\0';
    }
}

/* Frames that do not help the user: the import machinery, and the MPI package's own Python
 * files. */
static bool is_foreign(const char *file)
{
    size_t length = strlen(package.folder);

    return strncmp(file, "<frozen", 7) == 0 ||
           (length > 1 && strncmp(file, package.folder, length) == 0);
}

static const char *text_of(ork_py_object *code, const char *attribute, ork_py_object **string)
{
    const char *text = NULL;

    *string = py.get_attribute(code, attribute);
    if (*string != NULL)
        text = py.as_utf8(*string);
    if (text == NULL)
        py.clear_error();
    return text;
}

static uint32_t put_source(const char *file, ork_py_object *code, int line)
{
    ork_py_object *string;
    const char *function = text_of(code, "co_name", &string);
    struct ork_record record = {.kind = ORK_KIND_SITE,
                                .flags = ORK_F_SOURCE,
                                .thread = ork_thread.index,
                                .arg2 = line > 0 ? (uint32_t)line : 0};
    char text[4096];
    int n = snprintf(text, sizeof(text), "%s%c%s", file, '\0', function != NULL ? function : "");

    if (n < 0 || n >= (int)sizeof(text))
        n = (int)sizeof(text) - 1;
    record.site = ork_site_next_id();
    ork_choice_add_site(record.site, file, record.arg2);
    ork_lock();
    ork_put_text(&record, text, (size_t)n);
    ork_publish();
    ork_unlock();
    if (string != NULL)
        py.decref(string);
    return record.site;
}

static struct place *place_create(const char *file, ork_py_object *code, int line)
{
    struct place *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return NULL;
    p->file = strdup(file);
    if (p->file == NULL) {
        free(p);
        return NULL;
    }
    p->site = put_source(file, code, line);
    return p;
}

/* Insert p at the front of the list of its key. */
static bool enter(struct ork_entry *entry, uint64_t key, struct place *p)
{
    if (entry != NULL) {
        p->next = place[entry->id];
        place[entry->id] = p;
        return true;
    }
    if (!ork_vec_extend(&place, num_places, num_places + 1, sizeof(*place)))
        return false;
    entry = ork_map_insert(&places, key);
    if (entry == NULL)
        return false;
    entry->id = num_places;
    place[num_places++] = p;
    return true;
}

/* Called with the interpreter's lock held, which guards the table. */
static uint32_t site_of_place(ork_py_object *code, const char *file, int line)
{
    uint64_t key = (ORK_KEY(code) ^ (uint64_t)(unsigned)line << 48 ^ (uint64_t)(unsigned)line) | 1;
    struct ork_entry *entry = ork_map_find(&places, key);
    struct place *p = entry != NULL ? place[entry->id] : NULL;
    uint32_t site = 0;

    while (p != NULL && strcmp(p->file, file) != 0)
        p = p->next;
    if (p != NULL)
        return p->site;
    ork_sites_lock();
    p = place_create(file, code, line);
    if (p != NULL) {
        site = p->site;
        if (!enter(entry, key, p)) {
            free(p->file);
            free(p);
        }
    }
    ork_sites_unlock();
    return site;
}

/* The site of `frame` if it is the user's. *taken: its file is the user's; else go outwards. */
static uint32_t site_of_frame(ork_py_object *frame, bool *taken)
{
    ork_py_object *code = py.get_code(frame);
    ork_py_object *string = NULL;
    const char *file = text_of(code, "co_filename", &string);
    uint32_t site = 0;

    *taken = file != NULL && !is_foreign(file);
    if (*taken)
        site = site_of_place(code, file, py.get_line(frame));
    if (string != NULL)
        py.decref(string);
    py.decref(code);
    return site;
}

static uint32_t site_of_thread(void)
{
    ork_py_object *frame = py.get_frame();
    uint32_t site = 0;
    bool taken = false;

    if (frame != NULL)
        py.incref(frame);
    while (frame != NULL && !taken) {
        site = site_of_frame(frame, &taken);
        ork_py_object *back = taken ? NULL : py.get_back(frame);
        py.decref(frame);
        frame = back;
    }
    return site;
}

uint32_t ork_python_site(const struct ork_site *extension)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int saved = errno;
    uint32_t site = 0;

    pthread_once(&once, load);
    if (py_usable && py.is_initialized() && (py.is_finalizing == NULL || !py.is_finalizing())) {
        int state = py.ensure();
        find_package(atomic_load_explicit(&extension->address, memory_order_relaxed));
        /* RATIONALE: reading attributes with a pending exception could lose the exception. */
        if (py.error_occurred() == NULL)
            site = site_of_thread();
        py.release(state);
    }
    errno = saved;
    return site != 0 ? site : extension->id;
}

bool ork_python_is_extension(const char *path)
{
    char symbol[256];
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    void *handle;
    bool found;

    if (snprintf(symbol, sizeof(symbol), "PyInit_%.*s", (int)strcspn(name, "."), name) >=
        (int)sizeof(symbol))
        return false;
    handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL)
        return false;
    found = dlsym(handle, symbol) != NULL;
    dlclose(handle);
    return found;
}
