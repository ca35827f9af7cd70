#define _GNU_SOURCE
#include "include/PKCS11Functions.h"
#include <dlfcn.h>
#include <p11-kit-1/p11-kit/pkcs11.h>
#include <pthread.h>
#include <stddef.h>

/* The table of functions. The compiler checks the form of each one against the header; the work is
   done by functions in Swift of the same names behind a prefix. */

#define OURS(name) extern __typeof__(name) keychain_##name __attribute__((visibility("hidden")))

OURS(C_Initialize);
OURS(C_Finalize);
OURS(C_GetInfo);
OURS(C_GetSlotList);
OURS(C_GetSlotInfo);
OURS(C_GetTokenInfo);
OURS(C_WaitForSlotEvent);
OURS(C_GetMechanismList);
OURS(C_GetMechanismInfo);
OURS(C_OpenSession);
OURS(C_CloseSession);
OURS(C_CloseAllSessions);
OURS(C_GetSessionInfo);
OURS(C_Login);
OURS(C_Logout);
OURS(C_CreateObject);
OURS(C_CopyObject);
OURS(C_DestroyObject);
OURS(C_GetAttributeValue);
OURS(C_SetAttributeValue);
OURS(C_FindObjectsInit);
OURS(C_FindObjects);
OURS(C_FindObjectsFinal);
OURS(C_EncryptInit);
OURS(C_Encrypt);
OURS(C_EncryptUpdate);
OURS(C_EncryptFinal);
OURS(C_DecryptInit);
OURS(C_Decrypt);
OURS(C_DecryptUpdate);
OURS(C_DecryptFinal);
OURS(C_DigestInit);
OURS(C_Digest);
OURS(C_DigestUpdate);
OURS(C_DigestKey);
OURS(C_DigestFinal);
OURS(C_SignInit);
OURS(C_Sign);
OURS(C_SignUpdate);
OURS(C_SignFinal);
OURS(C_VerifyInit);
OURS(C_Verify);
OURS(C_VerifyUpdate);
OURS(C_VerifyFinal);
OURS(C_GenerateKey);
OURS(C_GenerateKeyPair);
OURS(C_WrapKey);
OURS(C_UnwrapKey);
OURS(C_DeriveKey);
OURS(C_SeedRandom);
OURS(C_GenerateRandom);

/* CKR_FUNCTION_NOT_SUPPORTED, or that there is no module or session. */
extern CK_RV keychain_unsupported(CK_SESSION_HANDLE session) __attribute__((visibility("hidden")));
extern CK_RV keychain_unsupported_in_slot(CK_SLOT_ID slot) __attribute__((visibility("hidden")));
extern CK_RV keychain_not_parallel(CK_SESSION_HANDLE session) __attribute__((visibility("hidden")));

static CK_RV init_token(CK_SLOT_ID slot, unsigned char *pin, unsigned long pin_length, unsigned char *label) {
    (void)pin, (void)pin_length, (void)label;
    return keychain_unsupported_in_slot(slot);
}

static CK_RV init_pin(CK_SESSION_HANDLE session, unsigned char *pin, unsigned long length) {
    (void)pin, (void)length;
    return keychain_unsupported(session);
}

static CK_RV set_pin(CK_SESSION_HANDLE session, unsigned char *old_pin, unsigned long old_length,
                     unsigned char *new_pin, unsigned long new_length) {
    (void)old_pin, (void)old_length, (void)new_pin, (void)new_length;
    return keychain_unsupported(session);
}

static CK_RV get_operation_state(CK_SESSION_HANDLE session, unsigned char *state, unsigned long *length) {
    (void)state, (void)length;
    return keychain_unsupported(session);
}

static CK_RV set_operation_state(CK_SESSION_HANDLE session, unsigned char *state, unsigned long length,
                                 CK_OBJECT_HANDLE encryption, CK_OBJECT_HANDLE authentication) {
    (void)state, (void)length, (void)encryption, (void)authentication;
    return keychain_unsupported(session);
}

static CK_RV get_object_size(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, unsigned long *size) {
    (void)object, (void)size;
    return keychain_unsupported(session);
}

/* Parts that come in and go out at once. */
static CK_RV update(CK_SESSION_HANDLE session, unsigned char *in, unsigned long in_length, unsigned char *out,
                    unsigned long *out_length) {
    (void)in, (void)in_length, (void)out, (void)out_length;
    return keychain_unsupported(session);
}

static CK_RV recover_init(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key) {
    (void)mechanism, (void)key;
    return keychain_unsupported(session);
}

