// Runs the helper program for one errand.

#ifndef PAM_KEYCHAIN_HELPER_H
#define PAM_KEYCHAIN_HELPER_H

struct keychain_errand {
    // `unlock` or `change`.
    const char *verb;
    const char *user;
    const char *helper;
    // The daemon's socket; NULL for the usual one.
    const char *socket;
    // The password; for a change the old one.
    const char *first;
    // The new password of a change; else NULL.
    const char *second;
    // The time limit.
    int seconds;
};

// Returns NULL if the helper did what it should, else why not: a sentence without a secret.
const char *keychain_run_errand(const struct keychain_errand *errand);

#endif
