import CallerEvidence
import Glibc
import KeychainModel
import ProcessWitness
import Secrets

/// The choice of a daemon's source of evidence.
enum DaemonEvidence {
    /// The witness's socket, from systemd.
    private static let witnessSocket = "/run/keychain/witness"
    private static let witnessProgram = "keychain-witness"

    /// Returns the source of evidence.
    ///
    /// A daemon with an account of its own cannot examine other accounts' programs, so it uses the
    /// witness. As root, in a test, it starts a witness of its own.
    /// - Throws: The reason why there is none.
    static func source(
        _ options: DaemonOptions,
        beside directory: String
    ) throws(KeychainError) -> any EvidenceSource {
        guard options.kind == .system, options.usesWitness else { return LocalEvidenceSource() }
        if geteuid() == 0 {
            do throws(EvidenceError) {
                return try WitnessEvidenceSource.spawn(program: directory + "/" + witnessProgram)
            } catch {
                let reason = "\(directory)/\(witnessProgram) cannot be started; add --no-witness"
                throw KeychainError(.notAvailable, reason)
            }
        }
        guard let source = WitnessEvidenceSource.connect(path: witnessSocket) else {
            throw KeychainError(.notAvailable, "\(witnessSocket) is no path of a socket")
        }
        return source
    }
}

/// The policies of a daemon, as last read.
final class PolicyBook: Sendable {
    private let reader: PolicyReader
    private let directories: [String]
    private let isSeparateAccount: Bool
    private let report: @Sendable (String) -> Void
    private let read: AdaptiveMutex<CallerJudge>

    /// Reads the policies, and reports every file that is not accepted.
    init(
        _ options: DaemonOptions,
        _ directories: [String],
        report: @escaping @Sendable (String) -> Void
    ) {
        let isSystem = options.kind == .system
        reader = PolicyReader(account: isSystem ? nil : geteuid())
        self.directories = directories
        self.isSeparateAccount = isSystem
        self.report = report
        let reading = reader.read(directories)
        read = AdaptiveMutex(
            CallerJudge(policies: reading.policies, isSeparateAccount: isSystem)
        )
        for problem in reading.problems { report(problem) }
    }

    /// The present judge of callers.
    var judge: CallerJudge { read.withLock { $0 } }

    /// Reads the policies again; connected programs keep their rights.
    func reload() {
        let reading = reader.read(directories)
        let judge = CallerJudge(policies: reading.policies, isSeparateAccount: isSeparateAccount)
        read.withLock { $0 = judge }
        for problem in reading.problems { report(problem) }
    }

    /// Judges a program.
    func judged(_ evidence: Evidence) -> JudgedCaller {
        judge.judge(evidence, accountName: AccountName.name(of: evidence.userID))
    }
}
