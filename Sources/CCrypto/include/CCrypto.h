// What Swift cannot import from libcrypto, libargon2 and the C library.
//
// OSSL_PARAM arrays keep pointers to their key names, so they are built here, where a string
// literal outlives the call. Results are 1 for success and 0 for failure unless said otherwise.

#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <argon2.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Asks the kernel for random bytes. Returns how many were written, or a negated errno.
ssize_t ccrypto_getrandom(void *_Nonnull buffer, size_t count);

// Makes a context that is ready to authenticate a message under the key; NULL on failure.
EVP_MAC_CTX *_Nullable ccrypto_hmac_sha256_new(
    EVP_MAC *_Nonnull hmac, const void *_Nullable key, size_t key_count);

// Derives out_count bytes (RFC 5869, extract and expand).
int ccrypto_hkdf_sha256(
    EVP_KDF *_Nonnull hkdf,
    const void *_Nonnull key, size_t key_count,
    const void *_Nullable salt, size_t salt_count,
    const void *_Nullable info, size_t info_count,
    void *_Nonnull out, size_t out_count);

// The inputs of Argon2id. The pointers are read only while ccrypto_argon2id runs.
typedef struct ccrypto_argon2id_input {
    const void *_Nullable password;
    size_t password_count;
    const void *_Nullable salt;
    size_t salt_count;
    const void *_Nullable secret;
    size_t secret_count;
    const void *_Nullable associated;
    size_t associated_count;
    uint32_t passes;
    uint32_t memory_kib;
    uint32_t lanes;
} ccrypto_argon2id_input;

// Stretches a password (RFC 9106, version 0x13, one thread per lane).
// Returns ARGON2_OK or one of libargon2's negative error codes.
int ccrypto_argon2id(
    const ccrypto_argon2id_input *_Nonnull input, void *_Nonnull out, size_t out_count);

#endif
