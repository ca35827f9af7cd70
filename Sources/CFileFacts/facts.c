#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CFileFacts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

long file_held_attribute_names(int descriptor, void *buffer, size_t size) {
    return flistxattr(descriptor, buffer, size);
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

int file_is_mount(int directory, const char *name) {
    struct statx facts;
    if (statx(directory, name, AT_SYMLINK_NOFOLLOW, 0, &facts) != 0) return -1;
    if (!(facts.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT)) return -1;
    return (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

int file_name_new(int directory, const char *name, const char *new_name) {
    return (int)syscall(SYS_renameat2, directory, name, directory, new_name, RENAME_NOREPLACE);
}

int file_exchange(int directory, const char *name, const char *other) {
    return (int)syscall(SYS_renameat2, directory, name, directory, other, RENAME_EXCHANGE);
}

int file_hold(int descriptor) {
    // Others answer EAGAIN also where nobody writes.
    switch (file_system_magic(descriptor)) {
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC: break;
    default: errno = ENOTSUP; return -1;
    }
    // The signal of leases ends a process by default.
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return -1;
    return fcntl(descriptor, F_SETLEASE, F_RDLCK);
}

int file_is_held(int descriptor) { return fcntl(descriptor, F_GETLEASE) == F_RDLCK; }

int file_release(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_UNLCK); }

int64_t file_next_data(int descriptor, int64_t from) {
    return lseek(descriptor, from, SEEK_DATA);
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
