/// The executable of a program, as far as it identifies the program.
package struct ProgramFile: Sendable, Hashable {
    package let path: String
    /// Device, inode, size and the time of the last change.
    ///
    /// They stay when the file is renamed, and change with its content.
    package let identity: [UInt8]

    package init(path: String, identity: [UInt8]) {
        self.path = path
        self.identity = identity
    }
}

/// The default access group of a program, and its origin.
package struct ProgramGroup: Sendable, Hashable {
    package enum Origin: Sendable, Hashable {
        /// The program was unknown, and the group was chosen now.
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

/// A query for a program's group, with the known facts about the program.
package struct ProgramGroupQuery: Sendable, Hashable {
    package let program: ProgramFile
    /// The group that the program declares; it takes precedence over the record.
    package let declared: String?
    /// The group of an unknown program that declares none.
    package let otherwise: String
    /// The file of records; nil if there is none yet.
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

/// The group of a program, and the new content of the file of records if it changed.
package struct RecordedGroup: Sendable, Hashable {
    package let group: ProgramGroup
    package let records: [UInt8]?

    package init(_ group: ProgramGroup, records: [UInt8]?) {
        self.group = group
        self.records = records
    }
}
