#define _GNU_SOURCE
#include "include/PKCS11Functions.h"
#include <pthread.h>
#include <time.h>

/* Definitions  "inside": between keychain_pkcs11_enter and keychain_pkcs11_leave.
   Invariants   (1) While a fork is prepared, no thread gets inside but the one that forks.
                (2) The lock is held for the time of a few instructions, never during the fork.
                (3) A thread that forks inside does not wait for itself. */

enum { longest_wait = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned inside, forking;
static void (*run_in_child)(void);
static _Thread_local unsigned own_inside, own_forking;

void keychain_pkcs11_enter(void) {
    pthread_mutex_lock(&lock);
    while (forking > 0 && own_inside == 0 && own_forking == 0)
        pthread_cond_wait(&changed, &lock);
    inside++;
    own_inside++;
    pthread_mutex_unlock(&lock);
}

void keychain_pkcs11_leave(void) {
    pthread_mutex_lock(&lock);
    inside--;
    own_inside--;
    if (forking > 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void before_fork(void) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += longest_wait;
    pthread_mutex_lock(&lock);
    forking++;
    own_forking++;
    while (inside > own_inside && pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &end) == 0)
        ;
    pthread_mutex_unlock(&lock);
}

static void in_parent(void) {
    pthread_mutex_lock(&lock);
    forking--;
    own_forking--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* A thread that does not exist here may hold the lock or wait: both begin anew. */
static void in_child(void) {
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    inside = own_inside;
    forking = 0;
    own_forking = 0;
    run_in_child();
}

int keychain_pkcs11_watch_forks(void (*child)(void)) {
    run_in_child = child;
    return pthread_atfork(before_fork, in_parent, in_child);
}
