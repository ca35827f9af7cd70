#include "CCrypto.h"

#include <openssl/modes.h>

// libcrypto's own key-wrap cipher runs AES without the processor's instructions for it. Its key-wrap
// construction takes any block cipher, so it is given the fast one.

typedef struct block_cipher {
    EVP_CIPHER_CTX *context;
    int has_failed;
} block_cipher;

static void run_block(const unsigned char in[16], unsigned char out[16], const void *key) {
    block_cipher *cipher = (block_cipher *)key;
    if (EVP_Cipher(cipher->context, out, in, 16) <= 0) {
        cipher->has_failed = 1;
    }
}

static int start(
    block_cipher *cipher, const EVP_CIPHER *aes_ecb, const void *key, int is_encrypting) {
    cipher->context = EVP_CIPHER_CTX_new();
    return cipher->context != NULL &&
           EVP_CipherInit_ex2(cipher->context, aes_ecb, key, NULL, is_encrypting, NULL) == 1 &&
           EVP_CIPHER_CTX_set_padding(cipher->context, 0) == 1;
}

size_t ccrypto_key_wrap(
    const EVP_CIPHER *aes_ecb, const void *wrapping_key,
    const void *key, size_t key_count, void *out) {
    block_cipher cipher = {0};
    size_t count = 0;
    if (start(&cipher, aes_ecb, wrapping_key, 1)) {
        count = CRYPTO_128_wrap(&cipher, NULL, out, key, key_count, run_block);
    }
    EVP_CIPHER_CTX_free(cipher.context);
    return cipher.has_failed ? 0 : count;
}

size_t ccrypto_key_unwrap(
    const EVP_CIPHER *aes_ecb, const void *wrapping_key,
    const void *wrapped, size_t wrapped_count, void *out) {
    block_cipher cipher = {0};
    size_t count = 0;
    if (start(&cipher, aes_ecb, wrapping_key, 0)) {
        count = CRYPTO_128_unwrap(&cipher, NULL, out, wrapped, wrapped_count, run_block);
    }
    EVP_CIPHER_CTX_free(cipher.context);
    return cipher.has_failed ? 0 : count;
}
