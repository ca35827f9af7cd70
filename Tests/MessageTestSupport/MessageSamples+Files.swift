import KeychainMessages
import KeychainModel

extension MessageSamples {
    private static let file = FileIdentifier(Array(0x80...0x8F))

    private static func wrapped(_ fileClass: FileClass) -> [WrappedFileKey] {
        let count = WrappedFileKey.ephemeralByteCount(of: fileClass)
        return [file].compactMap(\.self).map { file in
            WrappedFileKey(
                fileClass,
                file: file,
                group: "group",
                keySet: [UInt8](repeating: 6, count: WrappedFileKey.keySetByteCount),
                ephemeralPublicKey: [UInt8](repeating: 7, count: count),
                wrapped: [UInt8](repeating: 8, count: WrappedFileKey.wrappedByteCount)
            )
        }
    }

    package static let fileKeys: [FileKeyRequest] =
        [file].compactMap(\.self).flatMap { file -> [FileKeyRequest] in
            [
                .make(.completeUnlessOpen, file: file, group: "group"),
                .make(.none, file: file, group: nil),
            ]
        }
        + wrapped(.complete).map(FileKeyRequest.open)
        + wrapped(.completeUnlessOpen).map { .move($0, to: .completeUntilFirstUserAuthentication) }
        + wrapped(.none).map(FileKeyRequest.check)

    package static let fileKeyReplies: [FileKeyReply] =
        wrapped(.completeUnlessOpen).map { .made($0, key: secret) } + [.key(secret)]
        + wrapped(.complete).map(FileKeyReply.moved) + [.usable]
}
