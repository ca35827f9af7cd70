import Cryptography
import Glibc
import KeyRepresentation
import KeychainModel
import Secrets

/// `verify-cert`.
enum VerifyCertificate {
    // ★ Table: the policies that can be evaluated here, with macOS's words.
    static let policies: [(word: String, purpose: TrustEvaluation.Purpose)] = [
        ("basic", .any), ("ssl", .tlsServer), ("codeSign", .codeSigning),
    ]

    /// The policies of macOS that are not available here.
    private static let unavailable: Set<String> = [
        "smime", "eap", "ipsec", "swupdate", "pkgsign", "appleid", "macappstore", "timestamping",
    ]

    /// Reports whether a certificate is trusted; exits with 1 if it is not, as macOS does.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.operands.isEmpty else {
            throw .usage("unexpected argument: save the server's certificate, and give it to -c")
        }
        guard arguments.all(.ineffective).allSatisfy(["none", "offline"].contains) else {
            let reason = "there is no check of revocation: run openssl ocsp, or leave out -R"
            throw .keychain(KeychainError(.unimplemented, reason))
        }
        let isQuiet = arguments.has(.quiet)
        let result = try question(arguments, context)
        guard let failure = result.failure else {
            if !isQuiet { try context.print(line: "...certificate verification successful.") }
            return
        }
        guard !isQuiet else { throw .unmet("") }
        try context.tell(Page(line: "Cert Verify Result: \(failure.listingName)"))
        throw .unmet(failure.sentence)
    }

    private static func question(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> TrustResult {
        let given = try certificates(arguments.all(.certificateFile), context)
        guard let leaf = given.first else { throw .usage("missing option: -c file") }
        let roots = try certificates(arguments.all(.rootFile), context)
        let purpose = try purpose(arguments)
        let isForServer = purpose == .tlsServer
        let question = TrustEvaluation(
            leaf: leaf,
            intermediates: given.dropFirst() + (try stored(arguments, context)),
            anchors: roots,
            includesSystemAnchors: roots.isEmpty,
            purpose: purpose,
            hostName: isForServer ? arguments[.policyText] ?? arguments[.hostName] : nil,
            date: try date(arguments[.verifyDate])
        )
        return try CommandFailure.wrapping(try fromCryptography(try question.evaluate()))
    }

    private static func purpose(
        _ arguments: Arguments
    ) throws(CommandFailure) -> TrustEvaluation.Purpose {
        let word = arguments[.policy] ?? "basic"
        let row = policies.first { $0.word.lowercased() == word.lowercased() }
        guard let purpose = row?.purpose else {
            guard !unavailable.contains(word.lowercased()) else {
                let reason = "the policy \(word) is not available on Linux"
                throw .keychain(KeychainError(.unimplemented, reason))
            }
            let words = policies.map(\.word).joined(separator: ", ")
            throw .usage("invalid value for -p: give one of \(words)")
        }
        return purpose == .tlsServer && arguments.has(.client) ? .tlsClient : purpose
    }

    /// Returns the certificates in the files, in order.
    private static func certificates(
        _ paths: [String],
        _ context: CommandContext
    ) throws(CommandFailure) -> [Certificate] {
        var found: [Certificate] = []
        for path in paths {
            let file = try InputFile.secret(path, context)
            let reader = ContentsReader(passphrase: Passphrase(Arguments(), context))
            let read = try reader.contents(of: file.secret).certificates
            guard !read.isEmpty else {
                let reason = "the file contains no certificate: give one in DER or PEM"
                throw .keychain(KeychainError(.unknownFormat, reason))
            }
            found += read
        }
        return found
    }

    /// Returns the keychain's certificates, which may link one to a root.
    ///
    /// Creates no keychain.
    private static func stored(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> [Certificate] {
        guard !arguments.has(.noKeychains), context.absentDirectory() == nil else { return [] }
        var reach = OutOfReach()
        return try context.certificates(&reach).compactMap(\.certificate)
    }

    /// Returns a date in seconds since 2001: `YYYY-MM-DD-hh:mm:ss` with an optional time, or now.
    private static func date(_ text: String?) throws(CommandFailure) -> Int64 {
        let secondsBefore2001: Int64 = 978_307_200
        guard let text else { return Int64(time(nil)) - secondsBefore2001 }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let clock = parts.count == 4 ? parts[3].split(separator: ":") : ["0", "0", "0"]
        let numbers = (parts.prefix(3) + clock).map { Int32($0) ?? -1 }
        guard (3...4).contains(parts.count), numbers.count == 6, numbers.allSatisfy({ $0 >= 0 })
        else { throw .usage("invalid value for -d: give YYYY-MM-DD-hh:mm:ss") }
        var moment = tm()
        (moment.tm_year, moment.tm_mon, moment.tm_mday) =
            (numbers[0] - 1_900, numbers[1] - 1, numbers[2])
        (moment.tm_hour, moment.tm_min, moment.tm_sec) = (numbers[3], numbers[4], numbers[5])
        return Int64(timegm(&moment)) - secondsBefore2001
    }
}
