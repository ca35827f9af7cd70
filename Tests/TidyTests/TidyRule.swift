import Testing

/// One rule that every file keeps.
struct TidyRule: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether documents and scripts are read too, not only Swift.
    let readsEveryText: Bool
    let findings: @Sendable (SourceFile) -> [Finding]

    init(
        _ name: String,
        readsEveryText: Bool = false,
        findings: @escaping @Sendable (SourceFile) -> [Finding]
    ) {
        self.name = name
        self.readsEveryText = readsEveryText
        self.findings = findings
    }

    var testDescription: String { name }

    static let all: [TidyRule] = [
        lineLength, fileLength, functionLength,
        declaredImports, sqlStaysInStore, sqliteStaysInStore, libcryptoStaysBehindWall,
        protectedLoadNothing, noForcedTry, noForcedCast, noFatalError, noUnfinishedWork,
        taskLocalsAreNoClosures,
        arguedSendable, noVagueTypeNames, noMachinePaths, programsForbidDumps,
        programsStartInOnePlace, descriptorsCloseOnExec,
        testsCheckSomething, testsNameAttributes, rowsHaveLabels, citedIdsExist, readersSeeNoIds,
    ]
}
