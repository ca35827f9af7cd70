#define _GNU_SOURCE
#include "CDiskFaults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// One watch at a time; the lock also orders what the listener hears.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int watching;
static char prefix[PATH_MAX];
static int64_t counts[2];
static int64_t chosen = -1;
static int32_t fault;
static int32_t faultOfReads;
static int32_t hasFailed;
static int32_t isDead;
static disk_listener listener;
// The wrappers' own calls, and the listener's, pass.
static __thread int isInside;

// The C library's own function of that name.
#define REAL(name) \
    static _Atomic(__typeof__(name) *) found; \
    __typeof__(name) *real = atomic_load_explicit(&found, memory_order_relaxed); \
    if (!real) { \
        real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
        atomic_store_explicit(&found, real, memory_order_relaxed); \
    } \
    (void)0

void disk_watch(const char *directory) {
    pthread_mutex_lock(&mutex);
    counts[0] = counts[1] = 0;
    chosen = -1;
    fault = DISK_FAULT_NONE;
    hasFailed = isDead = 0;
    snprintf(prefix, sizeof prefix, "%s", directory ? directory : "");
    atomic_store(&watching, directory != NULL);
    pthread_mutex_unlock(&mutex);
}

void disk_fail(int64_t number, int32_t kind, int32_t ofReads) {
    pthread_mutex_lock(&mutex);
    chosen = number;
    fault = kind;
    faultOfReads = ofReads != 0;
    pthread_mutex_unlock(&mutex);
}

int64_t disk_count(int32_t ofReads) {
    pthread_mutex_lock(&mutex);
    int64_t count = counts[ofReads != 0];
    pthread_mutex_unlock(&mutex);
    return count;
}

int32_t disk_has_failed(void) {
    pthread_mutex_lock(&mutex);
    int32_t failed = hasFailed;
    pthread_mutex_unlock(&mutex);
    return failed;
}

void disk_listen(disk_listener heard) {
    pthread_mutex_lock(&mutex);
    listener = heard;
    pthread_mutex_unlock(&mutex);
}

// What a wrapper is to do.
enum verdict { PASS, REFUSE, HALF };

static int isWatched(const char *path) {
    size_t length = strlen(prefix);
    if (strncmp(path, prefix, length) != 0 || (path[length] != '/' && path[length] != 0)) return 0;
    // SQLite's index of the log is memory, and what it says is found again in the log.
    size_t end = strlen(path);
    return end < 4 || strcmp(path + end - 4, "-shm") != 0;
}

static int pathOf(int descriptor, char *path) {
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(name, path, PATH_MAX - 1);
    if (count <= 0) return 0;
    path[count] = 0;
    return 1;
}

