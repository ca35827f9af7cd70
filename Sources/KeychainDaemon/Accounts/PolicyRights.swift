import CallerEvidence
import KeychainMessages
import KeychainModel

/// The rights from policies only.
package struct PolicyRights: AccountRights {
    package init() {}

    package func entitlements(of caller: JudgedCaller) -> Entitlements { caller.entitlements }

    package func answer(
        _ request: DaemonRequest,
        for caller: JudgedCaller
    ) throws(KeychainError) -> DaemonReply {
        throw KeychainError(.unimplemented, "this daemon keeps neither grants nor a log")
    }
}

/// A log that discards every line.
package struct NoLog: DecisionLog {
    package init() {}

    package func append(_ line: LogLine) {}

    package func itemDigest(
        _ itemClass: ItemClass,
        _ dictionary: AttributeDictionary,
        isAdd: Bool
    ) -> [UInt8] { [] }
}
