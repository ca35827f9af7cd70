#ifndef KEY_ENUMERATIONS_H
#define KEY_ENUMERATIONS_H

#include "OpenEnumeration.h"

/// The kind of operation that a key performs.
OPEN_ENUMERATION(long, SecKeyOperationType) {
    /// Creating a signature with the private key.
    kSecKeyOperationTypeSign = 0,
    /// Checking a signature with the public key.
    kSecKeyOperationTypeVerify = 1,
    /// Encrypting with the public key.
    kSecKeyOperationTypeEncrypt = 2,
    /// Decrypting with the private key.
    kSecKeyOperationTypeDecrypt = 3,
    /// Agreeing on a secret with the owner of another key.
    kSecKeyOperationTypeKeyExchange = 4,
};

#endif
