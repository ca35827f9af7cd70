/* What the parts of the program share: main.c has the bodies. */
#ifndef PKCS11_CLIENT_H
#define PKCS11_CLIENT_H

#include <p11-kit-1/p11-kit/pkcs11.h>

/* The functions of the library that was loaded last. */
extern CK_FUNCTION_LIST *f;

/* Ends the program unless the code is the expected one. */
void expect(const char *what, CK_RV code, CK_RV expected);

#define OK(call) expect(#call, call, CKR_OK)
#define REFUSED(call, code) expect(#call, call, code)

/* The slot whose token has the label. */
CK_SLOT_ID slot_of(const char *label);
CK_SESSION_HANDLE open_session(CK_SLOT_ID slot);
/* Makes a pair of P-256; `other` is its public half. */
CK_RV new_pair(CK_SESSION_HANDLE session, CK_BBOOL stored, CK_OBJECT_HANDLE *other, CK_OBJECT_HANDLE *key);
CK_RV sign(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, unsigned char *signature);
CK_RV verify(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, unsigned char *signature);
double now(void);

/* Threads, forks, ends and loadings at the same time, for some seconds. */
void stress(const char *path, const char *label, double seconds);

#endif
