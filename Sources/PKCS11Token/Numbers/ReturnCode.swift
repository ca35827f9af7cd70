// ★ Table: the return codes that this module uses.

/// The return code of a PKCS #11 function.
///
/// - Source: PKCS #11 Base Specification 2.40, §5.1.
package struct ReturnCode: RawRepresentable, Error, Hashable, Sendable {
    /// The code's number in the C header.
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    private init(_ number: UInt) { rawValue = number }
}

extension ReturnCode {
    package static let ok = ReturnCode(0x0)
    package static let hostMemory = ReturnCode(0x2)
    package static let slotIDInvalid = ReturnCode(0x3)
    package static let generalError = ReturnCode(0x5)
    package static let functionFailed = ReturnCode(0x6)
    package static let argumentsBad = ReturnCode(0x7)
    package static let noEvent = ReturnCode(0x8)
    package static let cantLock = ReturnCode(0xA)
    package static let attributeReadOnly = ReturnCode(0x10)
    package static let attributeSensitive = ReturnCode(0x11)
    package static let attributeTypeInvalid = ReturnCode(0x12)
    package static let attributeValueInvalid = ReturnCode(0x13)
    package static let actionProhibited = ReturnCode(0x1B)
    package static let dataInvalid = ReturnCode(0x20)
    package static let dataLengthRange = ReturnCode(0x21)
    package static let deviceError = ReturnCode(0x30)
    package static let deviceMemory = ReturnCode(0x31)
    package static let encryptedDataInvalid = ReturnCode(0x40)
    package static let encryptedDataLengthRange = ReturnCode(0x41)
    package static let functionCanceled = ReturnCode(0x50)
    package static let functionNotParallel = ReturnCode(0x51)
    package static let functionNotSupported = ReturnCode(0x54)
    package static let keyHandleInvalid = ReturnCode(0x60)
    package static let keySizeRange = ReturnCode(0x62)
    package static let keyTypeInconsistent = ReturnCode(0x63)
    package static let keyIndigestible = ReturnCode(0x67)
    package static let keyFunctionNotPermitted = ReturnCode(0x68)
    package static let keyNotWrappable = ReturnCode(0x69)
    package static let keyUnextractable = ReturnCode(0x6A)
    package static let mechanismInvalid = ReturnCode(0x70)
    package static let mechanismParameterInvalid = ReturnCode(0x71)
    package static let objectHandleInvalid = ReturnCode(0x82)
    package static let operationActive = ReturnCode(0x90)
    package static let operationNotInitialized = ReturnCode(0x91)
    package static let pinIncorrect = ReturnCode(0xA0)
    package static let pinLengthRange = ReturnCode(0xA2)
    package static let pinLocked = ReturnCode(0xA4)
    package static let sessionCount = ReturnCode(0xB1)
    package static let sessionHandleInvalid = ReturnCode(0xB3)
    package static let sessionParallelNotSupported = ReturnCode(0xB4)
    package static let sessionReadOnly = ReturnCode(0xB5)
    package static let signatureInvalid = ReturnCode(0xC0)
    package static let signatureLengthRange = ReturnCode(0xC1)
    package static let templateIncomplete = ReturnCode(0xD0)
    package static let templateInconsistent = ReturnCode(0xD1)
    package static let tokenNotPresent = ReturnCode(0xE0)
    package static let unwrappingKeyHandleInvalid = ReturnCode(0xF0)
    package static let unwrappingKeyTypeInconsistent = ReturnCode(0xF2)
    package static let userAlreadyLoggedIn = ReturnCode(0x100)
    package static let userNotLoggedIn = ReturnCode(0x101)
    package static let userPinNotInitialized = ReturnCode(0x102)
    package static let userTypeInvalid = ReturnCode(0x103)
    package static let wrappedKeyInvalid = ReturnCode(0x110)
    package static let wrappedKeyLengthRange = ReturnCode(0x112)
    package static let wrappingKeyHandleInvalid = ReturnCode(0x113)
    package static let wrappingKeyTypeInconsistent = ReturnCode(0x115)
    package static let randomSeedNotSupported = ReturnCode(0x120)
    package static let curveNotSupported = ReturnCode(0x140)
    package static let bufferTooSmall = ReturnCode(0x150)
    package static let needToCreateThreads = ReturnCode(0x9)
    package static let cryptokiNotInitialized = ReturnCode(0x190)
    package static let cryptokiAlreadyInitialized = ReturnCode(0x191)
}
