/* Eight threads use a library, while the process forks, ends the module and begins another one, and
   loads the library again. A forked child uses the library, too. */
#include "client.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { worker_count = 8, child_seconds = 30 };

static const char *token;
static atomic_int stopped;
/* Odd while the module ends and another one begins. */
static atomic_ulong epoch;
static atomic_ulong whole_rounds, failed_calls;

/* Everything that a program does with a key of its own; the first code that is not CKR_OK. */
static CK_RV use(CK_SLOT_ID slot, CK_BBOOL stored) {
    CK_SESSION_HANDLE session = 0;
    CK_OBJECT_HANDLE public_key = 0, key = 0, found[8];
    unsigned char signature[64];
    unsigned long count = 0;
    CK_RV code = f->C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session);
    if (code != CKR_OK)
        return code;
    if ((code = new_pair(session, stored, &public_key, &key)) == CKR_OK &&
        (code = sign(session, key, signature)) == CKR_OK &&
        (code = verify(session, public_key, signature)) == CKR_OK &&
        (code = f->C_FindObjectsInit(session, NULL, 0)) == CKR_OK &&
        (code = f->C_FindObjects(session, found, 8, &count)) == CKR_OK &&
        (code = f->C_FindObjectsFinal(session)) == CKR_OK &&
        (code = f->C_DestroyObject(session, key)) == CKR_OK)
        code = f->C_DestroyObject(session, public_key);
    CK_RV closed = f->C_CloseSession(session);
    return code == CKR_OK ? closed : code;
}

/* Whether a call that a C_Finalize overtook may return this. */
static int is_overtaken(CK_RV code) {
    return code == CKR_OK || code == CKR_CRYPTOKI_NOT_INITIALIZED || code == CKR_SESSION_HANDLE_INVALID ||
           code == CKR_KEY_HANDLE_INVALID || code == CKR_OBJECT_HANDLE_INVALID || code == CKR_SLOT_ID_INVALID;
}

static void *work(void *argument) {
    CK_SLOT_ID slot = *(CK_SLOT_ID *)argument;
    for (unsigned long round = 0; !stopped; round++) {
        unsigned long before = epoch;
        CK_RV code = use(slot, round % 4 == 0);
        int undisturbed = before % 2 == 0 && before == epoch;
        if (undisturbed)
            expect("a round of a thread", code, CKR_OK);
        else if (!is_overtaken(code))
            expect("a round of a thread during C_Finalize", code, CKR_OK);
        whole_rounds += code == CKR_OK;
        failed_calls += code != CKR_OK;
        if (code == CKR_CRYPTOKI_NOT_INITIALIZED)
            usleep(1000);
    }
    return NULL;
}

/* In the child: the parent's module is not there, and one of its own works. */
static void be_child(void) {
    alarm(child_seconds);
    REFUSED(f->C_CloseSession(1), CKR_CRYPTOKI_NOT_INITIALIZED);
    OK(f->C_Initialize(NULL));
    CK_SLOT_ID slot = slot_of(token);
    OK(use(slot, CK_FALSE));
    OK(use(slot, CK_TRUE));
    OK(f->C_Finalize(NULL));
    exit(0);
}

static void fork_once(void) {
    pid_t child = fork();
    int status = 0;
    if (child == 0)
        be_child();
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        printf("the forked child ended with %d\n", status);
        exit(1);
    }
}

static void load_again(const char *path) {
    CK_FUNCTION_LIST *list = NULL;
    void *library = dlopen(path, RTLD_NOW);
    CK_C_GetFunctionList get = NULL;
    if (library != NULL)
        get = (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList");
    if (get == NULL || get(&list) != CKR_OK || list != f || dlclose(library) != 0) {
        printf("loading it again failed\n");
        exit(1);
    }
}

void stress(const char *path, const char *label, double seconds) {
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    pthread_t threads[worker_count];
    unsigned long forks = 0, ends = 0;
    token = label;
    OK(f->C_Initialize(&arguments));
    CK_SLOT_ID slot = slot_of(label);
    OK(use(slot, CK_TRUE));
    for (int i = 0; i < worker_count; i++)
        pthread_create(&threads[i], NULL, work, &slot);
    for (double start = now(); now() - start < seconds || forks < 4;) {
        fork_once();
        forks++;
        load_again(path);
        if (forks % 2 == 0) {
            epoch++;
            OK(f->C_Finalize(NULL));
            REFUSED(f->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
            OK(f->C_Initialize(&arguments));
            expect("the slot's number", slot_of(label), slot);
            epoch++;
            ends++;
        }
    }
    stopped = 1;
    for (int i = 0; i < worker_count; i++)
        pthread_join(threads[i], NULL);
    OK(f->C_Finalize(NULL));
    printf("%d threads: %lu rounds, %lu overtaken; %lu forks; %lu ends of the module\n", worker_count,
           (unsigned long)whole_rounds, (unsigned long)failed_calls, forks, ends);
}
