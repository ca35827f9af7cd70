// Two constraints of which one suffices.
let diaryLock = SecAccessControlCreateWithFlags(
    kCFAllocatorDefault,
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    [.devicePasscode, .or, .biometryAny],
    &problem
)
