// pam_keychain: hands the login password to the keychain daemon of the account that logs in.
//
// Laws  (1) Every function returns PAM_IGNORE: the module neither permits nor refuses a login.
//       (2) No function takes longer than its time limit.
//       (3) The password goes to a helper program over a socket, never in arguments or variables;
//           our copy is wiped. The helper runs with the rights of the account, and of nobody else.
//       (4) Between fork and exec only functions run that are safe after fork in a process with
//           several threads.
//
// Arguments in the PAM configuration: helper=PATH, socket=PATH, seconds=NUMBER.

#define _GNU_SOURCE
#include "helper.h"
#include <security/pam_modules.h>
#include <security/pam_ext.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

static const char *const default_helper = "/usr/libexec/keychain/keychain-pam";

static const char *argument(int argc, const char **argv, const char *name) {
    size_t length = strlen(name);
    for (int index = 0; index < argc; index++) {
        if (strncmp(argv[index], name, length) == 0) return argv[index] + length;
    }
    return NULL;
}

static const char *text(pam_handle_t *handle, int item) {
    const void *value = NULL;
    if (pam_get_item(handle, item, &value) != PAM_SUCCESS) return NULL;
    return value;
}

// The time limit that root chose; otherwise the usual one.
static int limit(int argc, const char **argv, int usual) {
    enum { longest = 600 };
    const char *words = argument(argc, argv, "seconds=");
    if (words == NULL) return usual;
    char *end = NULL;
    long seconds = strtol(words, &end, 10);
    return end != words && *end == 0 && seconds >= 1 && seconds <= longest ? (int)seconds : usual;
}

// Runs the helper, and notes what did not work in the system's log, without any secret. Returns
// what did not work, or NULL.
static const char *run(
    pam_handle_t *handle,
    struct keychain_errand *errand,
    int argc,
    const char **argv
) {
    const char *user = NULL;
    if (pam_get_user(handle, &user, NULL) != PAM_SUCCESS || user == NULL || *user == 0) return NULL;
    errand->user = user;
    errand->helper = argument(argc, argv, "helper=");
    if (errand->helper == NULL) errand->helper = default_helper;
    errand->socket = argument(argc, argv, "socket=");
    errand->seconds = limit(argc, argv, errand->seconds);
    const char *trouble = keychain_run_errand(errand);
    if (trouble != NULL) pam_syslog(handle, LOG_NOTICE, "cannot %s: %s", errand->verb, trouble);
    return trouble;
}

__attribute__((visibility("default"))) int pam_sm_authenticate(
    pam_handle_t *handle,
    int flags,
    int argc,
    const char **argv
) {
    (void)flags;
    struct keychain_errand errand = {.verb = "unlock", .seconds = 5};
    errand.first = text(handle, PAM_AUTHTOK);
    // Without a password, as with a key or a finger, there is nothing to hand over.
    if (errand.first != NULL && *errand.first != 0) run(handle, &errand, argc, argv);
    return PAM_IGNORE;
}

__attribute__((visibility("default"))) int pam_sm_chauthtok(
    pam_handle_t *handle,
    int flags,
    int argc,
    const char **argv
) {
    // The first of two rounds only asks whether a change is possible.
    if ((flags & PAM_UPDATE_AUTHTOK) == 0) return PAM_IGNORE;
    // Stretching two passcodes takes longer than one.
    struct keychain_errand errand = {.verb = "change", .seconds = 15};
    errand.first = text(handle, PAM_OLDAUTHTOK);
    errand.second = text(handle, PAM_AUTHTOK);
    // root changes a password without the old one: the keychain needs the old one.
    const char *trouble = NULL;
    if (errand.first != NULL && *errand.first != 0 && errand.second != NULL && *errand.second != 0)
        trouble = run(handle, &errand, argc, argv);
    // The password is another one from now on. A daemon that is late may change the passcode yet.
    if (trouble != NULL && (flags & PAM_SILENT) == 0)
        pam_error(
            handle,
            "Your keychain may still have its old passcode: %s. See: keychainctl passcode change",
            trouble
        );
    return PAM_IGNORE;
}

__attribute__((visibility("default"))) int pam_sm_setcred(
    pam_handle_t *handle,
    int flags,
    int argc,
    const char **argv
) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

// The user unit keychain-agent.service starts the agent: it knows the display, and ends it with the
// session. The functions exist so that a `session` line in the configuration does no harm.
__attribute__((visibility("default"))) int pam_sm_open_session(
    pam_handle_t *handle,
    int flags,
    int argc,
    const char **argv
) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}

__attribute__((visibility("default"))) int pam_sm_close_session(
    pam_handle_t *handle,
    int flags,
    int argc,
    const char **argv
) {
    (void)handle, (void)flags, (void)argc, (void)argv;
    return PAM_IGNORE;
}
