import KeychainModel

extension Profiles: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(system)
        buffer.put(behavior)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(system: try reader.take(), behavior: try reader.take())
    }
}

extension SystemProfile: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(platform)
        guard let version = UInt16(exactly: version) else {
            return buffer.refuse(.invalidValue("version of a system"))
        }
        buffer.put(version)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            platform: try reader.take(),
            version: Int(try reader.integer(UInt16.self))
        )
    }
}

extension BehaviorProfile: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(missingOperator)
        buffer.put(primaryKeyUpdate)
        buffer.put(accessControlUpdate)
        buffer.put(tagOnCertificate)
        buffer.put(keyWithoutType)
        buffer.put(biometryCurrentSetChanged)
        buffer.put(passcodeMissing)
        buffer.put(synchronizableThisDeviceOnly)
        buffer.put(foreignUpdateKey)
        buffer.put(agreeingAccessControl)
        buffer.put(deprecatedAlways)
        buffer.put(accessGroupUpdate)
        buffer.put(matchKeysInWrites)
        buffer.put(backupThisDeviceOnly)
        buffer.put(metadataReadableWhenLocked)
        buffer.put(beforeFirstUnlock)
        buffer.put(matchCaseInsensitive)
        buffer.put(macOSKeychains)
        buffer.put(fileBasedMatchLimit)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self = .documented
        missingOperator = try reader.take()
        primaryKeyUpdate = try reader.take()
        accessControlUpdate = try reader.take()
        tagOnCertificate = try reader.take()
        keyWithoutType = try reader.take()
        biometryCurrentSetChanged = try reader.take()
        passcodeMissing = try reader.take()
        synchronizableThisDeviceOnly = try reader.take()
        foreignUpdateKey = try reader.take()
        agreeingAccessControl = try reader.take()
        deprecatedAlways = try reader.take()
        accessGroupUpdate = try reader.take()
        matchKeysInWrites = try reader.take()
        backupThisDeviceOnly = try reader.take()
        metadataReadableWhenLocked = try reader.take()
        beforeFirstUnlock = try reader.take()
        matchCaseInsensitive = try reader.take()
        macOSKeychains = try reader.take()
        fileBasedMatchLimit = try reader.take()
    }
}
