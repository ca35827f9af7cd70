#ifndef PKCS11_FUNCTIONS_H
#define PKCS11_FUNCTIONS_H

/* The path of the library that this code was loaded from; NULL if the loader does not know it. */
const char *keychain_pkcs11_library(void);

/* Calls `child` in every forked child of this process. Returns 0, or the error of pthread_atfork(3). */
int keychain_pkcs11_on_fork(void (*child)(void));

#endif
