#define _GNU_SOURCE
#include "EchoFloor.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MESSAGE_LIMIT (64 * 1024)
#define STACK_COUNT (256 * 1024)

struct echo_connection {
    int socket;
    size_t request_count;
    size_t reply_count;
    int (*work)(void);
};

static int make_address(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return -1;
    strcpy(address->sun_path, path);
    return 0;
}

/* Receives exactly so many bytes, and who sent them where the socket tells. 1 for success. */
static int receive_all(int socket, char *buffer, size_t count) {
    size_t received = 0;
    while (received < count) {
        union {
            char bytes[CMSG_SPACE(sizeof(struct ucred))];
            struct cmsghdr alignment;
        } control;
        struct iovec part = {.iov_base = buffer + received, .iov_len = count - received};
        struct msghdr message = {
            .msg_iov = &part,
            .msg_iovlen = 1,
            .msg_control = control.bytes,
            .msg_controllen = sizeof control.bytes,
        };
        ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        received += (size_t)got;
    }
    return 1;
}

static int send_all(int socket, const char *buffer, size_t count) {
    size_t sent = 0;
    while (sent < count) {
        ssize_t went = send(socket, buffer + sent, count - sent, MSG_NOSIGNAL);
        if (went < 0 && errno == EINTR) continue;
        if (went <= 0) return 0;
        sent += (size_t)went;
    }
    return 1;
}

static void *serve_connection(void *context) {
    struct echo_connection connection = *(struct echo_connection *)context;
    free(context);
    char *buffer = calloc(1, MESSAGE_LIMIT);
    while (buffer != NULL && receive_all(connection.socket, buffer, connection.request_count)) {
        if (connection.work != NULL && connection.work() != 1) break;
        if (!send_all(connection.socket, buffer, connection.reply_count)) break;
    }
    free(buffer);
    close(connection.socket);
    return NULL;
}

int echo_listen(const char *path) {
    struct sockaddr_un address;
    int on = 1;
    if (make_address(path, &address) != 0) return -1;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    if (setsockopt(listener, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0
        && bind(listener, (struct sockaddr *)&address, sizeof address) == 0
        && listen(listener, 128) == 0) {
        return listener;
    }
    close(listener);
    return -1;
}

void echo_serve(int listener, size_t request_count, size_t reply_count,
                int (*work)(void)) {
    pthread_attr_t attributes;
    if (request_count > MESSAGE_LIMIT || reply_count > MESSAGE_LIMIT) return;
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_COUNT);
    while (1) {
        int on = 1;
        pthread_t thread;
        int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
        if (socket < 0) return;
        struct echo_connection *connection = malloc(sizeof *connection);
        if (connection == NULL) return;
        *connection = (struct echo_connection){socket, request_count, reply_count, work};
        if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0
            || pthread_create(&thread, &attributes, serve_connection, connection) != 0) {
            close(socket);
            free(connection);
        }
    }
}

int echo_connect(const char *path) {
    struct sockaddr_un address;
    if (make_address(path, &address) != 0) return -1;
    int socket_number = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_number < 0) return -1;
    if (connect(socket_number, (struct sockaddr *)&address, sizeof address) == 0) {
        return socket_number;
    }
    close(socket_number);
    return -1;
}

int echo_call(int socket, size_t request_count, size_t reply_count) {
    static _Thread_local char buffer[MESSAGE_LIMIT];
    if (request_count > MESSAGE_LIMIT || reply_count > MESSAGE_LIMIT) return 0;
    return send_all(socket, buffer, request_count) && receive_all(socket, buffer, reply_count);
}

void echo_close(int socket) { close(socket); }
