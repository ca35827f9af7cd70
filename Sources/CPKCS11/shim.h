/* The types and numbers of PKCS #11 2.40, as p11-kit declares them; nothing is linked. */
#if !__has_include(<p11-kit-1/p11-kit/pkcs11.h>)
#include "../missing-libraries.h"
#endif
#include <p11-kit-1/p11-kit/pkcs11.h>
