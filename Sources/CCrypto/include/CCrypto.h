// What Swift cannot import from libcrypto, libargon2 and the C library.
//
// OSSL_PARAM arrays keep pointers to their key names, so they are built here, where a string
// literal outlives the call. Results are 1 for success and 0 for failure unless said otherwise.

#ifndef CCRYPTO_H
#define CCRYPTO_H

#if !__has_include(<argon2.h>) || !__has_include(<openssl/evp.h>)
#include "../../missing-libraries.h"
#endif
#include <argon2.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The kinds of keys by their object identifiers. A program may have an engine that serves "RSA" and
// "EC" for all of the process, such as the one for PKCS #11, and libcrypto asks engines by those
// names first. Identifiers reach the provider itself.
#define CCRYPTO_RSA "1.2.840.113549.1.1.1"
#define CCRYPTO_EC "1.2.840.10045.2.1"
#define CCRYPTO_ED25519 "1.3.101.112"
#define CCRYPTO_X25519 "1.3.101.110"

// Asks the kernel for random bytes. Returns how many were written, or a negated errno.
ssize_t ccrypto_getrandom(void *_Nonnull buffer, size_t count);

// Makes a context that is ready to authenticate a message under the key; NULL on failure.
EVP_MAC_CTX *_Nullable ccrypto_hmac_new(
    EVP_MAC *_Nonnull hmac, const char *_Nonnull digest,
    const void *_Nullable key, size_t key_count);

// Wraps a key (RFC 3394 with the default check value); out has room for 8 bytes more than the key.
// aes_ecb is the block cipher, whose size the wrapping key has. Returns the size, 0 on failure.
size_t ccrypto_key_wrap(
    const EVP_CIPHER *_Nonnull aes_ecb, const void *_Nonnull wrapping_key,
    const void *_Nonnull key, size_t key_count, void *_Nonnull out);

// Unwraps a key; out has room for wrapped_count bytes less 8. Returns the size, and 0 when the
// check value is wrong: nothing of the key is then left in out.
size_t ccrypto_key_unwrap(
    const EVP_CIPHER *_Nonnull aes_ecb, const void *_Nonnull wrapping_key,
    const void *_Nonnull wrapped, size_t wrapped_count, void *_Nonnull out);

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

// The integers of an RSA key (RFC 8017 A.1). In a public key all but n and e are NULL.
typedef struct ccrypto_rsa_integers {
    const BIGNUM *_Nonnull n;
    const BIGNUM *_Nonnull e;
    const BIGNUM *_Nullable d;
    const BIGNUM *_Nullable p;
    const BIGNUM *_Nullable q;
    const BIGNUM *_Nullable dp;
    const BIGNUM *_Nullable dq;
    const BIGNUM *_Nullable q_inverse;
} ccrypto_rsa_integers;

// Makes an RSA key; NULL on failure. It checks nothing: see ccrypto_rsa_is_consistent.
EVP_PKEY *_Nullable ccrypto_rsa_key(const ccrypto_rsa_integers *_Nonnull integers);

// Tells whether the integers of a private key belong together; whether p and q are prime is not
// tested.
int ccrypto_rsa_is_consistent(const ccrypto_rsa_integers *_Nonnull integers);

// Makes a key on a named curve from its X9.63 point; public when the scalar is NULL.
// scalar_count is the size of the group order in bytes. NULL on failure.
EVP_PKEY *_Nullable ccrypto_ec_key(
    const char *_Nonnull curve,
    const void *_Nonnull point, size_t point_count,
    const BIGNUM *_Nullable scalar, size_t scalar_count);

// Tells whether an X9.63 point is one of a named curve, and not the point at infinity.
int ccrypto_ec_point_is_on_curve(
    const char *_Nonnull curve, const void *_Nonnull point, size_t point_count);

// Computes the public point of a scalar, uncompressed; out_count is its exact size.
int ccrypto_ec_public_point(
    const char *_Nonnull curve, const BIGNUM *_Nonnull scalar,
    unsigned char *_Nonnull out, size_t out_count);

// Derives out_count bytes (ANSI X9.63, SEC 1 3.6.1).
int ccrypto_x963kdf(
    const char *_Nonnull digest,
    const void *_Nonnull key, size_t key_count,
    const void *_Nullable info, size_t info_count,
    void *_Nonnull out, size_t out_count);

// What OPENSSL_sk_pop_free calls for each safe and each bag of a PKCS#12 file.
void ccrypto_free_pkcs7(void *_Nullable safe);
void ccrypto_free_safe_bag(void *_Nullable bag);

// The state of a hash function between two parts of a message: plain bytes of this size, aligned to
// 8, which the caller owns and may copy.
#define CCRYPTO_HASH_STATE_SIZE 224

// The hash functions whose state is plain bytes.
typedef enum ccrypto_hash {
    CCRYPTO_MD4,
    CCRYPTO_MD5,
    CCRYPTO_SHA1,
    CCRYPTO_SHA224,
    CCRYPTO_SHA256,
    CCRYPTO_SHA384,
    CCRYPTO_SHA512,
} ccrypto_hash;

// Begins an empty message.
int ccrypto_hash_start(void *_Nonnull state, ccrypto_hash function);

// Appends bytes to the message.
int ccrypto_hash_update(
    void *_Nonnull state, ccrypto_hash function, const void *_Nullable bytes, size_t count);

// Ends the message; out has room for the hash.
int ccrypto_hash_finish(void *_Nonnull state, ccrypto_hash function, void *_Nonnull out);

#endif
