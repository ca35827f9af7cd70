// libcrypto's own HMAC copies two contexts and looks up parameters for each message. SHA-256 itself
// has a state of fixed size, which is copied as it is.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "CCrypto.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <string.h>

// SHA-256 after it has taken in the key: with the inner and with the outer padding.
typedef struct hmac_states {
    SHA256_CTX inner;
    SHA256_CTX outer;
} hmac_states;

size_t ccrypto_hmac_sha256_state_count(void) { return sizeof(hmac_states); }

// Takes in one block: the key and its padding.
static int take_key(SHA256_CTX *hash, const unsigned char key[SHA256_CBLOCK], unsigned char pad) {
    unsigned char block[SHA256_CBLOCK];
    for (size_t place = 0; place < sizeof block; place++) {
        block[place] = key[place] ^ pad;
    }
    int done = SHA256_Init(hash) == 1 && SHA256_Update(hash, block, sizeof block) == 1;
    OPENSSL_cleanse(block, sizeof block);
    return done;
}

int ccrypto_hmac_sha256_prepare(const void *key, size_t key_count, void *states) {
    unsigned char block[SHA256_CBLOCK] = {0};
    hmac_states prepared;
    int done = 1;
    if (key_count > sizeof block) {
        SHA256_CTX hash;
        done = SHA256_Init(&hash) == 1 && SHA256_Update(&hash, key, key_count) == 1 &&
            SHA256_Final(block, &hash) == 1;
        OPENSSL_cleanse(&hash, sizeof hash);
    } else if (key_count > 0) {
        memcpy(block, key, key_count);
    }
    done = done && take_key(&prepared.inner, block, 0x36) && take_key(&prepared.outer, block, 0x5c);
    if (done) {
        memcpy(states, &prepared, sizeof prepared);
    }
    OPENSSL_cleanse(block, sizeof block);
    OPENSSL_cleanse(&prepared, sizeof prepared);
    return done;
}

int ccrypto_hmac_sha256(const void *states, const void *message, size_t count, void *code) {
    unsigned char *out = code;
    hmac_states used;
    memcpy(&used, states, sizeof used);
    int done = (count == 0 || SHA256_Update(&used.inner, message, count) == 1) &&
        SHA256_Final(out, &used.inner) == 1 &&
        SHA256_Update(&used.outer, out, SHA256_DIGEST_LENGTH) == 1 &&
        SHA256_Final(out, &used.outer) == 1;
    OPENSSL_cleanse(&used, sizeof used);
    return done;
}