static CK_FUNCTION_LIST functions = {
    .version = {CRYPTOKI_VERSION_MAJOR, CRYPTOKI_VERSION_MINOR},
    .C_Initialize = keychain_C_Initialize,
    .C_Finalize = keychain_C_Finalize,
    .C_GetInfo = keychain_C_GetInfo,
    .C_GetFunctionList = C_GetFunctionList,
    .C_GetSlotList = keychain_C_GetSlotList,
    .C_GetSlotInfo = keychain_C_GetSlotInfo,
    .C_GetTokenInfo = keychain_C_GetTokenInfo,
    .C_GetMechanismList = keychain_C_GetMechanismList,
    .C_GetMechanismInfo = keychain_C_GetMechanismInfo,
    .C_InitToken = init_token,
    .C_InitPIN = init_pin,
    .C_SetPIN = set_pin,
    .C_OpenSession = keychain_C_OpenSession,
    .C_CloseSession = keychain_C_CloseSession,
    .C_CloseAllSessions = keychain_C_CloseAllSessions,
    .C_GetSessionInfo = keychain_C_GetSessionInfo,
    .C_GetOperationState = get_operation_state,
    .C_SetOperationState = set_operation_state,
    .C_Login = keychain_C_Login,
    .C_Logout = keychain_C_Logout,
    .C_CreateObject = keychain_C_CreateObject,
    .C_CopyObject = keychain_C_CopyObject,
    .C_DestroyObject = keychain_C_DestroyObject,
    .C_GetObjectSize = get_object_size,
    .C_GetAttributeValue = keychain_C_GetAttributeValue,
    .C_SetAttributeValue = keychain_C_SetAttributeValue,
    .C_FindObjectsInit = keychain_C_FindObjectsInit,
    .C_FindObjects = keychain_C_FindObjects,
    .C_FindObjectsFinal = keychain_C_FindObjectsFinal,
    .C_EncryptInit = keychain_C_EncryptInit,
    .C_Encrypt = keychain_C_Encrypt,
    .C_EncryptUpdate = keychain_C_EncryptUpdate,
    .C_EncryptFinal = keychain_C_EncryptFinal,
    .C_DecryptInit = keychain_C_DecryptInit,
    .C_Decrypt = keychain_C_Decrypt,
    .C_DecryptUpdate = keychain_C_DecryptUpdate,
    .C_DecryptFinal = keychain_C_DecryptFinal,
    .C_DigestInit = keychain_C_DigestInit,
    .C_Digest = keychain_C_Digest,
    .C_DigestUpdate = keychain_C_DigestUpdate,
    .C_DigestKey = keychain_C_DigestKey,
    .C_DigestFinal = keychain_C_DigestFinal,
    .C_SignInit = keychain_C_SignInit,
    .C_Sign = keychain_C_Sign,
    .C_SignUpdate = keychain_C_SignUpdate,
    .C_SignFinal = keychain_C_SignFinal,
    .C_SignRecoverInit = recover_init,
    .C_SignRecover = update,
    .C_VerifyInit = keychain_C_VerifyInit,
    .C_Verify = keychain_C_Verify,
    .C_VerifyUpdate = keychain_C_VerifyUpdate,
    .C_VerifyFinal = keychain_C_VerifyFinal,
    .C_VerifyRecoverInit = recover_init,
    .C_VerifyRecover = update,
    .C_DigestEncryptUpdate = update,
    .C_DecryptDigestUpdate = update,
    .C_SignEncryptUpdate = update,
    .C_DecryptVerifyUpdate = update,
    .C_GenerateKey = keychain_C_GenerateKey,
    .C_GenerateKeyPair = keychain_C_GenerateKeyPair,
    .C_WrapKey = keychain_C_WrapKey,
    .C_UnwrapKey = keychain_C_UnwrapKey,
    .C_DeriveKey = keychain_C_DeriveKey,
    .C_SeedRandom = keychain_C_SeedRandom,
    .C_GenerateRandom = keychain_C_GenerateRandom,
    .C_GetFunctionStatus = keychain_not_parallel,
    .C_CancelFunction = keychain_not_parallel,
    .C_WaitForSlotEvent = keychain_C_WaitForSlotEvent,
};

const char *keychain_pkcs11_library(void) {
    Dl_info info;
    return dladdr((const void *)&functions, &info) != 0 ? info.dli_fname : NULL;
}

/* Swift's runtime cannot be unloaded: it registers types and functions that run at exit. So the
   library stays in memory once it was asked for its functions, whatever dlclose(3) is told. */
static void stay_loaded(void) {
    const char *path = keychain_pkcs11_library();
    if (path != NULL)
        (void)dlopen(path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

__attribute__((visibility("default"))) CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (list == NULL)
        return CKR_ARGUMENTS_BAD;
    pthread_once(&once, stay_loaded);
    *list = &functions;
    return CKR_OK;
}
