import Cryptography
import KeychainModel
import Secrets

extension Keybag {
    /// Returns an image of the open guarded class keys, wrapped for other processes of this boot.
    ///
    /// - Parameters:
    ///   - epoch: The nonce of the lock epoch; the image opens only in this epoch.
    ///   - bootID: 16 bytes; the image opens only in this boot.
    ///   - evictionDeadline: The end of a running grace period, counted from the boot.
    ///   - token: The unlock token, shared while the device is unlocked.
    /// - Returns: At most 373 bytes; `nil` without a passcode, because there is nothing to share.
    /// - Throws: The errors of the element, or `cryptography`.
    package func sessionImage(
        in epoch: SharedSecret,
        bootID: [UInt8],
        evictionDeadline: Duration? = nil,
        sharing token: UnlockToken? = nil
    ) throws(DeviceError) -> [UInt8]? {
        guard isPasscodeSet else { return nil }
        let wrappingKey = try sessionKey(epoch, bootID: bootID, context: "session wrapping")
        var image = SessionImage(
            bootID: bootID,
            keybagUUID: uuid,
            passcodeEpoch: record.passcodeEpoch,
            evictionDeadline: evictionDeadline,
            wrappedKeys: [:]
        )
        for protectionClass in ProtectionClass.allCases where protectionClass.isPasscodeGuarded {
            image.wrappedKeys[protectionClass] = try keys.withKey(protectionClass) {
                key throws(DeviceError) in
                try Self.wrap(key.secret, under: wrappingKey)
            }
        }
        if let token {
            for factor in UnlockToken.factors {
                image.proofKeys[factor] = try release(factor, from: token)
                    .map { key throws(DeviceError) in
                        try Self.wrap(key.secret, under: wrappingKey)
                    }
            }
        }
        var bytes = image.encodedFields()
        let codeKey = try sessionKey(epoch, bootID: bootID, context: "session authentication")
        try AuthenticatedFile.seal(&bytes, under: codeKey)
        return bytes
    }

    /// Opens exactly the guarded classes in an image, and evicts all others.
    ///
    /// - Parameters:
    ///   - bytes: The result of `sessionImage(in:bootID:evictionDeadline:)` of the same keybag.
    ///   - epoch: The nonce of the present lock epoch.
    ///   - bootID: This boot's ID.
    /// - Returns: The end of the running grace period, counted from the boot, or `nil`; and the
    ///   keys of the shared unlock token, empty without one.
    /// - Throws: `sessionUnusable`, without a change, for another boot, keybag or epoch, or any
    ///   changed byte; the errors of the element, or `cryptography`.
    package mutating func adopt(
        sessionImage bytes: [UInt8],
        in epoch: SharedSecret,
        bootID: [UInt8]
    ) throws(DeviceError) -> (deadline: Duration?, proofKeys: [Factor: SharedSecret]) {
        let image = try SessionImage(parsing: bytes)
        guard isPasscodeSet, image.keybagUUID == uuid,
            image.passcodeEpoch == record.passcodeEpoch
        else { throw .sessionUnusable(reason: "it belongs to another keybag") }
        guard image.bootID == bootID else {
            throw .sessionUnusable(reason: "it is from an earlier start of the device")
        }
        let codeKey = try sessionKey(epoch, bootID: bootID, context: "session authentication")
        guard try AuthenticatedFile.isAuthentic(bytes, under: codeKey) else {
            throw .sessionUnusable(reason: "its authentication code is wrong")
        }
        let opened = try openedKeys(of: image, in: epoch)
        let proofKeys = try openedProofKeys(of: image, in: epoch)
        evictGuarded()
        keys.merge(opened)
        return (image.evictionDeadline, proofKeys)
    }

    private func openedProofKeys(
        of image: SessionImage,
        in epoch: SharedSecret
    ) throws(DeviceError) -> [Factor: SharedSecret] {
        let wrappingKey = try sessionKey(epoch, bootID: image.bootID, context: "session wrapping")
        var opened: [Factor: SharedSecret] = [:]
        for (factor, wrapped) in image.proofKeys {
            opened[factor] = SharedSecret(
                try Self.unwrap(wrapped, under: wrappingKey, path: "session image")
            )
        }
        return opened
    }

    private func openedKeys(
        of image: SessionImage,
        in epoch: SharedSecret
    ) throws(DeviceError) -> ClassKeyring {
        let wrappingKey = try sessionKey(epoch, bootID: image.bootID, context: "session wrapping")
        var opened = ClassKeyring()
        for (protectionClass, wrapped) in image.wrappedKeys {
            do throws(CryptographyError) {
                let key = try AESKeyWrap.unwrap(wrapped, under: wrappingKey)
                opened.open(protectionClass, with: ClassKey(key))
            } catch .authenticationFailed {
                throw .sessionUnusable(reason: "a wrapped key does not unwrap")
            } catch {
                throw .cryptography(error)
            }
        }
        return opened
    }

    private func sessionKey(
        _ epoch: SharedSecret,
        bootID: [UInt8],
        context: String
    ) throws(DeviceError) -> Secret {
        try element.tangle(epoch.secret, salt: uuid + bootID, context: context)
    }
}
