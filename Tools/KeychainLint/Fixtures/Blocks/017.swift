// An access control with biometry and a password of the app, made with the operators of C.
let ledgerLock = SecAccessControlCreateWithFlags(
    NULL,
    kSecAttrAccessibleWhenPasscodeSet,
    kSecAccessControlApplicationPassword | kSecAccessControlBiometryAny,
    &trouble
);
