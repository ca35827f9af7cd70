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

/// The outcome of an evaluation of trust.
OPEN_ENUMERATION(unsigned int, SecTrustResultType) {
    /// Nothing was evaluated.
    kSecTrustResultInvalid = 0,
    /// The certificate is trusted because somebody decided so.
    kSecTrustResultProceed = 1,
    /// Somebody should be asked; never so here.
    kSecTrustResultConfirm = 2,
    /// Somebody decided that the certificate is not trusted; never so here.
    kSecTrustResultDeny = 3,
    /// The certificate is trusted, and nobody decided anything.
    kSecTrustResultUnspecified = 4,
    /// The certificate is not trusted, and somebody may accept it.
    kSecTrustResultRecoverableTrustFailure = 5,
    /// The certificate is not trusted, and nobody should accept it.
    kSecTrustResultFatalTrustFailure = 6,
    /// Nothing could be evaluated.
    kSecTrustResultOtherError = 7,
};

#endif
