#define _GNU_SOURCE
#include "CSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// Newer than the headers of some systems that build this; asm-generic/socket.h has the numbers.
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SCM_PIDFD
#define SCM_PIDFD 0x04
#endif

// The kernel passes at most this many descriptors with one message (SCM_MAX_FD, unix(7)).
#define DESCRIPTOR_LIMIT 253

static void take_descriptors(const struct cmsghdr *header, int wish, struct socket_chunk *chunk) {
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < count; index++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
        if (wish == SOCKET_WISH_DESCRIPTOR && chunk->descriptor < 0) {
            chunk->descriptor = descriptor;
        } else {
            chunk->had_descriptors = 1;
            close(descriptor);
        }
    }
}

static void take(const struct cmsghdr *header, int wish, struct socket_chunk *chunk) {
    if (header->cmsg_level != SOL_SOCKET) return;
    if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len >= CMSG_LEN(sizeof(struct ucred))) {
        struct ucred credentials;
        memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
        chunk->has_peer = 1;
        chunk->peer.pid = credentials.pid;
        chunk->peer.uid = credentials.uid;
        chunk->peer.gid = credentials.gid;
    } else if (header->cmsg_type == SCM_RIGHTS) {
        take_descriptors(header, wish, chunk);
    } else if (header->cmsg_type == SCM_PIDFD && header->cmsg_len >= CMSG_LEN(sizeof(int))) {
        int process;
        memcpy(&process, CMSG_DATA(header), sizeof process);
        if (process < 0) return;
        if (wish == SOCKET_WISH_PROCESS && chunk->process < 0) {
            chunk->process = process;
        } else {
            close(process);
        }
    }
}

struct socket_chunk socket_receive(int socket, void *first, size_t first_count, void *second,
                                   size_t second_count, int wish) {
    struct socket_chunk chunk = {.process = -1, .descriptor = -1};
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))
                   + CMSG_SPACE(sizeof(int) * DESCRIPTOR_LIMIT)];
        struct cmsghdr alignment;
    } control;
    // In a buffer for credentials alone the kernel makes no descriptor: it drops what does not fit.
    size_t room = wish == SOCKET_WISH_NOTHING ? CMSG_SPACE(sizeof(struct ucred)) : sizeof control;
    struct iovec parts[2] = {
        {.iov_base = first, .iov_len = first_count},
        {.iov_base = second, .iov_len = second_count},
    };
    struct msghdr message = {
        .msg_iov = parts,
        .msg_iovlen = second_count > 0 ? 2 : 1,
        .msg_control = control.bytes,
        .msg_controllen = room,
    };
    do {
        chunk.byte_count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (chunk.byte_count < 0 && errno == EINTR);
    if (chunk.byte_count < 0) {
        chunk.code = errno;
        return chunk;
    }
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        take(header, wish, &chunk);
    }
    return chunk;
}

ssize_t socket_send(int socket, const void *first, size_t first_count, const void *second,
                    size_t second_count, int descriptor) {
    struct iovec parts[2] = {
        {.iov_base = (void *)first, .iov_len = first_count},
        {.iov_base = (void *)second, .iov_len = second_count},
    };
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

int socket_tell_senders(int socket) {
    int on = 1;
    if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) return -1;
    // Kernels before 6.5 do not know it; their callers look for the process by other means.
    if (setsockopt(socket, SOL_SOCKET, SO_PASSPIDFD, &on, sizeof on) != 0 && errno != ENOPROTOOPT) {
        return -1;
    }
    return 0;
}

int socket_peer_of(int socket, struct socket_peer *peer) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    peer->pid = credentials.pid;
    peer->uid = credentials.uid;
    peer->gid = credentials.gid;
    return 0;
}

int socket_peer_process(int socket) {
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) != 0) return -1;
    return process;
}

int process_descriptor(int32_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int socket_make(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

static int make_address(const char *path, struct sockaddr_un *address) {
    size_t count = strlen(path);
    if (count == 0 || count >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, count);
    return 0;
}

int socket_bind(int socket, const char *path) {
    struct sockaddr_un address;
    if (make_address(path, &address) != 0) return -1;
    return bind(socket, (struct sockaddr *)&address, sizeof address);
}

int socket_connect(int socket, const char *path) {
    struct sockaddr_un address;
    if (make_address(path, &address) != 0) return -1;
    int result;
    do {
        result = connect(socket, (struct sockaddr *)&address, sizeof address);
    } while (result != 0 && errno == EINTR);
    return result;
}

int socket_accept(int listener) {
    int socket;
    do {
        socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    } while (socket < 0 && errno == EINTR);
    return socket;
}

int socket_limit_connecting(int socket, int milliseconds) {
    struct timeval limit = {
        .tv_sec = milliseconds / 1000,
        .tv_usec = (milliseconds % 1000) * 1000,
    };
    return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

int socket_make_pair(int sockets[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets);
}

int event_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int random_fill(void *buffer, size_t count) {
    char *next = buffer;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return -1;
        next += got;
        count -= (size_t)got;
    }
    return 0;
}

int watch_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

int watch_add(int set, int descriptor, uint64_t key) {
    struct epoll_event event = {
        .events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT, .data = {.u64 = key}};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

int watch_remove(int set, int descriptor) {
    return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL);
}

int watch_wait(int set, uint64_t *keys, int count) {
    struct epoll_event events[64];
    if (count > 64) count = 64;
    int found = epoll_wait(set, events, count, -1);
    for (int index = 0; index < found; index++) keys[index] = events[index].data.u64;
    return found;
}

// A thread that has the process's descriptors for itself, and ends with them.
struct ending_thread {
    sem_t has_copies;
    sem_t may_end;
    int code;
};

static void *copy_descriptors_and_end(void *argument) {
    struct ending_thread *ending = argument;
    ending->code = unshare(CLONE_FILES) == 0 ? 0 : errno;
    sem_post(&ending->has_copies);
    while (sem_wait(&ending->may_end) != 0 && errno == EINTR) continue;
    sem_destroy(&ending->has_copies);
    sem_destroy(&ending->may_end);
    free(ending);
    return NULL;
}

static int start_ending_thread(struct ending_thread *ending) {
    pthread_attr_t attributes;
    pthread_t thread;
    int code = pthread_attr_init(&attributes);
    if (code != 0) return code;
    code = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (code == 0) code = pthread_attr_setstacksize(&attributes, 512 << 10);
    if (code == 0) code = pthread_create(&thread, &attributes, copy_descriptors_and_end, ending);
    pthread_attr_destroy(&attributes);
    return code;
}

int socket_let_go(int socket) {
    int count = 0;
    // From here on nothing arrives any more. A stream has no message without bytes.
    (void)shutdown(socket, SHUT_RDWR);
    if (ioctl(socket, FIONREAD, &count) == 0 && count == 0) return 0;
    struct ending_thread *ending = malloc(sizeof *ending);
    int empty = eventfd(0, EFD_CLOEXEC);
    if (ending == NULL || empty < 0 || sem_init(&ending->has_copies, 0, 0) != 0
        || sem_init(&ending->may_end, 0, 0) != 0 || start_ending_thread(ending) != 0) {
        free(ending);
        if (empty >= 0) close(empty);
        return -1;
    }
    while (sem_wait(&ending->has_copies) != 0 && errno == EINTR) continue;
    // The thread has the socket, too: this is not its end, and takes no time.
    int code = ending->code != 0 ? ending->code : dup3(empty, socket, O_CLOEXEC) < 0 ? errno : 0;
    close(empty);
    sem_post(&ending->may_end);
    errno = code;
    return code == 0 ? 0 : -1;
}
