#ifndef PKCS11_FUNCTIONS_H
#define PKCS11_FUNCTIONS_H

/* The path of the library that this code was loaded from; NULL if the loader does not know it. */
const char *keychain_pkcs11_library(void);

/* Watches forks from now on. A fork waits until no other thread is in the library, so that the child
   finds no lock taken by a thread that it does not have; it waits a second at most. Then `child` runs in
   the child, before anything else. Returns 0, or the error of pthread_atfork(3). */
int keychain_pkcs11_watch_forks(void (*child)(void));

/* Around everything that a thread does in the library. To enter waits while a fork is prepared. */
void keychain_pkcs11_enter(void);
void keychain_pkcs11_leave(void);

#endif
