import CDiskFaults

/// A fault in one disk operation, with its name in reports.
enum DiskFault: Int32, CaseIterable, Sendable, CustomStringConvertible {
    case inputOutput = 1
    case noSpace
    case shortWrite
    case tornWrite
    case death
    case deathInMidWrite

    /// Whether the process has no more effect on the disk.
    var isDeath: Bool { self == .death || self == .deathInMidWrite }

    var description: String {
        switch self {
        case .inputOutput: "input/output error"
        case .noSpace: "no space left"
        case .shortWrite: "short write"
        case .tornWrite: "half a write, then no space"
        case .death: "death before it"
        case .deathInMidWrite: "death in the middle of it"
        }
    }
}

/// The operation of a call at which a fault occurs.
struct FaultPoint: Sendable, CustomStringConvertible {
    let fault: DiskFault
    /// The number of the operation, from 0 in each call.
    let number: Int
    /// Whether the number counts reads, or else changes.
    let isRead: Bool

    var description: String { "\(fault) at \(isRead ? "read" : "change") \(number)" }
}

/// The disk below one directory, as this process sees it.
enum DiskFaults {
    /// Starts to count, and lets a fault occur at its point; nil for no fault.
    static func watch(_ directory: String, _ point: FaultPoint?) {
        disk_watch(directory)
        guard let point else { return }
        disk_fail(Int64(point.number), point.fault.rawValue, point.isRead ? 1 : 0)
    }

    /// Whether the fault has occurred since.
    static var hasHappened: Bool { disk_has_failed() != 0 }

    /// Returns the number of operations since.
    static func count(ofReads isRead: Bool) -> Int { Int(disk_count(isRead ? 1 : 0)) }

    static func end() { disk_watch(nil) }
}
