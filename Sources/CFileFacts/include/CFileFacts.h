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

/// The names of the extended attributes of the file that a path leads to, each with a NUL.
long file_attribute_names(const char *path, void *buffer, size_t size);

/// Reads an extended attribute of an open file.
long file_held_attribute(int descriptor, const char *name, void *buffer, size_t size);

/// Sets an extended attribute of an open file.
int file_give_attribute(int descriptor, const char *name, const void *bytes, size_t count);

/// Removes an extended attribute of an open file.
int file_drop_attribute(int descriptor, const char *name);

/// Renames a file unless the name is taken (EEXIST). EINVAL or ENOSYS where that is not known.
int file_name_new(const char *path, const char *name);

/// The same in an open directory.
int file_name_new_in(int directory, const char *name, const char *new_name);

/// Opens a new file for writing that has no name in its directory yet (O_TMPFILE).
int file_open_unnamed(int directory, unsigned mode);

/// Asks a directory or file for its fscrypt policy (FS_IOC_GET_ENCRYPTION_POLICY_EX).
///
/// The version of the policy: 1 or 2; -1 with errno for none.
int file_encryption_policy(int descriptor);

/// The magic number of the file system; 0 if it cannot be told.
uint64_t file_system_magic(int descriptor);

#endif
