// Shows ThreadSanitizer the order that Swift's Mutex gives when threads meet at one.
//
// Definitions  A Mutex is taken and given back by an atomic exchange, which the compiler puts into
//              the caller, where the sanitizer sees it. Threads that meet take the slow way, which
//              is code of Swift's own library, and that is not instrumented.
// Invariants   (1) Whoever comes out of the slow way of locking comes after whoever let the lock go.
//              (2) Whoever enters the slow way of unlocking has let go of it, as far as others see.
//
// The two functions below stand before Swift's own, which they call. Without the sanitizer there
// is nothing here.

#include "CMutexOrder.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CONTEXT __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*lock_function)(uint32_t thread, CONTEXT void *handle);
typedef SWIFT void (*unlock_function)(CONTEXT void *handle);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void mutex_order_lock(uint32_t thread, CONTEXT void *handle) __asm__(LOCK);
SWIFT void mutex_order_unlock(CONTEXT void *handle) __asm__(UNLOCK);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        fprintf(stderr, "CMutexOrder: Swift's library has no %s\n", name);
        abort();
    }
    return function;
}

SWIFT void mutex_order_lock(uint32_t thread, CONTEXT void *handle) {
    ((lock_function)next(LOCK))(thread, handle);
    __tsan_acquire(handle);
}

SWIFT void mutex_order_unlock(CONTEXT void *handle) {
    __tsan_release(handle);
    ((unlock_function)next(UNLOCK))(handle);
}

#endif
#endif
