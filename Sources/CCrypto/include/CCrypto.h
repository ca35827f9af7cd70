#include <openssl/evp.h>
#include <argon2.h>
