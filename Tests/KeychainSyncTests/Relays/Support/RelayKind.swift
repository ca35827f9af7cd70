import Foundation
import KeychainSync
import Testing

@testable import SyncRelay

/// The relays that there are, and the ways that a directory's files get their names.
enum RelayKind: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case memory
    case directory
    case directoryRenamed
    case directoryLinked
    case directoryExamined
    case postgreSQL
    case etcd
    // Served by another thread, and by the program.
    case memoryRemote
    case postgreSQLRemote
    case etcdRemote

    var testDescription: String { rawValue }

    /// Those that can be tried here.
    ///
    /// A test of `Relay servers` says why one is missing.
    static let present = allCases.filter {
        // Scripts/relays.sh tries one after the other.
        let wanted = ProcessInfo.processInfo.environment["KEYCHAIN_RELAYS"]
        if let wanted, !$0.rawValue.hasPrefix(wanted) { return false }
        return switch $0 {
        case .postgreSQL, .postgreSQLRemote: PostgreSQLServer.programs != nil
        case .etcd, .etcdRemote: EtcdServer.program != nil
        default: true
        }
    }

    /// Those that differ by more than how files get their names.
    static let different = present.filter { $0.naming == StreamFolder.Naming.allCases }

    /// Those whose state outlives a process.
    static let durable = present.filter { !$0.isMemory }

    /// Those that can be out of reach.
    static let distant = present.filter { $0.isMemory || $0.isServer }

    var isMemory: Bool { self == .memory || self == .memoryRemote }

    var isServer: Bool {
        switch self {
        case .postgreSQL, .etcd, .postgreSQLRemote, .etcdRemote: true
        default: false
        }
    }

    /// What a test adds to a relay's limit of waits: on the clock of a test nothing happens before
    /// the event that the test waits for.
    static let patience = Duration.seconds(60)

    var naming: [StreamFolder.Naming] {
        switch self {
        case .directoryRenamed: [.renamed]
        case .directoryLinked: [.linked]
        case .directoryExamined: [.examined]
        default: StreamFolder.Naming.allCases
        }
    }
}
