import CoreFoundation
import KeychainModel

/// The key of the accessibility, which says when the item can be read.
nonisolated(unsafe) public let kSecAttrAccessible: CFString = ConstantString(attribute: .accessible)
/// Readable while the device is unlocked.
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = ConstantString(
    protection: .whenUnlocked
)
/// Readable from the first unlock after a restart.
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = ConstantString(
    protection: .afterFirstUnlock
)
/// Readable while the device is unlocked; the item never leaves this device.
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString =
    ConstantString(protection: .whenUnlockedThisDeviceOnly)
/// Readable from the first unlock after a restart; the item never leaves this device.
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString =
    ConstantString(protection: .afterFirstUnlockThisDeviceOnly)
/// Readable while the device is unlocked and has a passcode; the item never leaves this device.
nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString =
    ConstantString(protection: .whenPasscodeSetThisDeviceOnly)
/// Readable in every lock state.
@available(
    *,
    deprecated,
    message: "No lock state protects the item; use kSecAttrAccessibleAfterFirstUnlock"
)
nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = ConstantString(
    protection: .always
)
/// Readable in every lock state; the item never leaves this device.
@available(
    *,
    deprecated,
    message: "No lock state protects the item; use kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly"
)
nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = ConstantString(
    protection: .alwaysThisDeviceOnly
)
