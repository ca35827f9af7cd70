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
        guard let passcodeKey = try passcodeKey(of: passcode),
            let opened = try guardedKeys(under: passcodeKey)
        else { return false }
        keys.merge(opened)
        return true
    }

    /// Unwraps the private halves that proofs release; opens no class.
    ///
    /// - Returns: `nil` if the passcode is wrong or none is set.
    /// - Throws: What the element throws, or `cryptography`.
    func proofKeys(
        for passcode: borrowing Secret
    ) throws(DeviceError) -> [Factor: SharedSecret]? {
        guard let passcodeKey = try passcodeKey(of: passcode) else { return nil }
        return try proofKeys(under: passcodeKey)
    }

    /// Opens every class if the passcode is right, and hands out what else it releases.
    ///
    /// - Returns: The private halves by factor; `nil`, and nothing changes, if it is wrong or none
    ///   is set.
    /// - Throws: `damaged`, what the element throws, or `cryptography`.
    mutating func open(
        with passcode: borrowing Secret
    ) throws(DeviceError) -> [Factor: SharedSecret]? {
        guard let passcodeKey = try passcodeKey(of: passcode),
            let opened = try guardedKeys(under: passcodeKey),
            let proofs = try proofKeys(under: passcodeKey)
        else { return nil }
        keys.merge(opened)
        return proofs
    }

    /// Unwraps every guarded class key; `nil` if the passcode key is not the right one.
    private func guardedKeys(
        under passcodeKey: borrowing Secret
    ) throws(DeviceError) -> ClassKeyring? {
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
    /// Setting the first one makes the `akpu` key and the proof keys. Every guarded class must be
    /// open.
    /// - Parameters:
    ///   - new: The passcode.
    ///   - proofKeys: What the present passcode releases; `nil` if none is set.
    ///   - cost: What one guess shall cost.
    ///   - random: Where salt and keys come from.
    ///   - save: Makes the new file durable; if it throws, nothing has changed.
    /// - Returns: The private halves that the new passcode releases.
    /// - Throws: `emptyPasscode`, `passcodeRequired` without the proof keys of a passcode that is
    ///   set, `locked`, what the element or `save` throws, or `cryptography`.
    @discardableResult
    package mutating func setPasscode(
        _ new: borrowing Secret,
        proofKeys: [Factor: SharedSecret]?,
        cost: Argon2id.Cost,
        random: any RandomSource,
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) -> [Factor: SharedSecret] {
        guard new.byteCount > 0 else { throw .emptyPasscode }
        let proofKeys = try isPasscodeSet ? proofKeys : Self.newProofKeys(random)
        guard let proofKeys else { throw .passcodeRequired }
        let salt = try Self.random(random, byteCount: KeybagRecord.saltByteCount)
        let settings = KeybagRecord.Passcode(salt: salt, cost: cost)
        let wrappingKey = try Self.passcodeKey(of: new, stretchedBy: settings, element: element)
        var next = record
        next.passcode = settings
        next.proofKeys = try Self.wrap(proofKeys, under: wrappingKey)
        try rewrapGuarded(in: &next, under: wrappingKey)
        guard !isPasscodeSet else {
            try save(try encoded(next))
            record = next
            return proofKeys
        }
        let passcodeOnly = ClassKey(try Self.newKey(random))
        next.passcodeEpoch &+= 1
        next.wrappedKeys[.whenPasscodeSetThisDeviceOnly] =
            try Self.wrap(passcodeOnly.secret, under: wrappingKey)
        try save(try encoded(next))
        record = next
        keys.open(.whenPasscodeSetThisDeviceOnly, with: passcodeOnly)
        return proofKeys
    }

    /// Removes the passcode and destroys the `akpu` key and the proof keys; the other keys go under
    /// the device key.
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
        next.proofKeys = [:]
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
