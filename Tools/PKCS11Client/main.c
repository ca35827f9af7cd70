/* A program that loads a PKCS #11 library and uses it from threads, forked children and after
   unloading, hands it nonsense, or counts its signatures. It prints the first surprise and ends
   with 1. */
#define _GNU_SOURCE
#include "client.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

CK_FUNCTION_LIST *f;
static CK_MECHANISM ecdsa = {CKM_ECDSA, NULL, 0};
static unsigned char p256[] = {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};

void expect(const char *what, CK_RV code, CK_RV expected) {
    if (code == expected)
        return;
    printf("%s: 0x%lx instead of 0x%lx\n", what, code, expected);
    exit(1);
}

static void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    CK_C_GetFunctionList get = NULL;
    if (library == NULL || (get = (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList")) == NULL) {
        printf("%s\n", dlerror());
        exit(1);
    }
    expect("C_GetFunctionList", get(&f), CKR_OK);
    CK_C_Initialize *entries = (CK_C_Initialize *)&f->C_Initialize;
    for (size_t i = 0; i < (sizeof *f - offsetof(CK_FUNCTION_LIST, C_Initialize)) / sizeof *entries; i++) {
        if (entries[i] == NULL) {
            printf("function %zu is missing\n", i);
            exit(1);
        }
    }
    return library;
}

CK_SLOT_ID slot_of(const char *label) {
    CK_SLOT_ID slots[64];
    unsigned long count = 0;
    OK(f->C_GetSlotList(CK_TRUE, NULL, &count));
    count = 64;
    OK(f->C_GetSlotList(CK_TRUE, slots, &count));
    size_t length = strlen(label);
    for (unsigned long i = 0; i < count; i++) {
        CK_TOKEN_INFO token;
        OK(f->C_GetTokenInfo(slots[i], &token));
        if (memcmp(token.label, label, length) == 0 && (length == 32 || token.label[length] == ' '))
            return slots[i];
    }
    printf("no token %s\n", label);
    exit(1);
}

CK_SESSION_HANDLE open_session(CK_SLOT_ID slot) {
    CK_SESSION_HANDLE session = 0;
    OK(f->C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session));
    return session;
}

CK_RV new_pair(CK_SESSION_HANDLE session, CK_BBOOL stored, CK_OBJECT_HANDLE *other, CK_OBJECT_HANDLE *key) {
    CK_MECHANISM generation = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE half[] = {{CKA_TOKEN, &stored, 1}, {CKA_EC_PARAMS, p256, sizeof p256}};
    return f->C_GenerateKeyPair(session, &generation, half, 2, half, 1, other, key);
}

static CK_OBJECT_HANDLE make_pair(CK_SESSION_HANDLE session, CK_BBOOL stored, CK_OBJECT_HANDLE *other) {
    CK_OBJECT_HANDLE key = 0;
    OK(new_pair(session, stored, other, &key));
    return key;
}

CK_RV sign(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, unsigned char *signature) {
    unsigned char digest[32] = {1};
    unsigned long size = 64;
    CK_RV code = f->C_SignInit(session, &ecdsa, key);
    return code == CKR_OK ? f->C_Sign(session, digest, sizeof digest, signature, &size) : code;
}

CK_RV verify(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, unsigned char *signature) {
    unsigned char digest[32] = {1};
    CK_RV code = f->C_VerifyInit(session, &ecdsa, key);
    return code == CKR_OK ? f->C_Verify(session, digest, sizeof digest, signature, 64) : code;
}

/* Threads: each with a session of its own, and all of them in one more, which no program may do. */

enum { thread_count = 8, round_count = 12 };
static CK_SLOT_ID shared_slot;
static CK_SESSION_HANDLE shared_session;
static CK_OBJECT_HANDLE shared_key;

