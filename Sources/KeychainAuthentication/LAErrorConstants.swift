// ★ Table: the numbers of `LAError` by the names of Apple's header for C.

/// The user did not prove their identity.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// The user canceled.
public let kLAErrorUserCancel: Int32 = -2
/// The user chose the fallback button.
public let kLAErrorUserFallback: Int32 = -3
/// The system canceled.
public let kLAErrorSystemCancel: Int32 = -4
/// The device has no passcode.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// The device has no usable Touch ID.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// No finger is enrolled.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// Too many failures locked Touch ID.
public let kLAErrorTouchIDLockout: Int32 = -8
/// The program canceled.
public let kLAErrorAppCancel: Int32 = -9
/// The context is invalid.
public let kLAErrorInvalidContext: Int32 = -10
/// No paired watch is nearby.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// No removable sensor is paired.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// The removable sensor is not connected.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// A view has invalid dimensions.
public let kLAErrorInvalidDimensions: Int32 = -14
/// The call needs a prompt, and prompts are forbidden.
public let kLAErrorNotInteractive: Int32 = -1004
/// The device has no usable biometry.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// No face or finger is enrolled.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// Too many failures locked biometry.
public let kLAErrorBiometryLockout: Int32 = -8
/// No paired device is nearby.
public let kLAErrorCompanionNotAvailable: Int32 = -11

/// Biometry.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// Biometry or the passcode.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
