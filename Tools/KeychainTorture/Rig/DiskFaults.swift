import CDiskFaults

/// What happens to one operation on the disk, and what it is called in a report.
enum DiskFault: Int32, CaseIterable, Sendable, CustomStringConvertible {
    case inputOutput = 1
    case noSpace
    case shortWrite
    case tornWrite
    case death
    case deathInMidWrite

    /// The process is gone for the disk: nothing after it arrives.
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

/// The operation of a call that meets a fault.
struct FaultPoint: Sendable, CustomStringConvertible {
    let fault: DiskFault
    /// Counted from 0 within the call.
    let number: Int
    /// Whether reads are counted, or changes.
    let isRead: Bool

    var description: String { "\(fault) at \(isRead ? "read" : "change") \(number)" }
}

/// The disk below one directory, as this process sees it.
enum DiskFaults {
    /// Starts to count, and has a fault happen at its point; nil for none.
    static func watch(_ directory: String, _ point: FaultPoint?) {
        disk_watch(directory)
        guard let point else { return }
        disk_fail(Int64(point.number), point.fault.rawValue, point.isRead ? 1 : 0)
    }

    /// Whether the fault has happened since.
    static var hasHappened: Bool { disk_has_failed() != 0 }

    /// How many operations there were since.
    static func count(ofReads isRead: Bool) -> Int { Int(disk_count(isRead ? 1 : 0)) }

    static func end() { disk_watch(nil) }
}
