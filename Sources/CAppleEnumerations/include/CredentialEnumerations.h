#ifndef CREDENTIAL_ENUMERATIONS_H
#define CREDENTIAL_ENUMERATIONS_H

#include "OpenEnumeration.h"

/// What an identifier of a service is; `ASCredentialServiceIdentifier.IdentifierType` in Swift.
OPEN_ENUMERATION(long, ASCredentialServiceIdentifierType) {
    /// A domain name.
    ASCredentialServiceIdentifierTypeDomain = 0,
    /// A URL.
    ASCredentialServiceIdentifierTypeURL CASE_NAME(URL) = 1,
};

/// The reasons of an `ASCredentialIdentityStoreError`; its `Code` in Swift.
OPEN_ENUMERATION(long, ASCredentialIdentityStoreErrorCode) {
    /// The store failed.
    ASCredentialIdentityStoreErrorCodeInternalError = 0,
    /// The user did not choose the app as a credential provider.
    ASCredentialIdentityStoreErrorCodeStoreDisabled = 1,
    /// The store is in use.
    ASCredentialIdentityStoreErrorCodeStoreBusy = 2,
};

/// The reasons of an `ASExtensionError`; its `Code` in Swift.
OPEN_ENUMERATION(long, ASExtensionErrorCode) {
    /// The request failed.
    ASExtensionErrorCodeFailed = 0,
    /// The user canceled.
    ASExtensionErrorCodeUserCanceled = 1,
    /// The provider must show something first.
    ASExtensionErrorCodeUserInteractionRequired = 100,
    /// The provider does not know the identity.
    ASExtensionErrorCodeCredentialIdentityNotFound = 101,
};

#endif
