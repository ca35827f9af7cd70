import Cryptography
import DataProtection
import KeychainModel
import Secrets

// Rewraps the keys of a row's halves. The halves' own keys and everything sealed with them stay,
// and so do the binding and the row's entry in the row sum.
//
// Source: Documentation/Spec/item.md §4; keybag.md §2, "Changing".
extension ItemCipher {
    /// Rewraps the attributes' half under another metadata key.
    ///
    /// - Throws: `damaged` for a half that is not under the old key.
    func rewrapMetadata(
        of item: SealedItem,
        from old: MetadataKey,
        to new: MetadataKey
    ) throws(CipherError) -> [UInt8] {
        guard let binding = binding(of: item) else { throw .damaged }
        let headCount = 1 + RowMark.bindingByteCount
        let body = item.metadata[headCount...]
        let version = item.metadata[0]
        let associated = Self.associatedData(.metadata, version, item.columns, binding)
        let rewrapped =
            version == Self.earlierVersion
            ? try rewrapKey(in: body, from: old, to: new)
            : try rewrapEnvelope(body, associated, from: old, to: new)
        return item.metadata.prefix(headCount) + rewrapped
    }

    /// Rewraps the value's half under another class key; a gate stays as it is.
    ///
    /// - Throws: `damaged` for a half that is not under the old key.
    func rewrapSecret(
        of item: SealedItem,
        from old: borrowing ClassKey,
        to new: borrowing ClassKey
    ) throws(CipherError) -> [UInt8]? {
        guard let sealed = item.secret else { return nil }
        if let half = GatedHalf(sealed) {
            let body = try rewrapKey(in: half.body, from: old, to: new)
            return GatedHalf.encode(gate: half.gate, body: body)
        }
        guard let binding = binding(of: item), let version = sealed.first else { throw .damaged }
        switch version {
        case Self.secretVersion:
            let associated = RowName(item.columns, binding).associatedData
            return [version] + (try rewrapEnvelope(sealed[1...], associated, from: old, to: new))
        case Self.earlierVersion:
            return [version] + (try rewrapKey(in: sealed[1...], from: old, to: new))
        default: throw .damaged
        }
    }

    /// Rewraps the value of a secure element's key, which contains a handle of version 1.
    ///
    /// The private half in the handle is under the class key, too. It moves under the handle key;
    /// if there is none, under the new class key. A handle that does not open stays, because an
    /// earlier program left it under other keys.
    /// - Throws: `damaged` for a half that is not under the old key.
    func rewrapElementKey(
        of item: SealedItem,
        _ handle: ElementKeyHandle,
        from old: borrowing ClassKey,
        to new: borrowing ClassKey,
        adopting handleKey: HandleKey?
    ) throws(CipherError) -> [UInt8]? {
        guard item.secret != nil, let binding = binding(of: item) else { throw .damaged }
        let adopted: ElementKeyHandle?
        if let handleKey {
            adopted = try? moved(handle, from: old, to: handleKey, of: handleKey.keySet)
        } else {
            adopted = try? moved(handle, from: old, to: new, of: nil)
        }
        guard let adopted else { return try rewrapSecret(of: item, from: old, to: new) }
        do throws(CryptographyError) {
            return try sealSecret(
                Secret(copying: adopted.encoded),
                columns: item.columns,
                binding: binding,
                under: new
            )
        } catch {
            throw CipherError(error)
        }
    }

    private func moved(
        _ handle: ElementKeyHandle,
        from old: borrowing ClassKey,
        to new: borrowing some KeyWrapping & ~Copyable,
        of keySet: [UInt8]?
    ) throws(CipherError) -> ElementKeyHandle {
        ElementKeyHandle(
            protection: handle.protection,
            accessControl: handle.accessControl,
            publicPoint: handle.publicPoint,
            keySet: keySet,
            sealedPrivateHalf: try rewrapPrivateHalf(of: handle, from: old, to: new)
        )
    }

    private func rewrapPrivateHalf(
        of handle: ElementKeyHandle,
        from old: borrowing ClassKey,
        to new: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> [UInt8] {
        guard handle.accessControl?.constraint != nil else {
            return try rewrapKey(in: handle.sealedPrivateHalf[...], from: old, to: new)
        }
        guard let half = GatedHalf(handle.sealedPrivateHalf) else { throw .damaged }
        let body = try rewrapKey(in: half.body, from: old, to: new)
        return GatedHalf.encode(gate: half.gate, body: body)
    }

    private func rewrapEnvelope<Key: KeyWrapping & ~Copyable>(
        _ envelope: ArraySlice<UInt8>,
        _ associated: [UInt8],
        from old: borrowing Key,
        to new: borrowing Key
    ) throws(CipherError) -> [UInt8] {
        do throws(CryptographyError) {
            return try old.rewrapEnvelope(envelope, to: new, authenticating: associated)
        } catch {
            throw CipherError(error)
        }
    }

    private func rewrapKey(
        in body: ArraySlice<UInt8>,
        from old: borrowing some KeyWrapping & ~Copyable,
        to new: borrowing some KeyWrapping & ~Copyable
    ) throws(CipherError) -> [UInt8] {
        do throws(CryptographyError) {
            let key = try old.unwrap(Array(body.prefix(Self.wrappedByteCount)))
            return try new.wrap(key) + body.dropFirst(Self.wrappedByteCount)
        } catch {
            throw CipherError(error)
        }
    }
}
