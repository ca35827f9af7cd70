// The functions of libcrypto that hash in plain bytes. It prefers contexts that it allocates, and
// calls these outdated; but programs that were written for other libraries copy, move and forget the
// state of a hash like any structure.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "CCrypto.h"

#include <openssl/md4.h>
#include <openssl/md5.h>
#include <openssl/sha.h>

_Static_assert(sizeof(MD4_CTX) <= CCRYPTO_HASH_STATE_SIZE, "MD4");
_Static_assert(sizeof(MD5_CTX) <= CCRYPTO_HASH_STATE_SIZE, "MD5");
_Static_assert(sizeof(SHA_CTX) <= CCRYPTO_HASH_STATE_SIZE, "SHA-1");
_Static_assert(sizeof(SHA256_CTX) <= CCRYPTO_HASH_STATE_SIZE, "SHA-256");
_Static_assert(sizeof(SHA512_CTX) <= CCRYPTO_HASH_STATE_SIZE, "SHA-512");

int ccrypto_hash_start(void *state, ccrypto_hash function) {
    switch (function) {
    case CCRYPTO_MD4: return MD4_Init(state);
    case CCRYPTO_MD5: return MD5_Init(state);
    case CCRYPTO_SHA1: return SHA1_Init(state);
    case CCRYPTO_SHA224: return SHA224_Init(state);
    case CCRYPTO_SHA256: return SHA256_Init(state);
    case CCRYPTO_SHA384: return SHA384_Init(state);
    case CCRYPTO_SHA512: return SHA512_Init(state);
    }
    return 0;
}

int ccrypto_hash_update(
    void *state, ccrypto_hash function, const void *bytes, size_t count) {
    switch (function) {
    case CCRYPTO_MD4: return MD4_Update(state, bytes, count);
    case CCRYPTO_MD5: return MD5_Update(state, bytes, count);
    case CCRYPTO_SHA1: return SHA1_Update(state, bytes, count);
    case CCRYPTO_SHA224: return SHA224_Update(state, bytes, count);
    case CCRYPTO_SHA256: return SHA256_Update(state, bytes, count);
    case CCRYPTO_SHA384: return SHA384_Update(state, bytes, count);
    case CCRYPTO_SHA512: return SHA512_Update(state, bytes, count);
    }
    return 0;
}

int ccrypto_hash_finish(void *state, ccrypto_hash function, void *out) {
    switch (function) {
    case CCRYPTO_MD4: return MD4_Final(out, state);
    case CCRYPTO_MD5: return MD5_Final(out, state);
    case CCRYPTO_SHA1: return SHA1_Final(out, state);
    case CCRYPTO_SHA224: return SHA224_Final(out, state);
    case CCRYPTO_SHA256: return SHA256_Final(out, state);
    case CCRYPTO_SHA384: return SHA384_Final(out, state);
    case CCRYPTO_SHA512: return SHA512_Final(out, state);
    }
    return 0;
}
