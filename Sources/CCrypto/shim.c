#include "CCrypto.h"

#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <sys/random.h>

ssize_t ccrypto_getrandom(void *buffer, size_t count) {
    ssize_t written = getrandom(buffer, count, 0);
    return written < 0 ? -errno : written;
}

EVP_MAC_CTX *ccrypto_hmac_new(
    EVP_MAC *hmac, const char *digest, const void *key, size_t key_count) {
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC_CTX *context = EVP_MAC_CTX_new(hmac);
    if (context == NULL) {
        return NULL;
    }
    // A null key would mean "keep the present key"; an empty one is legal.
    const void *key_or_empty = key != NULL ? key : "";
    if (EVP_MAC_init(context, key_or_empty, key_count, parameters) != 1) {
        EVP_MAC_CTX_free(context);
        return NULL;
    }
    return context;
}

int ccrypto_hkdf_sha256(
    EVP_KDF *hkdf,
    const void *key, size_t key_count,
    const void *salt, size_t salt_count,
    const void *info, size_t info_count,
    void *out, size_t out_count) {
    OSSL_PARAM parameters[5];
    size_t next = 0;
    parameters[next++] =
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA2-256", 0);
    parameters[next++] =
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_count);
    if (salt_count > 0) {
        parameters[next++] =
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count);
    }
    if (info_count > 0) {
        parameters[next++] =
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count);
    }
    parameters[next] = OSSL_PARAM_construct_end();

    EVP_KDF_CTX *context = EVP_KDF_CTX_new(hkdf);
    if (context == NULL) {
        return 0;
    }
    int result = EVP_KDF_derive(context, out, out_count, parameters);
    EVP_KDF_CTX_free(context);
    return result == 1;
}

int ccrypto_argon2id(const ccrypto_argon2id_input *input, void *out, size_t out_count) {
    if (out_count > UINT32_MAX || input->password_count > UINT32_MAX ||
        input->salt_count > UINT32_MAX || input->secret_count > UINT32_MAX ||
        input->associated_count > UINT32_MAX) {
        return ARGON2_INCORRECT_PARAMETER;
    }
    // libargon2 declares its inputs mutable but changes them only when asked to by a flag.
    argon2_context context = {
        .out = out,
        .outlen = (uint32_t)out_count,
        .pwd = (uint8_t *)input->password,
        .pwdlen = (uint32_t)input->password_count,
        .salt = (uint8_t *)input->salt,
        .saltlen = (uint32_t)input->salt_count,
        .secret = (uint8_t *)input->secret,
        .secretlen = (uint32_t)input->secret_count,
        .ad = (uint8_t *)input->associated,
        .adlen = (uint32_t)input->associated_count,
        .t_cost = input->passes,
        .m_cost = input->memory_kib,
        .lanes = input->lanes,
        .threads = input->lanes,
        .version = ARGON2_VERSION_13,
        .allocate_cbk = NULL,
        .free_cbk = NULL,
        .flags = ARGON2_DEFAULT_FLAGS,
    };
    return argon2id_ctx(&context);
}
