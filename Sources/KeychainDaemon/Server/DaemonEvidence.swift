import CallerEvidence
import Glibc
import KeychainModel
import ProcessWitness
import Secrets

/// Who looks at programs for a daemon.
enum DaemonEvidence {
    /// Where systemd has the witness listen.
    private static let witnessSocket = "/run/keychain/witness"
    private static let witnessProgram = "keychain-witness"

    /// The source of evidence.
    ///
    /// A daemon with an account of its own sees nothing of other accounts' programs: it asks the
    /// witness. As root, in a test, it starts a witness of its own.
    /// - Throws: why there is none.
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

/// The policies of a daemon as they were last read.
final class PolicyBook: Sendable {
    private let reader: PolicyReader
    private let directories: [String]
    private let isSeparateAccount: Bool
    private let report: @Sendable (String) -> Void
    private let read: AdaptiveMutex<CallerJudge>

    /// Reads the policies; every file that does not count is reported by its name.
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

    /// What decides about callers now.
    var judge: CallerJudge { read.withLock { $0 } }

    /// Reads the policies anew; programs that are connected keep what they have.
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
