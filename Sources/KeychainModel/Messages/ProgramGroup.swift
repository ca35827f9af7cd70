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
