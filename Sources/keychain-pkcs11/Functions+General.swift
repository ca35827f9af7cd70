import Cryptography
import KeychainModel
import PKCS11Token
import Secrets

@_implementationOnly import CPKCS11

// The module, its slots, tokens, mechanisms and sessions. `functions.c` declares the C functions.

@_cdecl("keychain_C_Initialize")
package func initialize(_ arguments: UnsafeMutableRawPointer?) -> UInt {
    do throws(ReturnCode) {
        if let arguments {
            let row = arguments.assumingMemoryBound(to: CK_C_INITIALIZE_ARGS.self).pointee
            let given = [
                row.CreateMutex != nil, row.DestroyMutex != nil, row.LockMutex != nil,
                row.UnlockMutex != nil,
            ]
            guard row.pReserved == nil, Set(given).count == 1 else {
                throw ReturnCode.argumentsBad
            }
            // The program's own lock functions are not used; the module needs those of the system.
            guard !given[0] || row.flags & UInt(CKF_OS_LOCKING_OK) != 0 else {
                throw ReturnCode.cantLock
            }
        }
        try LoadedModule.watchForks()
    } catch {
        return error.rawValue
    }
    return LoadedModule.inside {
        do throws(ReturnCode) { try LoadedModule.initialize() } catch { return error.rawValue }
        return ReturnCode.ok.rawValue
    }
}

@_cdecl("keychain_C_Finalize")
package func finalize(_ reserved: UnsafeMutableRawPointer?) -> UInt {
    guard reserved == nil else { return ReturnCode.argumentsBad.rawValue }
    return LoadedModule.inside {
        do throws(ReturnCode) { try LoadedModule.finalize() } catch { return error.rawValue }
        return ReturnCode.ok.rawValue
    }
}

private let manufacturer = "swift-keychain"

@_cdecl("keychain_C_GetInfo")
package func getInfo(_ info: UnsafeMutableRawPointer?) -> UInt {
    answer { _ throws(ReturnCode) in
        let row = try Argument.required(info).assumingMemoryBound(to: CK_INFO.self)
        row.pointee.cryptokiVersion = CK_VERSION(major: 2, minor: 40)
        row.pointee.flags = 0
        row.pointee.libraryVersion = CK_VERSION(major: 1, minor: 0)
        withUnsafeMutableBytes(of: &row.pointee.manufacturerID) {
            Delivery.text(manufacturer, in: $0)
        }
        withUnsafeMutableBytes(of: &row.pointee.libraryDescription) {
            Delivery.text("Keychain", in: $0)
        }
    }
}

@_cdecl("keychain_C_GetSlotList")
package func getSlotList(
    _ onlyPresent: UInt8,
    _ slots: UnsafeMutablePointer<UInt>?,
    _ count: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        // The list may grow at a query of its size, but not between that query and the reply.
        let known = module.slots(onlyPresent: onlyPresent != 0, isRefreshing: slots == nil)
        try Delivery.list(known, slots, count)
    }
}

@_cdecl("keychain_C_GetSlotInfo")
package func getSlotInfo(_ slot: UInt, _ info: UnsafeMutableRawPointer?) -> UInt {
    answer { module throws(ReturnCode) in
        let row = try Argument.required(info).assumingMemoryBound(to: CK_SLOT_INFO.self)
        let group = try module.group(slot)
        let isPresent = module.slots(onlyPresent: true, isRefreshing: false).contains(slot)
        withUnsafeMutableBytes(of: &row.pointee.slotDescription) {
            Delivery.text("Keychain access group \(group)", in: $0)
        }
        withUnsafeMutableBytes(of: &row.pointee.manufacturerID) {
            Delivery.text(manufacturer, in: $0)
        }
        row.pointee.flags = isPresent ? UInt(CKF_TOKEN_PRESENT) : 0
        row.pointee.hardwareVersion = CK_VERSION(major: 0, minor: 0)
        row.pointee.firmwareVersion = CK_VERSION(major: 0, minor: 0)
    }
}

@_cdecl("keychain_C_GetTokenInfo")
package func getTokenInfo(_ slot: UInt, _ info: UnsafeMutableRawPointer?) -> UInt {
    answer { module throws(ReturnCode) in
        let row = try Argument.required(info).assumingMemoryBound(to: CK_TOKEN_INFO.self)
        let token = try module.token(slot)
        let unknown = UInt.max
        withUnsafeMutableBytes(of: &row.pointee.label) { Delivery.text(token.label, in: $0) }
        withUnsafeMutableBytes(of: &row.pointee.manufacturerID) {
            Delivery.text(manufacturer, in: $0)
        }
        withUnsafeMutableBytes(of: &row.pointee.model) { Delivery.text("Keychain", in: $0) }
        withUnsafeMutableBytes(of: &row.pointee.serialNumber) {
            Delivery.text(token.serialNumber, in: $0)
        }
        withUnsafeMutableBytes(of: &row.pointee.utcTime) { Delivery.text("", in: $0) }
        row.pointee.flags = token.flags
        row.pointee.ulMaxSessionCount = UInt(TokenModule.sessionLimit)
        row.pointee.ulSessionCount = UInt(token.sessionCount)
        row.pointee.ulMaxRwSessionCount = UInt(TokenModule.sessionLimit)
        row.pointee.ulRwSessionCount = UInt(token.readWriteSessionCount)
        row.pointee.ulMaxPinLen = UInt(TokenModule.passcodeByteCountLimit)
        row.pointee.ulMinPinLen = 1
        row.pointee.ulTotalPublicMemory = unknown
        row.pointee.ulFreePublicMemory = unknown
        row.pointee.ulTotalPrivateMemory = unknown
        row.pointee.ulFreePrivateMemory = unknown
        row.pointee.hardwareVersion = CK_VERSION(major: 0, minor: 0)
        row.pointee.firmwareVersion = CK_VERSION(major: 0, minor: 0)
    }
}

