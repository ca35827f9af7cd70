#ifndef AUTHENTICATION_ENUMERATIONS_H
#define AUTHENTICATION_ENUMERATIONS_H

#include "OpenEnumeration.h"

/// What the user must prove.
OPEN_ENUMERATION(long, LAPolicy) {
    /// Biometry.
    LAPolicyDeviceOwnerAuthenticationWithBiometrics = 1,
    /// Biometry or the passcode.
    LAPolicyDeviceOwnerAuthentication = 2,
    /// A paired device nearby.
    LAPolicyDeviceOwnerAuthenticationWithCompanion = 3,
    /// Biometry or a paired device nearby.
    LAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion = 4,
    /// The passcode; this device has no wrist detection.
    LAPolicyDeviceOwnerAuthenticationWithWristDetection = 5,
    /// A paired watch nearby.
    LAPolicyDeviceOwnerAuthenticationWithWatch = LAPolicyDeviceOwnerAuthenticationWithCompanion,
    /// Biometry or a paired watch nearby.
    LAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch =
        LAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion,
};

/// A device's kind of biometry.
OPEN_ENUMERATION(long, LABiometryType) {
    /// No biometry.
    LABiometryTypeNone = 0,
    /// Recognition of a finger.
    LABiometryTypeTouchID = 1,
    /// Recognition of a face.
    LABiometryTypeFaceID = 2,
    /// Recognition of an iris.
    LABiometryTypeOpticID = 4,
};

/// A kind of credential that an application stores in a context.
OPEN_ENUMERATION(long, LACredentialType) {
    /// A password that is part of an item's key.
    LACredentialTypeApplicationPassword = 0,
    /// The PIN of a smart card.
    LACredentialTypeSmartCardPIN CASE_NAME(smartCardPIN) = -3,
};

/// The intended use of an item with an access control.
OPEN_ENUMERATION(long, LAAccessControlOperation) {
    /// Adding an item.
    LAAccessControlOperationCreateItem = 0,
    /// Reading or changing an item.
    LAAccessControlOperationUseItem = 1,
    /// Creating a key.
    LAAccessControlOperationCreateKey = 2,
    /// Signing with a key.
    LAAccessControlOperationUseKeySign = 3,
    /// Decrypting with a key.
    LAAccessControlOperationUseKeyDecrypt = 4,
    /// Agreeing on a secret with a key.
    LAAccessControlOperationUseKeyKeyExchange = 5,
};

/// A kind of paired device that can confirm for the user.
OPEN_ENUMERATION(long, LACompanionType) {
    /// A watch.
    LACompanionTypeWatch = 1,
    /// A Mac.
    LACompanionTypeMac = 2,
    /// A headset.
    LACompanionTypeVision = 4,
};

/// The reasons of an `LAError`; `LAError.Code` in Swift.
OPEN_ENUMERATION(long, LAErrorCode) {
    /// The user did not prove their identity.
    LAErrorAuthenticationFailed CASE_NAME(authenticationFailed) = -1,
    /// The user canceled.
    LAErrorUserCancel CASE_NAME(userCancel) = -2,
    /// The user chose the fallback button.
    LAErrorUserFallback CASE_NAME(userFallback) = -3,
    /// The system canceled, for example because another application came to the front.
    LAErrorSystemCancel CASE_NAME(systemCancel) = -4,
    /// The device has no passcode.
    LAErrorPasscodeNotSet CASE_NAME(passcodeNotSet) = -5,
    /// The device has no usable biometry.
    LAErrorBiometryNotAvailable CASE_NAME(biometryNotAvailable) = -6,
    /// No face or finger is enrolled.
    LAErrorBiometryNotEnrolled CASE_NAME(biometryNotEnrolled) = -7,
    /// Too many attempts failed; the passcode makes biometry available again.
    LAErrorBiometryLockout CASE_NAME(biometryLockout) = -8,
    /// The application canceled.
    LAErrorAppCancel CASE_NAME(appCancel) = -9,
    /// The context was invalidated before or during the call.
    LAErrorInvalidContext CASE_NAME(invalidContext) = -10,
    /// No paired device is nearby.
    LAErrorCompanionNotAvailable CASE_NAME(companionNotAvailable) = -11,
    /// The removable sensor is not paired.
    LAErrorBiometryNotPaired CASE_NAME(biometryNotPaired) = -12,
    /// The removable sensor is not connected.
    LAErrorBiometryDisconnected CASE_NAME(biometryDisconnected) = -13,
    /// The prompt would have an unusable size.
    LAErrorInvalidDimensions CASE_NAME(invalidDimensions) = -14,
    /// The call needs a prompt, and prompts are forbidden or impossible.
    LAErrorNotInteractive CASE_NAME(notInteractive) = -1004,
    /// No paired watch is nearby.
    LAErrorWatchNotAvailable CASE_NAME(watchNotAvailable) = LAErrorCompanionNotAvailable,
    /// The device has no usable finger sensor.
    LAErrorTouchIDNotAvailable CASE_NAME(touchIDNotAvailable) RENAMED(biometryNotAvailable) =
        LAErrorBiometryNotAvailable,
    /// No finger is enrolled.
    LAErrorTouchIDNotEnrolled CASE_NAME(touchIDNotEnrolled) RENAMED(biometryNotEnrolled) =
        LAErrorBiometryNotEnrolled,
    /// Too many attempts with a finger failed.
    LAErrorTouchIDLockout CASE_NAME(touchIDLockout) RENAMED(biometryLockout) =
        LAErrorBiometryLockout,
};

#endif
