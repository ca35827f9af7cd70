// What Swift cannot call by itself of what looks at processes: statx(2), pidfds, capabilities, and
// descriptors that travel with a message.

#ifndef CWITNESS_H
#define CWITNESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The flag O_PATH of open(2): for looking at a file without the right to read it.
extern const int witness_path_only;

/// What is known of a file.
struct witness_file {
    uint64_t device, inode, size, mount;
    int64_t modified_seconds, changed_seconds;
    uint32_t modified_nanoseconds, changed_nanoseconds;
    uint32_t user, group, mode;
};

/// Looks at what a descriptor is open on, without a word to whoever serves the file system.
///
/// A descriptor of O_PATH does. Attributes may be old where a network has newer ones. Returns 0, or
/// -1 with `errno`; ENOSYS where the kernel does not tell the mount (before Linux 5.8).
int witness_look(int descriptor, struct witness_file *file);

/// Returns 1 if a file has an access control list, 0 if not, -1 with `errno`.
int witness_has_list(int descriptor);

/// Returns 1 if an executable has capabilities of its own, 0 if not, -1 with `errno`.
int witness_has_capabilities(int descriptor);

/// Returns a descriptor of a process that is closed on exec, or -1 with `errno`.
int witness_open_process(pid_t process);

/// Returns 1 while the process of a descriptor lives, 0 when it has ended, -1 with `errno`.
int witness_is_alive(int process);

/// Leaves the process with CAP_SYS_PTRACE and no other capability, for good.
///
/// As root it first becomes `user` and `group`, without further groups. Afterwards nothing it runs
/// gets more rights, and it is not dumpable. Returns 0, or -1 with `errno` where any step failed; the
/// process must then end.
int witness_keep_one_capability(uid_t user, gid_t group);

/// Returns 1 if CAP_SYS_PTRACE is the one effective and permitted capability, 0 if not.
int witness_has_one_capability(void);

/// Sends bytes as one message, with a descriptor if it is not -1.
///
/// Returns the bytes sent, or -1 with `errno`.
ssize_t witness_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives one message, and at most one descriptor, which is closed on exec.
///
/// Stores -1 where none came. Returns the bytes received, 0 at the end, or -1 with `errno`: EMSGSIZE
/// for a message that is longer, or has more descriptors; they are closed.
ssize_t witness_receive(int socket, void *bytes, size_t count, int *descriptor);

/// Stores the account and process at the other end of a connected socket; returns 0 or -1.
int witness_peer(int socket, uid_t *user, pid_t *process);

/// The name of a socket of AF_UNIX: a path, or an abstract name, which begins with a zero.
struct witness_name {
    char bytes[108];
    uint32_t count;
};

/// Stores a path as a name; returns 0, or -1 with `errno` ENAMETOOLONG.
int witness_name_path(const char *path, struct witness_name *name);

/// Binds a socket to a name; to one that the kernel invents and stores, if `count` is 0.
///
/// Returns 0, or -1 with `errno`.
int witness_bind(int socket, struct witness_name *name);

/// Connects a socket to a name; returns 0, or -1 with `errno`.
int witness_connect(int socket, const struct witness_name *name);

/// Accepts a connection that is closed on exec; returns it, or -1 with `errno`.
int witness_accept(int listener);

/// Makes a pipe that is closed on exec, first its reading end; returns 0, or -1 with `errno`.
int witness_pipe(int ends[2]);

/// Limits how long a socket sends and receives, in seconds; returns 0, or -1 with `errno`.
int witness_limit_waiting(int socket, unsigned int seconds);

/// Runs `program` as a child with an empty environment and four descriptors: `lifeline` as standard
/// input, nothing as standard output, the present standard error, and `listener` as descriptor 3.
///
/// Returns the child, or -1 with `errno`. `arguments` ends with NULL.
pid_t witness_spawn(const char *program, char *const arguments[], int listener, int lifeline);

#endif
