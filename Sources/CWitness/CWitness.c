#define _GNU_SOURCE
#include "CWitness.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x00001000U
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

const int witness_path_only = O_PATH;

// Headers before Linux 5.8 have no member for the mount, so the kernel's layout is spelled here.
struct kernel_time {
    int64_t seconds;
    uint32_t nanoseconds;
    int32_t reserved;
};
struct kernel_statx {
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, reserved;
    uint64_t inode, size, blocks, attributes_mask;
    struct kernel_time accessed, born, changed, modified;
    uint32_t of_major, of_minor, device_major, device_minor;
    uint64_t mount;
    uint64_t spare[13];
};

int witness_look(int descriptor, struct witness_file *file) {
    struct kernel_statx found;
    memset(&found, 0, sizeof found);
    unsigned int wanted = STATX_BASIC_STATS | STATX_MNT_ID;
    long result = syscall(SYS_statx, descriptor, "",
                          AT_EMPTY_PATH | AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, wanted, &found);
    if (result != 0) return -1;
    if ((found.mask & STATX_BASIC_STATS) != STATX_BASIC_STATS || !(found.mask & STATX_MNT_ID)) {
        errno = ENOSYS;
        return -1;
    }
    file->device = makedev(found.device_major, found.device_minor);
    file->inode = found.inode;
    file->size = found.size;
    file->mount = found.mount;
    file->modified_seconds = found.modified.seconds;
    file->modified_nanoseconds = found.modified.nanoseconds;
    file->changed_seconds = found.changed.seconds;
    file->changed_nanoseconds = found.changed.nanoseconds;
    file->user = found.user;
    file->group = found.group;
    file->mode = found.mode;
    return 0;
}

int witness_has_list(int descriptor) {
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ssize_t size = getxattr(path, "system.posix_acl_access", NULL, 0);
    if (size >= 0) return size > 0;
    return errno == ENODATA || errno == EOPNOTSUPP ? 0 : -1;
}

int witness_has_capabilities(int descriptor) {
    ssize_t size = fgetxattr(descriptor, "security.capability", NULL, 0);
    if (size >= 0) return size > 0;
    return errno == ENODATA || errno == EOPNOTSUPP ? 0 : -1;
}

int witness_open_process(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0U);
}

int witness_is_alive(int process) {
    if (syscall(SYS_pidfd_send_signal, process, 0, NULL, 0U) == 0) return 1;
    // EPERM: it lives, and belongs to another account.
    if (errno == EPERM) return 1;
    return errno == ESRCH ? 0 : -1;
}

static int set_capabilities(uint32_t low) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    data[0].effective = low;
    data[0].permitted = low;
    return (int)syscall(SYS_capset, &header, data);
}

int witness_has_one_capability(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    if (syscall(SYS_capget, &header, data) != 0) return 0;
    uint32_t only = UINT32_C(1) << CAP_SYS_PTRACE;
    return data[0].effective == only && data[0].permitted == only && data[1].effective == 0
        && data[1].permitted == 0;
}

static int drop_bounding_set(void) {
    for (unsigned long capability = 0; capability < 64; capability++) {
        if (capability == CAP_SYS_PTRACE) continue;
        int has = prctl(PR_CAPBSET_READ, capability, 0UL, 0UL, 0UL);
        if (has < 0) break;
        if (has == 1 && prctl(PR_CAPBSET_DROP, capability, 0UL, 0UL, 0UL) != 0) return -1;
    }
    return 0;
}

int witness_keep_one_capability(uid_t user, gid_t group) {
    if (geteuid() == 0) {
        if (drop_bounding_set() != 0) return -1;
        if (prctl(PR_SET_KEEPCAPS, 1UL, 0UL, 0UL, 0UL) != 0) return -1;
        if (setgroups(0, NULL) != 0) return -1;
        if (setresgid(group, group, group) != 0) return -1;
        if (setresuid(user, user, user) != 0) return -1;
    }
    // A filter of the unit may forbid capset(2), which is then not needed.
    if (!witness_has_one_capability() && set_capabilities(UINT32_C(1) << CAP_SYS_PTRACE) != 0)
        return -1;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0UL, 0UL, 0UL) != 0) return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return -1;
    if (prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL) != 0) return -1;
    if (getuid() == 0 || geteuid() == 0 || !witness_has_one_capability()) {
        errno = EPERM;
        return -1;
    }
    return 0;
}

