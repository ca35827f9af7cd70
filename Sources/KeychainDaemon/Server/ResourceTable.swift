import KeychainAudit
import KeychainEngine
import KeychainServer

// ★ Table: the limits of a system daemon. SECURITY.md has the same table; a test compares them.

/// A resource of a system daemon, with its limits.
package struct Resource: Sendable {
    /// Its name on the page.
    package let name: String
    package let perPerson: String
    package let inAll: String

    private init(_ name: String, _ perPerson: String, _ inAll: String) {
        self.name = name
        self.perPerson = perPerson
        self.inAll = inAll
    }

    /// The resources and limits, for a machine with four processors.
    package static let all: [Resource] = {
        let server = ServerLimits()
        let stretching = StretchingBudget(processors: 4)
        let accountMebibytes = DaemonOptions().accountMebibytes
        let log = AuditLog.Limits()
        let results = ResultBudget.usualLimit
        let kept = KeptBudget.usualLimit
        return [
            .init(
                "connections, each with two descriptors, and a thread while it works",
                "\(server.connectionsPerPerson)",
                "\(server.connections)"
            ),
            .init(
                "requests that arrive or are in progress",
                mebibytes(server.requestByteCount),
                mebibytes(server.requestByteCountInAll)
            ),
            .init(
                "replies that wait to be read",
                mebibytes(server.replyByteCount),
                mebibytes(server.replyByteCountInAll)
            ),
            .init(
                "what calls found and have not sent",
                mebibytes(results / 2),
                mebibytes(results)
            ),
            .init(
                "what they keep for later calls: proofs of contexts, backups and checks in work",
                mebibytes(kept / 2),
                mebibytes(kept)
            ),
            .init("contexts, for each session of a program", "\(ContextScope.limit)", ""),
            .init(
                "memory to try passcodes and passwords",
                mebibytes(stretching.memoryKiBPerPerson << 10),
                mebibytes(stretching.memoryKiB << 10)
            ),
            .init(
                "threads to try them, of lower priority",
                stretching.threadsPerPerson == 3 ? "processors − 1" : "",
                stretching.threads == 4 ? "processors" : ""
            ),
            .init(
                "keychains of the account itself, and on the disk",
                "1, \(accountMebibytes) MiB",
                ""
            ),
            .init(
                "keychains of subordinate accounts, and each on the disk",
                "\(SubordinateKeychains.limit), "
                    + "\(accountMebibytes / SubordinateKeychains.limit) MiB",
                ""
            ),
            .init("a backup on its way in, for each keychain", "\(accountMebibytes) MiB", ""),
            .init(
                "lines of the log, for each keychain",
                mebibytes(log.fileByteCount * log.fileCount),
                ""
            ),
            .init(
                "prompts, for each account",
                "1 visible, \(PromptQueue.waitingLimit) wait",
                ""
            ),
            .init(
                "unused keychains that stay open, without keys of a passcode",
                "",
                "\(AccountKeychains.Limits().openCount)"
            ),
        ]
    }()

    private static func mebibytes(_ byteCount: Int) -> String { "\(byteCount >> 20) MiB" }
}
