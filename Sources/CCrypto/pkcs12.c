#include "CCrypto.h"

void ccrypto_free_pkcs7(void *safe) {
    PKCS7_free(safe);
}

void ccrypto_free_safe_bag(void *bag) {
    PKCS12_SAFEBAG_free(bag);
}
