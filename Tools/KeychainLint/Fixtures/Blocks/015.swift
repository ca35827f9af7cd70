// An access control for the user's presence, made with the names of C.
var trouble: NSError?
let presence = SecAccessControlCreateWithFlags(
    NULL,
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    kSecAccessControlUserPresence,
    &trouble
);
