#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CFileFacts.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

long file_attribute(const char *path, const char *name, void *buffer, size_t size) {
    return getxattr(path, name, buffer, size);
}

int file_set_attribute(const char *path, const char *name, const void *bytes, size_t count) {
    return setxattr(path, name, bytes, count, 0);
}

int file_remove_attribute(const char *path, const char *name) { return removexattr(path, name); }

long file_attribute_names(const char *path, void *buffer, size_t size) {
    return listxattr(path, buffer, size);
}

int file_give_attribute(int descriptor, const char *name, const void *bytes, size_t count) {
    return fsetxattr(descriptor, name, bytes, count, 0);
}

long file_held_attribute(int descriptor, const char *name, void *buffer, size_t size) {
    return fgetxattr(descriptor, name, buffer, size);
}

int file_drop_attribute(int descriptor, const char *name) {
    return fremovexattr(descriptor, name);
}

int file_name_new(const char *path, const char *name) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE);
}

int file_name_new_in(int directory, const char *name, const char *new_name) {
    return (int)syscall(
        SYS_renameat2, directory, name, directory, new_name, RENAME_NOREPLACE);
}

int file_open_unnamed(int directory, unsigned mode) {
    return openat(directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int file_encryption_policy(int descriptor) {
    struct fscrypt_get_policy_ex_arg argument = {0};
    argument.policy_size = sizeof argument.policy;
    if (ioctl(descriptor, FS_IOC_GET_ENCRYPTION_POLICY_EX, &argument) != 0) return -1;
    return argument.policy.version == FSCRYPT_POLICY_V1 ? 1 : 2;
}

uint64_t file_system_magic(int descriptor) {
    struct statfs facts;
    return fstatfs(descriptor, &facts) == 0 ? (uint64_t)facts.f_type : 0;
}
