import Glibc

@_implementationOnly import CFileFacts

/// When a file was read and changed.
struct FileDates {
    let read: timespec
    let changed: timespec

    init(_ facts: stat) {
        read = facts.st_atim
        changed = facts.st_mtim
    }
}

extension RawFile {
    private static let accessList = "system.posix_acl_access"
    /// What is about the very bytes, or about a program.
    private static let excluded: Set = ["security.ima", "security.evm", "security.capability"]

    /// Gives the file owner, group, mode and extended attributes of another.
    ///
    /// Without the group, the rights of the group are gone as well.
    ///
    /// - Returns: What the system does not permit, such as `its owner`.
    func adopt(_ facts: stat, of path: String) throws(FileFailure) -> [String] {
        var losses: [String] = []
        var mode = facts.st_mode & 0o7777
        let own = try self.facts()
        if own.st_uid != facts.st_uid, fchown(descriptor, facts.st_uid, gid_t.max) != 0 {
            losses.append("its owner")
            mode &= 0o1777
        }
        var isForeign = false
        if own.st_gid != facts.st_gid, fchown(descriptor, uid_t.max, facts.st_gid) != 0 {
            losses.append("its group, which has no rights now")
            mode &= 0o5707
            isForeign = true
        }
        guard fchmod(descriptor, mode) == 0 else { throw .last("changed", self.path) }
        return losses + adoptAttributes(of: path, exceptAccess: isForeign)
    }

    private func adoptAttributes(of path: String, exceptAccess: Bool) -> [String] {
        let names = Self.attributeNames(of: path)
        // A list that the directory gave would give others rights.
        if exceptAccess || !names.contains(Self.accessList) {
            _ = file_drop_attribute(descriptor, Self.accessList)
        }
        var losses: [String] = []
        for name in names where !(exceptAccess && name == Self.accessList) {
            guard !Self.excluded.contains(name) else { continue }
            var value = [UInt8](repeating: 0, count: 1 << 16)
            let count = file_attribute(path, name, &value, value.count)
            if count < 0 || file_give_attribute(descriptor, name, value, count) != 0 {
                losses.append("the attribute \(name)")
            }
        }
        if exceptAccess, names.contains(Self.accessList) {
            losses.append("its access control list")
        }
        return losses
    }

    /// The names of the extended attributes; empty where the file system has none.
    private static func attributeNames(of path: String) -> [String] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = file_attribute_names(path, &buffer, buffer.count)
        guard count > 0 else { return [] }
        return buffer[..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    func set(_ dates: FileDates) throws(FileFailure) {
        let times = [dates.read, dates.changed]
        guard futimens(descriptor, times) == 0 else { throw .last("changed", path) }
    }
}
