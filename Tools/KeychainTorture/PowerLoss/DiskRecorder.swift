import CDiskFaults
import Synchronization

/// One change of the files below a directory; paths are relative to it.
struct DiskChange: Sendable {
    enum Kind: Sendable {
        case create
        case write(offset: Int, bytes: [UInt8])
        case truncate(size: Int)
        /// Everything written to the file is durable; for the directory, "", every name is.
        case sync
        case rename(to: String)
        case remove
    }

    let path: String
    let kind: Kind
}

/// A record of this process's changes below one directory, in order.
enum DiskRecorder {
    fileprivate struct Record {
        var directory = ""
        var changes: [DiskChange] = []
    }

    private static let record = Mutex(Record())

    /// Starts an empty record.
    static func start(_ directory: String) {
        record.withLock { $0 = Record(directory: directory) }
        disk_watch(directory)
        disk_listen { event in
            guard let event else { return }
            DiskRecorder.hear(event.pointee)
        }
    }

    /// Ends the record, which stays available.
    static func stop() {
        disk_listen(nil)
        disk_watch(nil)
    }

    static var changes: [DiskChange] { record.withLock { $0.changes } }
    static var count: Int { record.withLock { $0.changes.count } }

    private static func hear(_ event: disk_event) {
        let path = String(cString: event.path)
        let target = event.target.map { String(cString: $0) }
        record.withLock { record in
            guard let name = record.relative(path), !name.hasPrefix("run") else { return }
            guard let kind = kind(event, target: target.flatMap { record.relative($0) }) else {
                return
            }
            record.changes.append(DiskChange(path: name, kind: kind))
        }
    }

    private static func kind(_ event: disk_event, target: String?) -> DiskChange.Kind? {
        switch disk_kind(rawValue: UInt32(event.kind)) {
        case DISK_CREATE: .create
        case DISK_WRITE:
            .write(
                offset: Int(event.offset),
                bytes: [UInt8](UnsafeBufferPointer(start: event.bytes, count: Int(event.count)))
            )
        case DISK_TRUNCATE: .truncate(size: Int(event.offset))
        case DISK_SYNC: .sync
        case DISK_RENAME: target.map { .rename(to: $0) }
        case DISK_REMOVE: .remove
        default: nil
        }
    }
}

extension DiskRecorder.Record {
    /// Returns the path below the directory; "" for the directory itself.
    fileprivate func relative(_ path: String) -> String? {
        if path == directory { return "" }
        return path.hasPrefix(directory + "/") ? String(path.dropFirst(directory.count + 1)) : nil
    }
}