union control_space {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(4 * sizeof(int)) + CMSG_SPACE(64)];
};

ssize_t witness_send(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {(void *)bytes, count};
    union control_space control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

// Takes the first descriptor of a header, closes all others, and counts them.
static size_t take_descriptors(struct cmsghdr *header, int *descriptor) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
        int received;
        memcpy(&received, CMSG_DATA(header) + index * sizeof(int), sizeof received);
        if (*descriptor < 0) {
            *descriptor = received;
        } else {
            close(received);
        }
    }
    return count;
}

ssize_t witness_receive(int socket, void *bytes, size_t count, int *descriptor) {
    struct iovec part = {bytes, count};
    union control_space control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    *descriptor = -1;
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    size_t descriptors = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        descriptors += take_descriptors(header, descriptor);
    }
    if (descriptors > 1 || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
        if (*descriptor >= 0) close(*descriptor);
        *descriptor = -1;
        errno = EMSGSIZE;
        return -1;
    }
    return received;
}

int witness_peer(int socket, uid_t *user, pid_t *process) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *user = peer.uid;
    *process = peer.pid;
    return 0;
}

int witness_name_path(const char *path, struct witness_name *name) {
    memset(name, 0, sizeof *name);
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof name->bytes) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(name->bytes, path, length);
    name->count = (uint32_t)length + 1;
    return 0;
}

static socklen_t set_address(const struct witness_name *name, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t count = name->count < sizeof address->sun_path ? name->count : sizeof address->sun_path;
    memcpy(address->sun_path, name->bytes, count);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count);
}

int witness_bind(int socket, struct witness_name *name) {
    struct sockaddr_un address;
    socklen_t size = set_address(name, &address);
    if (bind(socket, (struct sockaddr *)&address, size) != 0) return -1;
    if (name->count > 0) return 0;
    size = sizeof address;
    if (getsockname(socket, (struct sockaddr *)&address, &size) != 0) return -1;
    if (size <= offsetof(struct sockaddr_un, sun_path) || size > sizeof address) {
        errno = EADDRNOTAVAIL;
        return -1;
    }
    name->count = (uint32_t)(size - offsetof(struct sockaddr_un, sun_path));
    memcpy(name->bytes, address.sun_path, name->count);
    return 0;
}

int witness_connect(int socket, const struct witness_name *name) {
    struct sockaddr_un address;
    socklen_t size = set_address(name, &address);
    int result;
    do result = connect(socket, (struct sockaddr *)&address, size);
    while (result != 0 && errno == EINTR);
    return result;
}

int witness_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int witness_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int witness_limit_waiting(int socket, unsigned int seconds) {
    struct timeval limit = {(time_t)seconds, 0};
    if (setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0) return -1;
    return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

pid_t witness_spawn(const char *program, char *const arguments[], int listener, int lifeline) {
    static char *const environment[] = {NULL};
    pid_t child = fork();
    if (child != 0) return child;
    // From here on only what is safe after fork(2) in a program with threads.
    // Whoever started the daemon may have ignored some, such as nohup(1).
    struct sigaction normal = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &normal, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_WRONLY);
    if (null < 0 || dup2(lifeline, 0) < 0 || dup2(null, 1) < 0) _exit(126);
    if (listener != 3 && dup2(listener, 3) < 0) _exit(126);
    if (listener == 3 && fcntl(3, F_SETFD, 0) != 0) _exit(126);
    if (syscall(SYS_close_range, 4U, ~0U, 0U) != 0) _exit(126);
    execve(program, arguments, environment);
    _exit(127);
}
