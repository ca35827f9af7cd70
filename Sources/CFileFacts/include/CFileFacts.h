#ifndef CFILEFACTS_H
#define CFILEFACTS_H

#include <stddef.h>
#include <stdint.h>

// What Swift's Glibc leaves out of the system's calls about files. -1 with errno for an error.

/// Reads an extended attribute of the file that a path leads to.
long file_attribute(const char *path, const char *name, void *buffer, size_t size);

/// Sets an extended attribute.
int file_set_attribute(const char *path, const char *name, const void *bytes, size_t count);

/// Removes an extended attribute.
int file_remove_attribute(const char *path, const char *name);

/// The names of the extended attributes of an open file, each with a NUL.
long file_held_attribute_names(int descriptor, void *buffer, size_t size);

/// Reads an extended attribute of an open file.
long file_held_attribute(int descriptor, const char *name, void *buffer, size_t size);

/// Sets an extended attribute of an open file.
int file_give_attribute(int descriptor, const char *name, const void *bytes, size_t count);

/// Removes an extended attribute of an open file.
int file_drop_attribute(int descriptor, const char *name);

/// Whether something else is mounted at a name in a directory: 1 or 0; -1 if the system does not
/// tell. Files of one mount may have several device numbers (overlayfs).
int file_is_mount(int directory, const char *name);

/// Renames a file in a directory unless the name is taken (EEXIST). EINVAL or ENOSYS where that is
/// not known.
int file_name_new(int directory, const char *name, const char *new_name);

/// Lets two files in a directory have each other's names. EINVAL or ENOSYS where that is not known.
int file_exchange(int directory, const char *name, const char *other);

/// Lets nobody open the file for writing until `file_release`: they wait.
///
/// EAGAIN if somebody has it open for writing. ENOTSUP, EINVAL or EACCES where it cannot be told,
/// as in network file systems. Whoever waits sends SIGURG, which is ignored by default.
int file_hold(int descriptor);

/// Whether the file is held and nobody waits to open it for writing: 1 or 0.
int file_is_held(int descriptor);

/// Ends what `file_hold` began.
int file_release(int descriptor);

/// The first place from a place on that is not in a hole; -1 with ENXIO for none.
int64_t file_next_data(int descriptor, int64_t from);

/// Opens a new file for writing that has no name in its directory yet (O_TMPFILE).
int file_open_unnamed(int directory, unsigned mode);

/// Asks a directory or file for its fscrypt policy (FS_IOC_GET_ENCRYPTION_POLICY_EX).
///
/// The version of the policy: 1 or 2; -1 with errno for none.
int file_encryption_policy(int descriptor);

/// The magic number of the file system; 0 if it cannot be told.
uint64_t file_system_magic(int descriptor);

#endif