static int pathAt(int directory, const char *name, char *path) {
    if (name[0] == '/' || directory == AT_FDCWD) {
        snprintf(path, PATH_MAX, "%s", name);
        return 1;
    }
    char folder[PATH_MAX];
    if (!pathOf(directory, folder)) return 0;
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

// Counts the operation, tells the listener of a change, and says what is to happen.
static enum verdict meet(struct disk_event event) {
    if (!isWatched(event.path)) return PASS;
    enum verdict verdict = PASS;
    int isRead = event.kind == DISK_READ;
    pthread_mutex_lock(&mutex);
    int64_t number = counts[isRead]++;
    int isWrite = event.kind == DISK_WRITE && event.count > 1;
    if (isDead) {
        verdict = REFUSE;
        errno = EIO;
    } else if (fault != DISK_FAULT_NONE && isRead == faultOfReads && number == chosen) {
        hasFailed = 1;
        isDead = fault == DISK_FAULT_DEAD || fault == DISK_FAULT_TORN_DEAD;
        int isTorn = fault == DISK_FAULT_SHORT || fault == DISK_FAULT_TORN
            || fault == DISK_FAULT_TORN_DEAD;
        verdict = isTorn && isWrite ? HALF : REFUSE;
        errno = fault == DISK_FAULT_ENOSPC || fault == DISK_FAULT_TORN ? ENOSPC : EIO;
    } else if (listener && !isRead) {
        isInside++;
        listener(&event);
        isInside--;
    }
    pthread_mutex_unlock(&mutex);
    return verdict;
}

static int isOpen(void) { return atomic_load(&watching) && !isInside; }

static enum verdict meetDescriptor(
    int descriptor, int32_t kind, int64_t offset, const void *bytes, size_t count
) {
    if (!isOpen()) return PASS;
    char path[PATH_MAX];
    int before = errno;
    if (!pathOf(descriptor, path)) {
        errno = before;
        return PASS;
    }
    struct disk_event event = {kind, path, NULL, offset, bytes, (int64_t)count};
    return meet(event);
}

static enum verdict meetPath(int directory, const char *name, int32_t kind) {
    char path[PATH_MAX];
    if (!isOpen() || !pathAt(directory, name, path)) return PASS;
    struct disk_event event = {kind, path, NULL, 0, NULL, 0};
    return meet(event);
}

// Half of a write arrives: a torn one is an error all the same.
static ssize_t half(ssize_t written) {
    if (fault == DISK_FAULT_SHORT) return written;
    errno = fault == DISK_FAULT_TORN ? ENOSPC : EIO;
    return -1;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    REAL(write);
    if (!isOpen()) return real(descriptor, bytes, count);
    off_t offset = lseek(descriptor, 0, SEEK_CUR);
    switch (meetDescriptor(descriptor, DISK_WRITE, offset, bytes, count)) {
    case PASS: return real(descriptor, bytes, count);
    case HALF: return half(real(descriptor, bytes, count / 2));
    case REFUSE: return -1;
    }
    return -1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    switch (meetDescriptor(descriptor, DISK_WRITE, offset, bytes, count)) {
    case PASS: return real(descriptor, bytes, count, offset);
    case HALF: return half(real(descriptor, bytes, count / 2, offset));
    case REFUSE: return -1;
    }
    return -1;
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
    REAL(pread64);
    if (meetDescriptor(descriptor, DISK_READ, offset, NULL, count) != PASS) return -1;
    return real(descriptor, bytes, count, offset);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    REAL(read);
    if (meetDescriptor(descriptor, DISK_READ, 0, NULL, count) != PASS) return -1;
    return real(descriptor, bytes, count);
}

int ftruncate64(int descriptor, off64_t size) {
    REAL(ftruncate64);
    if (meetDescriptor(descriptor, DISK_TRUNCATE, size, NULL, 0) != PASS) return -1;
    return real(descriptor, size);
}

// Swift calls these by their shorter names; off_t has 64 bits here.
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    return pread64(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

int fsync(int descriptor) {
    REAL(fsync);
    if (meetDescriptor(descriptor, DISK_SYNC, 0, NULL, 0) != PASS) return -1;
    return real(descriptor);
}

int fdatasync(int descriptor) {
    REAL(fdatasync);
    if (meetDescriptor(descriptor, DISK_SYNC, 0, NULL, 0) != PASS) return -1;
    return real(descriptor);
}

static enum verdict meetRename(int from, const char *name, int to, const char *target) {
    char path[PATH_MAX], next[PATH_MAX];
    if (!isOpen() || !pathAt(from, name, path) || !pathAt(to, target, next)) return PASS;
    struct disk_event event = {DISK_RENAME, path, next, 0, NULL, 0};
    return meet(event);
}

int rename(const char *name, const char *target) {
    REAL(rename);
    if (meetRename(AT_FDCWD, name, AT_FDCWD, target) != PASS) return -1;
    return real(name, target);
}

int renameat(int from, const char *name, int to, const char *target) {
    REAL(renameat);
    if (meetRename(from, name, to, target) != PASS) return -1;
    return real(from, name, to, target);
}

static int isThere(int directory, const char *name) {
    struct stat status;
    int before = errno;
    int found = fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    errno = before;
    return found;
}

int unlink(const char *name) {
    REAL(unlink);
    if (isOpen() && isThere(AT_FDCWD, name) && meetPath(AT_FDCWD, name, DISK_REMOVE) != PASS) {
        return -1;
    }
    return real(name);
}

int unlinkat(int directory, const char *name, int flags) {
    REAL(unlinkat);
    if (isOpen() && isThere(directory, name) && meetPath(directory, name, DISK_REMOVE) != PASS) {
        return -1;
    }
    return real(directory, name, flags);
}

// An open that makes a file is a change; any other is none.
static enum verdict meetOpen(int directory, const char *name, int flags) {
    if (!(flags & O_CREAT) || !isOpen() || isThere(directory, name)) return PASS;
    return meetPath(directory, name, DISK_CREATE);
}

static mode_t modeOf(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = modeOf(flags, arguments); \
        va_end(arguments); \
        if (meetOpen(AT_FDCWD, path, flags) != PASS) return -1; \
        return real(path, flags, mode); \
    }

#define OPENAT(name) \
    int name(int directory, const char *path, int flags, ...) { \
        REAL(name); \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = modeOf(flags, arguments); \
        va_end(arguments); \
        if (meetOpen(directory, path, flags) != PASS) return -1; \
        return real(directory, path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
