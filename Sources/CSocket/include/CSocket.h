// What Swift cannot call by itself: macros that walk control messages, and structures that glibc
// shows to GNU sources only.
//
// Every function that makes a descriptor has the kernel close it on execve(2).

#ifndef CSOCKET_H
#define CSOCKET_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A process as the kernel describes it with a message or a connection.
struct socket_peer {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
};

/// What came of one read.
struct socket_chunk {
    /// The bytes that were read; 0 at the end of the stream; -1 with `code`.
    ssize_t byte_count;
    /// `errno` of a read that failed.
    int code;
    /// Whether `peer` is what the kernel says of the sender.
    int has_peer;
    struct socket_peer peer;
    /// A descriptor of the sending process; -1 if none came.
    int process;
    /// The descriptor that the sender handed over, if one was wanted; -1 if none came.
    int descriptor;
    /// Whether the sender handed over descriptors that nobody wanted; they are closed.
    int had_descriptors;
};

/// What a reader wants beside bytes and the sender's identity.
enum socket_wish {
    /// Nothing: the kernel makes no descriptor at all.
    SOCKET_WISH_NOTHING = 0,
    /// A descriptor of the sending process, where the kernel can tell.
    SOCKET_WISH_PROCESS = 1,
    /// One descriptor that the sender hands over.
    SOCKET_WISH_DESCRIPTOR = 2,
};

/// Reads into two pieces of memory, one behind the other, without waiting; closes every descriptor
/// that was not wanted.
///
/// The second piece may be empty.
struct socket_chunk socket_receive(int socket, void *first, size_t first_count, void *second,
                                   size_t second_count, int wish);

/// Writes two pieces, one behind the other, without waiting and without a signal; with a descriptor
/// unless that is -1.
///
/// Returns the count of bytes, or -1 with `errno`.
ssize_t socket_send(int socket, const void *first, size_t first_count, const void *second,
                    size_t second_count, int descriptor);

/// Ends a connection in both directions, and makes its last close(2) wait for nobody.
///
/// What was sent and not read may hold sockets of the sender, which linger when they are closed
/// (SO_LINGER, socket(7)): for hours, in the thread that closes the connection. A thread that ends
/// lingers for nothing. So a thread of its own ends with such a connection, and the number stands
/// for something else until the caller closes it.
///
/// Returns 0, or -1 with `errno` where closing may wait all the same.
int socket_let_go(int socket);

/// Has the kernel tell with every message who sent it, and, where it can, by a descriptor of the
/// sending process.
///
/// A listening socket hands the setting on to the sockets that it accepts. Returns 0, or -1 with
/// `errno`.
int socket_tell_senders(int socket);

/// Reads who connected. Returns 0, or -1 with `errno`.
int socket_peer_of(int socket, struct socket_peer *peer);

/// Returns a descriptor of the process that connected, or -1 with `errno`.
int socket_peer_process(int socket);

/// Returns a descriptor of a process, or -1 with `errno`.
int process_descriptor(int32_t pid);

/// Makes a stream socket of this machine; returns it, or -1 with `errno`.
int socket_make(void);

/// Binds, or connects, a socket to a path.
///
/// Returns 0, or -1 with `errno`: ENAMETOOLONG for a path that no socket can have.
int socket_bind(int socket, const char *path);
int socket_connect(int socket, const char *path);

/// Accepts a connection without waiting; returns it, or -1 with `errno`.
int socket_accept(int listener);

/// Has a connect(2) that waits for its turn give up. Returns 0, or -1 with `errno`.
int socket_limit_connecting(int socket, int milliseconds);

/// Makes a pair of connected sockets. Returns 0, or -1 with `errno`.
int socket_make_pair(int sockets[2]);

/// Makes a descriptor whose counter wakes whoever polls it; returns it, or -1 with `errno`.
int event_make(void);

/// Makes a set of descriptors that one thread waits for; returns it, or -1 with `errno`.
int watch_make(void);

/// Has a set tell once when something arrives at a descriptor, or it ends; `key` is what it tells.
///
/// Returns 0, or -1 with `errno`.
int watch_add(int set, int descriptor, uint64_t key);

/// Takes a descriptor out of a set. Returns 0, or -1 with `errno`.
int watch_remove(int set, int descriptor);

/// Waits until a set has something to tell, and takes at most `count` keys.
///
/// Returns how many, or -1 with `errno`.
int watch_wait(int set, uint64_t *keys, int count);

/// Fills memory with random bytes. Returns 0, or -1 with `errno`.
int random_fill(void *buffer, size_t count);

#endif