static void *work(void *unused) {
    for (int round = 0; round < round_count; round++) {
        CK_SESSION_HANDLE session = open_session(shared_slot);
        CK_OBJECT_HANDLE public_key = 0, found[8];
        CK_OBJECT_HANDLE key = make_pair(session, CK_FALSE, &public_key);
        unsigned char signature[64];
        unsigned long count = 0, size = sizeof signature;
        OK(sign(session, key, signature));
        OK(verify(session, public_key, signature));
        OK(sign(session, shared_key, signature));
        OK(f->C_FindObjectsInit(session, NULL, 0));
        OK(f->C_FindObjects(session, found, 8, &count));
        OK(f->C_FindObjectsFinal(session));
        /* Whatever these return, they must not disturb anything. */
        (void)f->C_SignInit(shared_session, &ecdsa, shared_key);
        (void)f->C_SignUpdate(shared_session, signature, sizeof signature);
        (void)f->C_SignFinal(shared_session, signature, &size);
        (void)f->C_FindObjectsInit(shared_session, NULL, 0);
        (void)f->C_FindObjects(shared_session, found, 8, &count);
        (void)f->C_FindObjectsFinal(shared_session);
        OK(f->C_CloseSession(session));
    }
    return unused;
}

static void threads(const char *label) {
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    CK_OBJECT_HANDLE other = 0;
    pthread_t running[thread_count];
    OK(f->C_Initialize(&arguments));
    REFUSED(f->C_Initialize(&arguments), CKR_CRYPTOKI_ALREADY_INITIALIZED);
    shared_slot = slot_of(label);
    shared_session = open_session(shared_slot);
    shared_key = make_pair(shared_session, CK_TRUE, &other);
    for (int i = 0; i < thread_count; i++)
        pthread_create(&running[i], NULL, work, NULL);
    for (int i = 0; i < thread_count; i++)
        pthread_join(running[i], NULL);
    OK(f->C_DestroyObject(shared_session, shared_key));
    OK(f->C_DestroyObject(shared_session, other));
    REFUSED(f->C_DestroyObject(shared_session, other), CKR_OBJECT_HANDLE_INVALID);
    OK(f->C_Finalize(NULL));
    REFUSED(f->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    REFUSED(f->C_CloseSession(shared_session), CKR_CRYPTOKI_NOT_INITIALIZED);
}

static void forks(const char *label) {
    OK(f->C_Initialize(NULL));
    CK_SLOT_ID slot = slot_of(label);
    CK_SESSION_HANDLE session = open_session(slot);
    CK_OBJECT_HANDLE public_key = 0, key = make_pair(session, CK_TRUE, &public_key);
    unsigned char signature[64];
    OK(sign(session, key, signature));
    pid_t child = fork();
    if (child == 0) {
        CK_SESSION_INFO info;
        REFUSED(f->C_GetSessionInfo(session, &info), CKR_CRYPTOKI_NOT_INITIALIZED);
        REFUSED(sign(session, key, signature), CKR_CRYPTOKI_NOT_INITIALIZED);
        REFUSED(f->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
        OK(f->C_Initialize(NULL));
        REFUSED(f->C_GetSessionInfo(session, &info), CKR_SESSION_HANDLE_INVALID);
        session = open_session(slot_of(label));
        key = make_pair(session, CK_FALSE, &public_key);
        OK(sign(session, key, signature));
        OK(verify(session, public_key, signature));
        OK(f->C_Finalize(NULL));
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        printf("the child ended with %d\n", status);
        exit(1);
    }
    OK(sign(session, key, signature));
    OK(verify(session, public_key, signature));
    OK(f->C_Finalize(NULL));
}

static void unload(const char *path, const char *label) {
    for (int round = 0; round < 3; round++) {
        void *library = load(path);
        unsigned char signature[64];
        CK_OBJECT_HANDLE public_key = 0;
        OK(f->C_Initialize(NULL));
        CK_SESSION_HANDLE session = open_session(slot_of(label));
        CK_OBJECT_HANDLE key = make_pair(session, CK_FALSE, &public_key);
        OK(sign(session, key, signature));
        OK(f->C_Finalize(NULL));
        if (dlclose(library) != 0) {
            printf("%s\n", dlerror());
            exit(1);
        }
    }
}

/* Pointers that are NULL, counts that no memory has, handles that nobody gave out. */
static void hostile(const char *label) {
    const unsigned long huge = 1UL << 63;
    unsigned long count = 0;
    unsigned char byte = 0;
    CK_OBJECT_HANDLE object = 0;
    CK_C_INITIALIZE_ARGS arguments = {.pReserved = &byte};
    REFUSED(f->C_Initialize(&arguments), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_GetInfo(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
    OK(f->C_Initialize(NULL));
    REFUSED(f->C_Finalize(&byte), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_GetInfo(NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_GetFunctionList(NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_GetSlotList(CK_TRUE, NULL, NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_GetSlotInfo(huge, NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_GetMechanismList(huge, NULL, &count), CKR_SLOT_ID_INVALID);
    REFUSED(f->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_OpenSession(0, 0, NULL, NULL, &object), CKR_SESSION_PARALLEL_NOT_SUPPORTED);
    CK_SESSION_HANDLE session = open_session(slot_of(label));
    REFUSED(f->C_GetSlotList(CK_TRUE, &object, &count), CKR_BUFFER_TOO_SMALL);
    REFUSED(f->C_CloseSession(huge), CKR_SESSION_HANDLE_INVALID);
    REFUSED(f->C_Login(session, CKU_USER, &byte, huge), CKR_PIN_LEN_RANGE);
    CK_ATTRIBUTE attributes[] = {{CKA_CLASS, NULL, huge}};
    REFUSED(f->C_FindObjectsInit(session, NULL, huge), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_FindObjectsInit(session, attributes, huge), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_FindObjectsInit(session, attributes, 1), CKR_ATTRIBUTE_VALUE_INVALID);
    REFUSED(f->C_FindObjects(session, &object, 1, &count), CKR_OPERATION_NOT_INITIALIZED);
    REFUSED(f->C_CreateObject(session, attributes, 1, NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_CreateObject(session, attributes, 1, &object), CKR_ATTRIBUTE_VALUE_INVALID);
    attributes[0].ulValueLen = 8;
    REFUSED(f->C_CreateObject(session, attributes, 1, &object), CKR_ATTRIBUTE_VALUE_INVALID);
    REFUSED(f->C_GetAttributeValue(session, huge, attributes, 1), CKR_OBJECT_HANDLE_INVALID);
    REFUSED(f->C_GetAttributeValue(session, 1, NULL, 1), CKR_ARGUMENTS_BAD);
    OK(f->C_FindObjectsInit(session, NULL, 0));
    REFUSED(f->C_FindObjects(session, NULL, huge, &count), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_FindObjects(session, &object, 1, NULL), CKR_ARGUMENTS_BAD);
    OK(f->C_FindObjectsFinal(session));
    CK_OBJECT_HANDLE public_key = 0, key = make_pair(session, CK_FALSE, &public_key);
    CK_ATTRIBUTE label_of_key[] = {{CKA_EC_POINT, &byte, 1}, {CKA_VALUE, NULL, 0}, {huge, NULL, 0}};
    REFUSED(f->C_GetAttributeValue(session, public_key, label_of_key, 3), CKR_BUFFER_TOO_SMALL);
    REFUSED(f->C_GetAttributeValue(session, key, label_of_key + 1, 1), CKR_ATTRIBUTE_SENSITIVE);
    if (label_of_key[1].ulValueLen != (CK_ULONG)-1 || label_of_key[2].ulValueLen != (CK_ULONG)-1)
        expect("sizes of attributes that are not there", 0, 1);
    REFUSED(f->C_SignInit(session, NULL, key), CKR_ARGUMENTS_BAD);
    CK_MECHANISM pss = {CKM_RSA_PKCS_PSS, &byte, huge}, missing = {CKM_RSA_PKCS_OAEP, NULL, 40};
    REFUSED(f->C_SignInit(session, &pss, key), CKR_MECHANISM_PARAM_INVALID);
    REFUSED(f->C_DecryptInit(session, &missing, key), CKR_MECHANISM_PARAM_INVALID);
    CK_ECDH1_DERIVE_PARAMS agreement = {CKD_NULL, huge, &byte, huge, &byte};
    CK_MECHANISM derivation = {CKM_ECDH1_DERIVE, &agreement, sizeof agreement};
    REFUSED(f->C_DeriveKey(session, &derivation, key, NULL, 0, &object), CKR_MECHANISM_PARAM_INVALID);
    OK(f->C_SignInit(session, &ecdsa, key));
    REFUSED(f->C_SignInit(session, &ecdsa, key), CKR_OPERATION_ACTIVE);
    REFUSED(f->C_Sign(session, NULL, 32, NULL, &count), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_Sign(session, &byte, huge, &byte, &count), CKR_DATA_LEN_RANGE);
    REFUSED(f->C_Sign(session, &byte, 1, &byte, NULL), CKR_ARGUMENTS_BAD);
    count = 1;
    REFUSED(f->C_Sign(session, &byte, 1, &byte, &count), CKR_BUFFER_TOO_SMALL);
    expect("the size", count, 64);
    REFUSED(f->C_GenerateRandom(session, NULL, 1), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_GenerateRandom(session, &byte, huge), CKR_DATA_LEN_RANGE);
    REFUSED(f->C_SeedRandom(session, &byte, 1), CKR_RANDOM_SEED_NOT_SUPPORTED);
    REFUSED(f->C_GenerateKey(session, NULL, NULL, huge, NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_WrapKey(session, NULL, key, key, NULL, NULL), CKR_ARGUMENTS_BAD);
    REFUSED(f->C_InitToken(0, NULL, huge, NULL), CKR_FUNCTION_NOT_SUPPORTED);
    REFUSED(f->C_GetFunctionStatus(session), CKR_FUNCTION_NOT_PARALLEL);
    REFUSED(f->C_WaitForSlotEvent(CKF_DONT_BLOCK, &object, NULL), CKR_NO_EVENT);
    OK(f->C_Finalize(NULL));
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Signatures of the token's first RSA or EC key, for two seconds. */
static void rate(const char *label, const char *kind, const char *pin) {
    CK_BBOOL rsa = strcmp(kind, "rsa") == 0;
    CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
    CK_KEY_TYPE type = rsa ? CKK_RSA : CKK_EC;
    CK_MECHANISM pkcs1 = {CKM_SHA256_RSA_PKCS, NULL, 0}, *mechanism = rsa ? &pkcs1 : &ecdsa;
    CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &class, sizeof class}, {CKA_KEY_TYPE, &type, sizeof type}};
    CK_OBJECT_HANDLE key = 0;
    unsigned long count = 0, signatures = 0;
    unsigned char signature[512], digest[32] = {1};
    OK(f->C_Initialize(NULL));
    CK_SESSION_HANDLE session = open_session(slot_of(label));
    if (pin != NULL)
        OK(f->C_Login(session, CKU_USER, (unsigned char *)pin, strlen(pin)));
    OK(f->C_FindObjectsInit(session, wanted, 2));
    OK(f->C_FindObjects(session, &key, 1, &count));
    OK(f->C_FindObjectsFinal(session));
    expect("keys", count, 1);
    double start = now();
    for (; now() - start < 2; signatures++) {
        unsigned long size = sizeof signature;
        OK(f->C_SignInit(session, mechanism, key));
        OK(f->C_Sign(session, digest, sizeof digest, signature, &size));
    }
    printf("%.0f\n", (double)signatures / (now() - start));
    OK(f->C_Finalize(NULL));
}

int main(int count, char **arguments) {
    const char *command = count > 3 ? arguments[1] : "";
    if (count > 3)
        load(arguments[2]);
    if (strcmp(command, "threads") == 0)
        threads(arguments[3]);
    else if (strcmp(command, "fork") == 0)
        forks(arguments[3]);
    else if (strcmp(command, "unload") == 0)
        unload(arguments[2], arguments[3]);
    else if (strcmp(command, "hostile") == 0)
        hostile(arguments[3]);
    else if (strcmp(command, "rate") == 0)
        rate(arguments[3], count > 4 ? arguments[4] : "ec", count > 5 ? arguments[5] : NULL);
    else if (strcmp(command, "stress") == 0)
        stress(arguments[2], arguments[3], count > 4 ? atof(arguments[4]) : 1);
    else {
        fprintf(stderr, "usage: pkcs11-client threads|fork|unload|hostile LIBRARY TOKEN\n"
                        "       pkcs11-client stress LIBRARY TOKEN [SECONDS]\n"
                        "       pkcs11-client rate LIBRARY TOKEN ec|rsa [PIN]\n");
        return 2;
    }
    return 0;
}
