#include "CCrypto.h"

#include <openssl/param_build.h>
#include <openssl/params.h>

static EVP_PKEY *key_from_builder(OSSL_PARAM_BLD *builder, const char *type, int selection) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters != NULL && context != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
        EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

// A missing integer is left out.
static int push(OSSL_PARAM_BLD *builder, const char *name, const BIGNUM *integer) {
    return integer == NULL || OSSL_PARAM_BLD_push_BN(builder, name, integer) == 1;
}

EVP_PKEY *ccrypto_rsa_key(const ccrypto_rsa_integers *integers) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder == NULL) {
        return NULL;
    }
    EVP_PKEY *key = NULL;
    if (push(builder, OSSL_PKEY_PARAM_RSA_N, integers->n) &&
        push(builder, OSSL_PKEY_PARAM_RSA_E, integers->e) &&
        push(builder, OSSL_PKEY_PARAM_RSA_D, integers->d) &&
        push(builder, OSSL_PKEY_PARAM_RSA_FACTOR1, integers->p) &&
        push(builder, OSSL_PKEY_PARAM_RSA_FACTOR2, integers->q) &&
        push(builder, OSSL_PKEY_PARAM_RSA_EXPONENT1, integers->dp) &&
        push(builder, OSSL_PKEY_PARAM_RSA_EXPONENT2, integers->dq) &&
        push(builder, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, integers->q_inverse)) {
        int selection = integers->d != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
        key = key_from_builder(builder, CCRYPTO_RSA, selection);
    }
    OSSL_PARAM_BLD_free(builder);
    return key;
}

// Tells whether exponent is `d mod (prime - 1)` and inverts e there.
static int exponent_fits(
    const ccrypto_rsa_integers *integers, const BIGNUM *prime, const BIGNUM *exponent,
    BN_CTX *context) {
    BN_CTX_start(context);
    BIGNUM *order = BN_CTX_get(context);
    BIGNUM *rest = BN_CTX_get(context);
    int fits = rest != NULL && BN_is_odd(prime) && BN_num_bits(prime) > 2 &&
        BN_sub(order, prime, BN_value_one()) &&
        BN_nnmod(rest, integers->d, order, context) && BN_cmp(rest, exponent) == 0 &&
        BN_mod_mul(rest, exponent, integers->e, order, context) && BN_is_one(rest);
    BN_CTX_end(context);
    return fits;
}

int ccrypto_rsa_is_consistent(const ccrypto_rsa_integers *integers) {
    BN_CTX *context = BN_CTX_secure_new();
    if (context == NULL) {
        return 0;
    }
    BN_CTX_start(context);
    BIGNUM *product = BN_CTX_get(context);
    int consistent = product != NULL &&
        BN_mul(product, integers->p, integers->q, context) &&
        BN_cmp(product, integers->n) == 0 && BN_cmp(integers->p, integers->q) != 0 &&
        BN_cmp(integers->d, integers->n) < 0 &&
        exponent_fits(integers, integers->p, integers->dp, context) &&
        exponent_fits(integers, integers->q, integers->dq, context) &&
        BN_cmp(integers->q_inverse, integers->p) < 0 &&
        BN_mod_mul(product, integers->q_inverse, integers->q, integers->p, context) &&
        BN_is_one(product);
    BN_CTX_end(context);
    BN_CTX_free(context);
    return consistent;
}

EVP_PKEY *ccrypto_ec_key(
    const char *curve, const void *point, size_t point_count,
    const BIGNUM *scalar, size_t scalar_count) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder == NULL) {
        return NULL;
    }
    EVP_PKEY *key = NULL;
    if (OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(
            builder, OSSL_PKEY_PARAM_PUB_KEY, point, point_count) == 1 &&
        (scalar == NULL ||
         OSSL_PARAM_BLD_push_BN_pad(
             builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar, scalar_count) == 1)) {
        int selection = scalar != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
        key = key_from_builder(builder, CCRYPTO_EC, selection);
    }
    OSSL_PARAM_BLD_free(builder);
    return key;
}

int ccrypto_ec_public_point(
    const char *curve, const BIGNUM *scalar, unsigned char *out, size_t out_count) {
    int made = 0;
    EC_GROUP *group = EC_GROUP_new_by_curve_name(EC_curve_nist2nid(curve));
    EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
    BN_CTX *context = BN_CTX_secure_new();
    if (point != NULL && context != NULL &&
        EC_POINT_mul(group, point, scalar, NULL, NULL, context) == 1) {
        made = EC_POINT_point2oct(
            group, point, POINT_CONVERSION_UNCOMPRESSED, out, out_count, context) == out_count;
    }
    BN_CTX_free(context);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return made;
}

int ccrypto_x963kdf(
    const char *digest, const void *key, size_t key_count,
    const void *info, size_t info_count, void *out, size_t out_count) {
    OSSL_PARAM parameters[4];
    size_t next = 0;
    parameters[next++] =
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0);
    parameters[next++] =
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_count);
    if (info_count > 0) {
        parameters[next++] =
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count);
    }
    parameters[next] = OSSL_PARAM_construct_end();

    EVP_KDF *kdf = EVP_KDF_fetch(NULL, OSSL_KDF_NAME_X963KDF, NULL);
    EVP_KDF_CTX *context = kdf != NULL ? EVP_KDF_CTX_new(kdf) : NULL;
    int result = context != NULL ? EVP_KDF_derive(context, out, out_count, parameters) : 0;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    return result == 1;
}

int ccrypto_ec_point_is_on_curve(const char *curve, const void *point, size_t point_count) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(EC_curve_nist2nid(curve));
    EC_POINT *decoded = group != NULL ? EC_POINT_new(group) : NULL;
    int is_on_curve = decoded != NULL &&
        EC_POINT_oct2point(group, decoded, point, point_count, NULL) == 1 &&
        EC_POINT_is_at_infinity(group, decoded) == 0 &&
        EC_POINT_is_on_curve(group, decoded, NULL) == 1;
    EC_POINT_free(decoded);
    EC_GROUP_free(group);
    return is_on_curve;
}
