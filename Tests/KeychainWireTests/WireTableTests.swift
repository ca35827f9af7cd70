import CallerEvidence
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainWire

/// A table of numbers, as far as a test looks at it.
private struct NumberTable: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let numbers: [UInt8]
    let caseNames: Set<String>

    init<Value: WireNumbered>(_ type: Value.Type, _ name: String) {
        testDescription = name
        numbers = Value.numbers.rows.map(\.number)
        caseNames = Set(Value.numbers.rows.map { "\($0.value)" })
    }

    static let all: [NumberTable] = [
        .init(ItemClass.self, "ItemClass"), .init(DuplicateRule.self, "DuplicateRule"),
        .init(AuthenticationInterface.self, "AuthenticationInterface"),
        .init(BiometryKind.self, "BiometryKind"), .init(OutOfReachItem.Obstacle.self, "Obstacle"),
        .init(DeviceStatus.LockState.self, "LockState"), .init(CheckExtent.self, "CheckExtent"),
        .init(UnreadableRow.Part.self, "Part"), .init(BoundItem.Bond.self, "Bond"),
        .init(BackupReport.Omission.self, "Omission"), .init(ProgramGroup.Origin.self, "Origin"),
        .init(EndpointDescription.Kind.self, "Kind"), .init(Finding.Verb.self, "Verb"),
        .init(ProtectionClass.self, "ProtectionClass"), .init(Factor.self, "Factor"),
        .init(EvidenceLevel.self, "EvidenceLevel"), .init(SystemProfile.Platform.self, "Platform"),
        .init(BehaviorProfile.Outcome.self, "Outcome"),
        .init(BehaviorProfile.MissingOperator.self, "MissingOperator"),
        .init(BehaviorProfile.TagOnCertificate.self, "TagOnCertificate"),
        .init(BehaviorProfile.ChangedBiometry.self, "ChangedBiometry"),
        .init(BehaviorProfile.MissingPasscode.self, "MissingPasscode"),
        .init(BehaviorProfile.DeprecatedAlways.self, "DeprecatedAlways"),
        .init(BehaviorProfile.MatchKeysInWrites.self, "MatchKeysInWrites"),
        .init(BehaviorProfile.ThisDeviceOnlyInBackups.self, "ThisDeviceOnlyInBackups"),
        .init(BehaviorProfile.BeforeFirstUnlock.self, "BeforeFirstUnlock"),
        .init(BehaviorProfile.CaseInsensitivity.self, "CaseInsensitivity"),
        .init(BehaviorProfile.MacOSKeychains.self, "MacOSKeychains"),
        .init(BehaviorProfile.FileBasedMatchLimit.self, "FileBasedMatchLimit"),
        .init(FileClass.self, "FileClass"),
    ]
}

@Suite(.requirement("DMN-16")) struct `A table of numbers on the wire` {
    @Test(arguments: NumberTable.all)
    fileprivate func `has each number once and each case of its enum`(table: NumberTable) {
        #expect(Set(table.numbers).count == table.numbers.count)
        #expect(EnumSource.cases(of: table.testDescription).contains(table.caseNames))
    }

    @Test func `has the numbers that other formats have for the same`() {
        #expect(ProtectionClass.numbers.rows.allSatisfy { $0.value.rawValue == $0.number })
        #expect(Factor.numbers.rows.allSatisfy { $0.value.rawValue == $0.number })
        #expect(EvidenceLevel.numbers.rows.allSatisfy { $0.value.rawValue == $0.number })
        #expect(FileClass.numbers.rows.allSatisfy { $0.value.rawValue == $0.number })
    }
}
