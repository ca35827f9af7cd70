import Cryptography

/// The bytes of a statement.
///
/// - Source: Documentation/Spec/sync.md §4.
enum StatementFormat {
    private enum Kind: UInt8 {
        case found = 1
        case add = 2
        /// As earlier versions wrote it: without the statements that count.
        case removeBefore = 3
        /// As earlier versions wrote it: without the removed peers.
        case rotateBefore = 4
        case recover = 5
        case rotate = 6
        case remove = 7
    }

    static let randomByteCount = 16
    /// As many recipients as a circle may have members.
    private static let recipientCountLimit = 1024
    /// As many statements as a removal may list.
    static let digestCountLimit = 1024

    /// What the author signs: all but the signature, after the account.
    ///
    /// A founding statement has no account yet.
    static func message(
        _ encoded: [UInt8],
        of action: Statement.Action,
        _ account: AccountName
    ) -> [UInt8] {
        let isFounding = if case .found = action { true } else { false }
        return Array("sync statement".utf8) + (isFounding ? AccountName.zeros : account).bytes
            + encoded.dropLast(SignatureAlgorithm.syncSignatureByteCount)
    }

    static func encode(
        author: PeerName,
        generation: UInt64,
        entry: UInt64,
        _ action: Statement.Action
    ) throws(SyncError) -> [UInt8] {
        var writer = FieldWriter()
        writer.append(kind(of: action).rawValue)
        writer.append(author)
        writer.append(generation)
        writer.append(entry)
        switch action {
        case .found(let random, let founder, let name, let recovery):
            writer.append(random)
            writer.append(founder)
            try writer.append(name.utf8, countedBy: UInt16.self)
            writer.append(recovery)
        case .add(let keys, let name):
            writer.append(keys)
            try writer.append(name.utf8, countedBy: UInt16.self)
        case .remove(let peer, let count, let counted):
            writer.append(peer)
            writer.append(count)
            guard counted?.count ?? 0 <= digestCountLimit else { throw .tooLarge }
            if let counted { try writer.append(sorted: counted) }
        case .rotate(let epoch, let readers):
            writer.append(epoch)
            guard readers.recipients.count <= recipientCountLimit else { throw .tooLarge }
            try writer.append(sorted: readers.recipients)
            if let removed = readers.removed { try writer.append(sorted: removed) }
        case .recover(let keys, let counted):
            writer.append(keys)
            guard counted.count <= recipientCountLimit else { throw .tooLarge }
            try writer.append(sorted: counted)
        }
        return writer.bytes()
    }

    private static func kind(of action: Statement.Action) -> Kind {
        switch action {
        case .found: .found
        case .add: .add
        case .remove(_, _, let counted): counted == nil ? .removeBefore : .remove
        case .rotate(_, let readers): readers.removed == nil ? .rotateBefore : .rotate
        case .recover: .recover
        }
    }

    /// Reads a statement whose signature is not verified.
    static func decode(_ encoded: [UInt8], _ digest: SyncDigest) throws(SyncError) -> Statement {
        var reader = FieldReader(encoded[...], of: "statement")
        guard let kind = Kind(rawValue: try reader.integer(UInt8.self)) else {
            throw reader.damaged("its kind is unknown")
        }
        let author = try reader.name(PeerName.self)
        let generation = try reader.integer(UInt64.self)
        let entry = try reader.integer(UInt64.self)
        let action = try action(kind, &reader)
        _ = try reader.slice(SignatureAlgorithm.syncSignatureByteCount)
        try reader.finish()
        return Statement(
            author: author,
            generation: generation,
            entry: entry,
            action: action,
            encoded: encoded,
            digest: digest
        )
    }

