#ifndef CDISKFAULTS_H
#define CDISKFAULTS_H

#include <stddef.h>
#include <stdint.h>

// Stands between this program and the file functions of the C library, for SQLite and the keychain
// alike: counts, fails or records what they do below one directory. Everything else passes.

/// What an operation does to a file.
enum disk_kind {
    DISK_CREATE = 0,
    DISK_WRITE = 1,
    DISK_TRUNCATE = 2,
    DISK_SYNC = 3,
    DISK_RENAME = 4,
    DISK_REMOVE = 5,
    DISK_READ = 6,
};

/// What happens to the chosen operation.
enum disk_fault {
    /// Nothing.
    DISK_FAULT_NONE = 0,
    /// It fails with EIO, once.
    DISK_FAULT_EIO = 1,
    /// It fails with ENOSPC, once.
    DISK_FAULT_ENOSPC = 2,
    /// A write writes half and says so, once; others fail with EIO.
    DISK_FAULT_SHORT = 3,
    /// A write writes half, then fails with ENOSPC, once; others fail with ENOSPC.
    DISK_FAULT_TORN = 4,
    /// It and everything after it fails with EIO: to the disk, the process is dead.
    DISK_FAULT_DEAD = 5,
    /// As before, but half of a write still arrives.
    DISK_FAULT_TORN_DEAD = 6,
};

/// One operation that is about to succeed; pointers are good for the length of the call.
struct disk_event {
    int32_t kind;
    /// The file's path.
    const char *path;
    /// The new path of a rename; NULL otherwise.
    const char *target;
    /// Where a write begins, or the size after a truncation.
    int64_t offset;
    /// What is written; NULL otherwise.
    const uint8_t *bytes;
    int64_t count;
};

/// Hears of every change below the directory, in order, on the thread that makes it.
typedef void (*disk_listener)(const struct disk_event *);

/// Watches everything below a directory, and starts counting at 0; NULL ends it.
void disk_watch(const char *directory);

/// Chooses the fault of the change with a number, or, if `ofReads`, of the read.
void disk_fail(int64_t number, int32_t fault, int32_t ofReads);

/// How many changes, or reads, there were since `disk_watch`.
int64_t disk_count(int32_t ofReads);

/// Whether the chosen fault has happened.
int32_t disk_has_failed(void);

/// Sets who hears of changes; NULL for nobody.
void disk_listen(disk_listener listener);

#endif
