import Cryptography
import KeychainModel
import Secrets

extension Keybag {
    /// Tells whether a passcode is the right one, and opens nothing.
    ///
    /// - Returns: False if it is wrong; also if none is set.
    /// - Throws: `damaged`, what the element throws, or `cryptography`.
    package func verify(passcode: borrowing Secret) throws(DeviceError) -> Bool {
        guard let passcodeKey = try passcodeKey(of: passcode) else { return false }
        return try unwrapGuarded(.whenUnlocked, under: passcodeKey) != nil
    }

    /// Opens every class if the passcode is right; nothing changes if it is wrong.
    ///
    /// - Returns: False if it is wrong; also if none is set.
    /// - Throws: `damaged`, what the element throws, or `cryptography`.
    package mutating func unlock(passcode: borrowing Secret) throws(DeviceError) -> Bool {
        guard let opened = try guardedKeys(for: passcode) else { return false }
        keys.merge(opened)
        return true
    }

    /// Unwraps every guarded class key; `nil` if the passcode is wrong or none is set.
    ///
    /// - Throws: `damaged`, what the element throws, or `cryptography`.
    func guardedKeys(for passcode: borrowing Secret) throws(DeviceError) -> ClassKeyring? {
        guard let passcodeKey = try passcodeKey(of: passcode) else { return nil }
        var opened = ClassKeyring()
        for protectionClass in record.wrappedKeys.keys where protectionClass.isPasscodeGuarded {
            guard let key = try unwrapGuarded(protectionClass, under: passcodeKey) else {
                return nil
            }
            opened.open(protectionClass, with: ClassKey(key))
        }
        return opened
    }

    /// Sets or changes the passcode: the guarded class keys are wrapped anew, none changes.
    ///
    /// Setting the first one makes the `akpu` key. Every guarded class must be open.
    /// - Parameters:
    ///   - new: The passcode.
    ///   - cost: What one guess shall cost.
    ///   - random: Where salt and key come from.
    ///   - save: Makes the new file durable; if it throws, nothing has changed.
    /// - Throws: `emptyPasscode`, `locked`, what the element or `save` throws, or `cryptography`.
    package mutating func setPasscode(
        _ new: borrowing Secret,
        cost: Argon2id.Cost,
        random: any RandomSource,
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) {
        guard new.byteCount > 0 else { throw .emptyPasscode }
        let salt = try Self.random(random, byteCount: KeybagRecord.saltByteCount)
        let settings = KeybagRecord.Passcode(salt: salt, cost: cost)
        let wrappingKey = try Self.passcodeKey(of: new, stretchedBy: settings, element: element)
        var next = record
        next.passcode = settings
        try rewrapGuarded(in: &next, under: wrappingKey)
        guard !isPasscodeSet else {
            try save(try encoded(next))
            record = next
            return
        }
        let passcodeOnly = ClassKey(try Self.newKey(random))
        next.passcodeEpoch &+= 1
        next.wrappedKeys[.whenPasscodeSetThisDeviceOnly] =
            try Self.wrap(passcodeOnly.secret, under: wrappingKey)
        try save(try encoded(next))
        record = next
        keys.open(.whenPasscodeSetThisDeviceOnly, with: passcodeOnly)
    }

    /// Removes the passcode and destroys the `akpu` key; the other keys go under the device key.
    ///
    /// - Parameter save: Makes the new file durable; if it throws, nothing has changed.
    /// - Throws: `passcodeNotSet`, `locked` unless every guarded class is open, what the element
    ///   or `save` throws, or `cryptography`.
    package mutating func removePasscode(
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) {
        guard isPasscodeSet else { throw .passcodeNotSet }
        var next = record
        next.passcode = nil
        next.wrappedKeys[.whenPasscodeSetThisDeviceOnly] = nil
        let deviceKey = try Self.deviceKey(of: uuid, element: element)
        try rewrapGuarded(in: &next, under: deviceKey)
        try save(try encoded(next))
        record = next
        keys.evict(.whenPasscodeSetThisDeviceOnly)
    }
}

extension Keybag {
    private func passcodeKey(of passcode: borrowing Secret) throws(DeviceError) -> Secret? {
        guard let settings = record.passcode else { return nil }
        return try Self.passcodeKey(of: passcode, stretchedBy: settings, element: element)
    }

    /// Unwraps a guarded class key; `nil` if the passcode key is not the right one.
    private func unwrapGuarded(
        _ protectionClass: ProtectionClass,
        under passcodeKey: borrowing Secret
    ) throws(DeviceError) -> Secret? {
        guard let wrapped = record.wrappedKeys[protectionClass] else {
            throw .noSuchClass(protectionClass)
        }
        do throws(CryptographyError) {
            return try AESKeyWrap.unwrap(wrapped, under: passcodeKey)
        } catch .authenticationFailed {
            return nil
        } catch {
            throw .cryptography(error)
        }
    }

    /// Wraps every guarded class key that the record has under another key.
    private func rewrapGuarded(
        in next: inout KeybagRecord,
        under wrappingKey: borrowing Secret
    ) throws(DeviceError) {
        for protectionClass in next.wrappedKeys.keys where protectionClass.isPasscodeGuarded {
            if let error = unavailability(of: protectionClass) { throw error }
            next.wrappedKeys[protectionClass] = try keys.withKey(protectionClass) {
                key throws(DeviceError) in
                try Self.wrap(key.secret, under: wrappingKey)
            }
        }
    }
}
