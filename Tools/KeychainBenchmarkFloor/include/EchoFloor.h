#ifndef KEYCHAIN_BENCHMARK_ECHO_FLOOR_H
#define KEYCHAIN_BENCHMARK_ECHO_FLOOR_H

#include <stddef.h>

/* The least that a call through a socket could cost: a thread for each connection receives a request
 * of a known size, with the credentials of its sender, and sends a reply of a known size. Nothing is
 * read or checked, and nothing is computed but what the caller wants between the two. */

/* Listens at a path. The listening socket, or -1. */
int echo_listen(const char *path);

/* Serves every connection until the process ends. Returns only where it cannot go on. `work`, if not
 * NULL, is done between a request and its reply; 1 for success. */
void echo_serve(int listener, size_t request_count, size_t reply_count, int (*work)(void));

/* Connects to a path. The socket, or -1. */
int echo_connect(const char *path);

/* Sends a request and receives the reply. 1 for success. */
int echo_call(int socket, size_t request_count, size_t reply_count);

/* Closes a socket. */
void echo_close(int socket);

#endif
