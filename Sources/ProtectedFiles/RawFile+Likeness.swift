import Glibc

@_implementationOnly import CFileFacts

/// The dates when a file was read and changed.
struct FileDates {
    let read: timespec
    let changed: timespec

    init(_ facts: stat) {
        read = facts.st_atim
        changed = facts.st_mtim
    }
}

/// The system's functions for extended attributes of open files, which a test replaces.
struct AttributeCalls {
    /// Returns the names; nil with `errno` if they cannot be determined.
    var names = { (descriptor: Int32) -> [String]? in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = file_held_attribute_names(descriptor, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        return buffer[..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
    var value = { (descriptor: Int32, name: String) -> [UInt8]? in
        var value = [UInt8](repeating: 0, count: 1 << 16)
        let count = file_held_attribute(descriptor, name, &value, value.count)
        return count < 0 ? nil : Array(value[..<count])
    }
    var give = { (descriptor: Int32, name: String, value: [UInt8]) -> Bool in
        file_give_attribute(descriptor, name, value, value.count) == 0
    }
}

extension RawFile {
    static let accessList = "system.posix_acl_access"
    /// Attributes that concern the exact bytes, a program, or the making of a file.
    private static let excluded: Set = [
        accessList, unfinished, "security.ima", "security.evm", "security.capability",
    ]

    /// Gives the file the owner, group, mode and extended attributes of another.
    ///
    /// No other program can open the file yet. The mode comes last: until then others have at most
    /// the rights of the access control list. Without the group or the list, the rights of the
    /// group are lost as well.
    ///
    /// - Returns: The properties that the system does not permit, such as `its owner`.
    func adopt(
        _ facts: stat,
        of other: RawFile,
        _ calls: AttributeCalls = AttributeCalls()
    ) throws(FileFailure) -> [String] {
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
        let hasList = calls.value(other.descriptor, Self.accessList) != nil
        if isForeign || !adoptAccessList(of: other, calls) {
            // A list inherited from the directory would give others rights.
            _ = file_drop_attribute(descriptor, Self.accessList)
            if hasList { losses.append("its access control list") }
            if !isForeign { losses.append("the rights of its group") }
            mode &= ~0o070
        }
        losses += adoptAttributes(of: other, calls)
        guard fchmod(descriptor, mode) == 0 else { throw .last("changed", path) }
        return losses
    }

    /// - Returns: Whether the file now has the list of the other one, or both have none.
    private func adoptAccessList(of other: RawFile, _ calls: AttributeCalls) -> Bool {
        if let list = calls.value(other.descriptor, Self.accessList) {
            return give(Self.accessList, list, calls)
        }
        guard Self.hasNone else { return false }
        return file_drop_attribute(descriptor, Self.accessList) == 0 || Self.hasNone
    }

    /// Sets an attribute; removes the mark of a file in the making if there is no room otherwise.
    private func give(_ name: String, _ value: [UInt8], _ calls: AttributeCalls) -> Bool {
        if calls.give(descriptor, name, value) { return true }
        guard [ENOSPC, EDQUOT, E2BIG].contains(errno), isUnfinished else { return false }
        finish()
        return calls.give(descriptor, name, value)
    }

    /// Whether the last call failed because there is no such attribute.
    private static var hasNone: Bool { errno == ENODATA || errno == ENOTSUP }

    private func adoptAttributes(of other: RawFile, _ calls: AttributeCalls) -> [String] {
        guard let names = calls.names(other.descriptor) else {
            return Self.hasNone ? [] : ["its extended attributes"]
        }
        return names.filter { !Self.excluded.contains($0) }.compactMap { name in
            let value = calls.value(other.descriptor, name)
            guard let value, give(name, value, calls) else {
                return "the attribute \(name)"
            }
            return nil
        }
    }

    /// Restores the mode of the file, because writing removes the set-user-ID bit.
    func keep(_ mode: mode_t) throws(FileFailure) {
        guard try facts().st_mode & 0o7777 != mode else { return }
        guard fchmod(descriptor, mode) == 0 else { throw .last("changed", path) }
    }

    func set(_ dates: FileDates) throws(FileFailure) {
        let times = [dates.read, dates.changed]
        guard futimens(descriptor, times) == 0 else { throw .last("changed", path) }
    }
}