@_cdecl("keychain_C_WaitForSlotEvent")
package func waitForSlotEvent(
    _ flags: UInt,
    _ slot: UnsafeMutablePointer<UInt>?,
    _ reserved: UnsafeMutableRawPointer?
) -> UInt {
    answer { _ throws(ReturnCode) in
        // Waiting would have no time limit.
        throw flags & UInt(CKF_DONT_BLOCK) != 0 ? .noEvent : .functionNotSupported
    }
}

@_cdecl("keychain_C_GetMechanismList")
package func getMechanismList(
    _ slot: UInt,
    _ mechanisms: UnsafeMutablePointer<UInt>?,
    _ count: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        _ = try module.group(slot)
        try Delivery.list(Mechanism.all.map(\.number), mechanisms, count)
    }
}

@_cdecl("keychain_C_GetMechanismInfo")
package func getMechanismInfo(
    _ slot: UInt,
    _ number: UInt,
    _ info: UnsafeMutableRawPointer?
) -> UInt {
    answer { module throws(ReturnCode) in
        let row = try Argument.required(info).assumingMemoryBound(to: CK_MECHANISM_INFO.self)
        _ = try module.group(slot)
        guard let mechanism = Mechanism.named(number) else { throw .mechanismInvalid }
        row.pointee.ulMinKeySize = mechanism.keySizes.lowerBound
        row.pointee.ulMaxKeySize = mechanism.keySizes.upperBound
        row.pointee.flags = mechanism.flags
    }
}

@_cdecl("keychain_C_OpenSession")
package func openSession(
    _ slot: UInt,
    _ flags: UInt,
    _ application: UnsafeMutableRawPointer?,
    _ notify: UnsafeMutableRawPointer?,
    _ session: UnsafeMutablePointer<UInt>?
) -> UInt {
    answer { module throws(ReturnCode) in
        let session = try Argument.required(session)
        session.pointee = try module.openSession(slot: slot, flags: flags)
    }
}

@_cdecl("keychain_C_CloseSession")
package func closeSession(_ session: UInt) -> UInt {
    answer { module throws(ReturnCode) in try module.closeSession(session) }
}

@_cdecl("keychain_C_CloseAllSessions")
package func closeAllSessions(_ slot: UInt) -> UInt {
    answer { module throws(ReturnCode) in try module.closeAllSessions(slot: slot) }
}

@_cdecl("keychain_C_GetSessionInfo")
package func getSessionInfo(_ session: UInt, _ info: UnsafeMutableRawPointer?) -> UInt {
    answer { module throws(ReturnCode) in
        let row = try Argument.required(info).assumingMemoryBound(to: CK_SESSION_INFO.self)
        let described = try module.session(session)
        row.pointee.slotID = described.slot
        row.pointee.state = described.state.rawValue
        row.pointee.flags = described.flags
        row.pointee.ulDeviceError = 0
    }
}

@_cdecl("keychain_C_Login")
package func login(
    _ session: UInt,
    _ userType: UInt,
    _ passcode: UnsafePointer<UInt8>?,
    _ count: UInt
) -> UInt {
    answer { module throws(ReturnCode) in
        var given: SharedSecret?
        if passcode != nil {
            guard count <= UInt(TokenModule.passcodeByteCountLimit) else { throw .pinLengthRange }
            given = SharedSecret(Secret(copying: try Argument.bytes(passcode, count)))
        }
        try module.login(session, userType: userType, passcode: given)
    }
}

@_cdecl("keychain_C_Logout")
package func logout(_ session: UInt) -> UInt {
    answer { module throws(ReturnCode) in try module.logout(session) }
}

@_cdecl("keychain_C_SeedRandom")
package func seedRandom(_ session: UInt, _ seed: UnsafePointer<UInt8>?, _ count: UInt) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        throw .randomSeedNotSupported
    }
}

@_cdecl("keychain_C_GenerateRandom")
package func generateRandom(
    _ session: UInt,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ count: UInt
) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        let bytes = try Argument.bytes(buffer, count)
        let target = UnsafeMutableRawBufferPointer(mutating: bytes)
        do throws(CryptographyError) { try SystemRandomSource().fill(target) } catch {
            throw .functionFailed
        }
    }
}

@_cdecl("keychain_unsupported")
package func unsupported(_ session: UInt) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        throw .functionNotSupported
    }
}

@_cdecl("keychain_unsupported_in_slot")
package func unsupported(slot: UInt) -> UInt {
    answer { module throws(ReturnCode) in
        _ = try module.group(slot)
        throw .functionNotSupported
    }
}

@_cdecl("keychain_not_parallel")
package func notParallel(_ session: UInt) -> UInt {
    answer { module throws(ReturnCode) in
        try module.check(session)
        throw .functionNotParallel
    }
}
