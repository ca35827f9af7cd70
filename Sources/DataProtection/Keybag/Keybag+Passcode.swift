import Cryptography
import KeychainModel
import Secrets

extension Keybag {
    /// Whether a passcode is the right one; opens nothing.
    ///
    /// - Returns: False if it is wrong, or if none is set.
    /// - Throws: `damaged`, the errors of the element, or `cryptography`.
    package func verify(passcode: borrowing Secret) throws(DeviceError) -> Bool {
        guard let passcodeKey = try passcodeKey(of: passcode) else { return false }
        return try unwrapGuarded(.whenUnlocked, under: passcodeKey) != nil
    }

    /// Opens every class if the passcode is right; changes nothing if it is wrong.
    ///
    /// - Returns: False if it is wrong, or if none is set.
    /// - Throws: `damaged`, the errors of the element, or `cryptography`.
    package mutating func unlock(passcode: borrowing Secret) throws(DeviceError) -> Bool {
        guard let passcodeKey = try passcodeKey(of: passcode),
            let opened = try guardedKeys(under: passcodeKey)
        else { return false }
        keys.merge(opened)
        return true
    }

    /// Whether a passcode was stretched with the settings of the present one.
    func isStretched(_ passcode: StretchedPasscode) -> Bool {
        record.passcode == passcode.attempt.settings
    }

    /// Whether a stretched passcode is the right one; opens nothing.
    func verify(_ passcode: StretchedPasscode) throws(DeviceError) -> Bool {
        try unwrapGuarded(.whenUnlocked, under: try passcodeKey(of: passcode)) != nil
    }

    /// Unwraps the private halves that the passcode releases; opens no class.
    ///
    /// - Returns: `nil` if the passcode is wrong.
    /// - Throws: The errors of the element, or `cryptography`.
    func proofKeys(
        for passcode: StretchedPasscode
    ) throws(DeviceError) -> [Factor: SharedSecret]? {
        try proofKeys(under: try passcodeKey(of: passcode))
    }

    /// Opens every class if the passcode is right, and returns the private halves that it releases.
    ///
    /// - Returns: The private halves by factor; `nil`, without a change, if the passcode is wrong.
    /// - Throws: `damaged`, the errors of the element, or `cryptography`.
    mutating func open(
        with passcode: StretchedPasscode
    ) throws(DeviceError) -> [Factor: SharedSecret]? {
        let passcodeKey = try passcodeKey(of: passcode)
        guard let opened = try guardedKeys(under: passcodeKey),
            let proofs = try proofKeys(under: passcodeKey)
        else { return nil }
        keys.merge(opened)
        return proofs
    }

    /// Unwraps every guarded class key; returns `nil` if the passcode key is wrong.
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

    /// Creates new class keys for a new passcode, without any effect yet.
    ///
    /// Every guarded class gets a new key. So an earlier keybag, with an earlier passcode, opens
    /// nothing that is sealed from then on. The first passcode creates the `akpu` key and the proof
    /// keys. Later ones keep the proof keys, because gates are sealed to them.
    /// - Parameters:
    ///   - new: The passcode, stretched.
    ///   - proofKeys: The proof keys that the present passcode releases; `nil` if none is set.
    ///   - random: The source of keys.
    /// - Returns: The new keybag.
    /// - Throws: `passcodeRequired` if a passcode is set and its proof keys are missing, `locked`
    ///   unless every guarded class is open, the errors of the element, or `cryptography`.
    func successor(
        _ new: NewPasscode,
        proofKeys: [Factor: SharedSecret]?,
        random: any RandomSource
    ) throws(DeviceError) -> KeybagSuccessor {
        let proofKeys = try isPasscodeSet ? proofKeys : Self.newProofKeys(random)
        guard let proofKeys else { throw .passcodeRequired }
        let wrappingKey = try Self.passcodeKey(
            from: new.secret.secret,
            stretchedBy: new.settings,
            element: element
        )
        var next = record
        next.passcode = new.settings
        next.passcodeEpoch &+= 1
        next.isEarlier = false
        next.keySet = try Self.random(random, byteCount: KeybagRecord.uuidByteCount)
        next.proofKeys = try Self.wrap(proofKeys, under: wrappingKey)
        let keys = try newGuardedKeys(in: &next, under: wrappingKey, random: random)
        return KeybagSuccessor(
            record: next,
            keys: keys,
            proofKeys: proofKeys,
            bytes: try encoded(next)
        )
    }

    /// Creates a key for every guarded class, and wraps it into the record.
    private func newGuardedKeys(
        in next: inout KeybagRecord,
        under wrappingKey: borrowing Secret,
        random: any RandomSource
    ) throws(DeviceError) -> ClassKeyring {
        var made = ClassKeyring()
        for protectionClass in KeybagRecord.classes(withPasscode: true)
        where protectionClass.isPasscodeGuarded {
            if record.wrappedKeys[protectionClass] != nil,
                let error = unavailability(of: protectionClass)
            {
                throw error
            }
            let key = try Self.newKey(random)
            next.wrappedKeys[protectionClass] = try Self.wrap(key, under: wrappingKey)
            made.open(protectionClass, with: ClassKey(key))
        }
        return made
    }

    /// Takes over a new keybag whose file is durable.
    mutating func succeed(with successor: consuming KeybagSuccessor) {
        var successor = successor
        record = successor.record
        for protectionClass in ProtectionClass.allCases {
            if let key = successor.take(protectionClass) {
                keys.open(protectionClass, with: key)
            }
        }
    }

    /// Sets or changes the passcode of a keybag under which nothing is sealed yet.
    ///
    /// - Parameters:
    ///   - new: The passcode.
    ///   - proofKeys: The proof keys that the present passcode releases; `nil` if none is set.
    ///   - cost: The cost of one guess.
    ///   - random: The source of salt and keys.
    ///   - save: Makes the new file durable; if it throws, nothing has changed.
    /// - Returns: The private halves that the new passcode releases.
    /// - Throws: As `successor`, or the errors of `save`.
    @discardableResult
    package mutating func setPasscode(
        _ new: borrowing Secret,
        proofKeys: [Factor: SharedSecret]?,
        cost: Argon2id.Cost,
        random: any RandomSource,
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) -> [Factor: SharedSecret] {
        let stretched = try NewPasscode(stretching: new, cost: cost, random: random)
        let next = try successor(stretched, proofKeys: proofKeys, random: random)
        let released = next.proofKeys
        try save(next.bytes)
        succeed(with: next)
        return released
    }

    /// Removes the passcode, and wraps the remaining keys under the device key.
    ///
    /// The `akpu` key and the proof keys are destroyed.
    /// - Parameter save: Makes the new file durable; if it throws, nothing has changed.
    /// - Throws: `passcodeNotSet`, `locked` unless every guarded class is open, the errors of the
    ///   element or of `save`, or `cryptography`.
    package mutating func removePasscode(
        saving save: ([UInt8]) throws(DeviceError) -> Void
    ) throws(DeviceError) {
        guard isPasscodeSet else { throw .passcodeNotSet }
        var next = record
        next.passcode = nil
        next.wrappedKeys[.whenPasscodeSetThisDeviceOnly] = nil
        next.proofKeys = [:]
        next.isEarlier = false
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

    private func passcodeKey(of passcode: StretchedPasscode) throws(DeviceError) -> Secret {
        try Self.passcodeKey(
            from: passcode.secret.secret,
            stretchedBy: passcode.attempt.settings,
            element: element
        )
    }

    /// Unwraps a guarded class key; returns `nil` if the passcode key is wrong.
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

    /// Rewraps every guarded class key of the record under another key.
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