    private static func action(
        _ kind: Kind,
        _ reader: inout FieldReader<ArraySlice<UInt8>>
    ) throws(SyncError) -> Statement.Action {
        switch kind {
        case .found:
            .found(
                random: try reader.bytes(randomByteCount),
                founder: try reader.keys(),
                deviceName: try reader.text(),
                recovery: try reader.keys()
            )
        case .add: .add(try reader.keys(), deviceName: try reader.text())
        case .removeBefore:
            .remove(
                try reader.name(PeerName.self),
                entryCount: try reader.integer(UInt64.self),
                counted: nil
            )
        case .remove:
            .remove(
                try reader.name(PeerName.self),
                entryCount: try reader.integer(UInt64.self),
                counted: try reader.sorted()
            )
        case .rotateBefore:
            .rotate(
                try reader.name(EpochName.self),
                EpochReaders(try reader.sorted(), removed: nil)
            )
        case .rotate:
            .rotate(
                try reader.name(EpochName.self),
                EpochReaders(try reader.sorted(), removed: try reader.sorted())
            )
        case .recover: .recover(try reader.keys(), counted: try reader.sorted())
        }
    }

    /// Notes the keys that an action names.
    static func note(
        _ action: Statement.Action,
        in directory: inout [PeerName: PeerKeys]
    ) throws(SyncError) {
        let named: [PeerKeys] =
            switch action {
            case .found(_, let founder, _, let recovery): [founder, recovery]
            case .add(let keys, _), .recover(let keys, _): [keys]
            case .remove, .rotate: []
            }
        for keys in named {
            let name = try backed { () throws(CryptographyError) in try keys.name() }
            directory[name] = keys
        }
    }
}

extension FieldReader where Bytes == ArraySlice<UInt8> {
    fileprivate mutating func keys() throws(SyncError) -> PeerKeys {
        let signing = try bytes(PeerKeys.publicKeyByteCount)
        let agreement = try bytes(PeerKeys.publicKeyByteCount)
        guard let keys = PeerKeys(signing: signing, agreement: agreement) else {
            throw damaged("its keys are none")
        }
        return keys
    }

    /// A count of 2 bytes, then so many names in their order.
    fileprivate mutating func sorted<N: SyncName>() throws(SyncError) -> [N] {
        var names: [N] = []
        for _ in 0..<(try integer(UInt16.self)) {
            let name = try name(N.self)
            guard names.last.map({ $0 < name }) ?? true else {
                throw damaged("its names are unsorted")
            }
            names.append(name)
        }
        return names
    }
}

extension FieldWriter {
    fileprivate mutating func append(_ keys: PeerKeys) {
        append(keys.signing)
        append(keys.agreement)
    }

    /// A count of 2 bytes, then so many names in their order.
    fileprivate mutating func append(sorted names: [some SyncName]) throws(SyncError) {
        guard let count = UInt16(exactly: names.count) else { throw .tooLarge }
        append(count)
        for name in names.sorted() { append(name) }
    }
}

extension Statement {
    /// Makes and signs a statement.
    ///
    /// - Parameters:
    ///   - action: What it says.
    ///   - generation: One more than the greatest that the author knows.
    ///   - entry: The number of the entry of the author's stream that it will stand in.
    ///   - account: Of the circle; zeros for the founding statement.
    ///   - signer: The author.
    /// - Throws: `tooLarge`; what the signer throws.
    package init(
        _ action: Action,
        generation: UInt64,
        entry: UInt64,
        in account: AccountName,
        by signer: some PeerSigner
    ) throws(SyncError) {
        let author = try signer.name()
        let unsigned = try StatementFormat.encode(
            author: author,
            generation: generation,
            entry: entry,
            action
        )
        let padding = [UInt8](repeating: 0, count: SignatureAlgorithm.syncSignatureByteCount)
        let message = StatementFormat.message(unsigned + padding, of: action, account)
        let encoded = unsigned + (try signer.sign(message))
        self.init(
            author: author,
            generation: generation,
            entry: entry,
            action: action,
            encoded: encoded,
            digest: try backed { () throws(CryptographyError) in try SyncDigest(of: encoded) }
        )
    }
}
