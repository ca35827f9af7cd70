/// The executable of a program, as far as it tells one program from another.
package struct ProgramFile: Sendable, Hashable {
    package let path: String
    /// What stays when the file is renamed, and changes when its content does: device, inode, size
    /// and the time of the last change.
    package let identity: [UInt8]

    package init(path: String, identity: [UInt8]) {
        self.path = path
        self.identity = identity
    }
}

/// The default access group of a program, and how the keychain came to it.
package struct ProgramGroup: Sendable, Hashable {
    package enum Origin: Sendable, Hashable {
        /// The program was not known yet.
        case chosenNow
        /// The group that a program at this path had before.
        case knownPath
        /// The group that this file had under another path.
        case renamed
    }

    package let name: String
    package let origin: Origin

    package init(_ name: String, _ origin: Origin) {
        self.name = name
        self.origin = origin
    }
}

/// Which program's group is wanted, and what is known of it.
package struct ProgramGroupQuery: Sendable, Hashable {
    package let program: ProgramFile
    /// The group that the program declares; it wins over what is recorded.
    package let declared: String?
    /// The group of a program that is not known and declares none.
    package let otherwise: String
    /// The file of records; nil where there is none yet.
    package let records: [UInt8]?

    package init(
        _ program: ProgramFile,
        declared: String?,
        otherwise: String,
        records: [UInt8]?
    ) {
        self.program = program
        self.declared = declared
        self.otherwise = otherwise
        self.records = records
    }
}

/// The group of a program, and what the file of records is to hold if that changed.
package struct RecordedGroup: Sendable, Hashable {
    package let group: ProgramGroup
    package let records: [UInt8]?

    package init(_ group: ProgramGroup, records: [UInt8]?) {
        self.group = group
        self.records = records
    }
}
