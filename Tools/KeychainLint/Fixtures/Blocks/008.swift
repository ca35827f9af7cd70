// Two constraints and no word on whether one or both are asked for.
let diaryLock = SecAccessControlCreateWithFlags(
    kCFAllocatorDefault,
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    [.devicePasscode, .biometryAny],
    &problem
)
