import CoreFoundation
import KeychainModel

/// The key of the accessibility: when the item can be read.
nonisolated(unsafe) public let kSecAttrAccessible: CFString = ConstantString(attribute: .accessible)
/// While the device is unlocked.
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = ConstantString(
    protection: .whenUnlocked
)
/// From the first unlock after a restart.
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = ConstantString(
    protection: .afterFirstUnlock
)
/// While unlocked; the item never leaves this device.
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString =
    ConstantString(protection: .whenUnlockedThisDeviceOnly)
/// From the first unlock after a restart; the item never leaves this device.
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString =
    ConstantString(protection: .afterFirstUnlockThisDeviceOnly)
/// While unlocked and a passcode is set; the item never leaves this device.
nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString =
    ConstantString(protection: .whenPasscodeSetThisDeviceOnly)
/// Whatever the lock state.
@available(
    *,
    deprecated,
    message: "No lock state protects the item; use kSecAttrAccessibleAfterFirstUnlock"
)
nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = ConstantString(
    protection: .always
)
/// Whatever the lock state; the item never leaves this device.
@available(
    *,
    deprecated,
    message: "No lock state protects the item; use kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly"
)
nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = ConstantString(
    protection: .alwaysThisDeviceOnly
)
