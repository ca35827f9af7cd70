import Cryptography
import Glibc
import KeyRepresentation
import KeychainModel
import Secrets

/// `cms`.
enum DecodeMessage {
    /// Writes the content of a signed message whose signatures match.
    ///
    /// The signers need not be trusted, as on macOS. A note names them.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.has(.decode) else { throw instead(arguments) }
        let detached = try arguments[.contentFile].map { path throws(CommandFailure) in
            try bytes(path, context)
        }
        let message: SignedMessage
        do throws(SignedMessage.Failure) {
            message = try SignedMessage(
                try der(arguments[.inputFile] ?? "-", context),
                content: detached
            )
        } catch {
            throw .keychain(error.keychainError)
        }
        try tell(message, context)
        guard !arguments.has(.noContent) else { return }
        guard let path = arguments[.outputFile], path != "-" else {
            var page = Page()
            page.append(Secret(copying: message.content))
            return try context.print(page)
        }
        let file = OutputFile(path: path, isSecret: false)
        try CommandFailure.wrapping(try file.write(Secret(copying: message.content)))
    }

    private static func instead(_ arguments: Arguments) -> CommandFailure {
        guard arguments.has(.sign) || arguments.has(.encrypt) else {
            return .usage("missing option: -D")
        }
        let verb = arguments.has(.sign) ? "-sign -signer" : "-encrypt -recip"
        let reason = "this makes no messages: export the key, and run openssl cms \(verb) FILE"
        return .keychain(KeychainError(.unimplemented, reason))
    }

    /// Returns the message as DER, decoded from PEM if necessary.
    private static func der(
        _ path: String,
        _ context: CommandContext
    ) throws(SignedMessage.Failure) -> [UInt8] {
        do throws(CommandFailure) {
            let file = try InputFile.secret(path, context)
            guard PEMReader.recognizes(file.secret) else {
                return file.secret.copyBytesUnprotected()
            }
            let labels = ["CMS", "PKCS7", "PKCS #7 SIGNED DATA"]
            let blocks = try? PEMReader.blocks(in: file.secret)
            guard let block = blocks?.first(where: { labels.contains($0.label) }) else { return [] }
            return block.content.secret.copyBytesUnprotected()
        } catch {
            throw .backend(error.message)
        }
    }

    private static func bytes(
        _ path: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> [UInt8] {
        try InputFile.secret(path, context).secret.copyBytesUnprotected()
    }

    private static func tell(
        _ message: SignedMessage,
        _ context: CommandContext
    ) throws(CommandFailure) {
        for signer in message.signers {
            let question = TrustEvaluation(
                leaf: signer,
                intermediates: message.certificates.filter { $0 != signer },
                includesSystemAnchors: true,
                date: Int64(time(nil)) - 978_307_200
            )
            let result = try CommandFailure.wrapping(
                try fromCryptography(try question.evaluate())
            )
            let name = signer.subjectSummary ?? "a certificate without a name"
            let trust = result.failure.map { ", which is not trusted: \($0.sentence)" } ?? ""
            try context.note("note: signed by \(name)\(trust)")
        }
    }
}

extension InputFile {
    /// Reads a file, or standard input for the path `-`.
    static func secret(
        _ path: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        do throws(KeychainError) {
            return SharedSecret(path == "-" ? try read(context.terminal) : try read(path))
        } catch {
            throw .keychain(error)
        }
    }
}

extension SignedMessage.Failure {
    // ★ Table: the status of each failure, with advice.
    fileprivate var keychainError: KeychainError {
        switch self {
        case .unreadable:
            KeychainError(.unknownFormat, "the file is no message of CMS, in DER or PEM")
        case .encrypted:
            KeychainError(
                .unimplemented,
                "the message is encrypted: export the key, and run openssl cms -decrypt"
            )
        case .detached:
            KeychainError(.param, "the content is in another file: name it with -c")
        case .wrongSignature:
            KeychainError(.verifyFailed, "a signature does not fit the content")
        case .backend(let text): KeychainError(.internal, text)
        }
    }
}
