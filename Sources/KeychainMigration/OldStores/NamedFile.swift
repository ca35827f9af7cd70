/// A file of old values with the name that reports use, and how far it can be believed.
struct NamedFile: Sendable {
    let file: PlainFile
    let name: String
    let trust: @Sendable () -> SourceTrust

    /// The file's own name serves where no other one is given.
    init(_ file: PlainFile, _ name: String?, _ trust: @escaping @Sendable () -> SourceTrust) {
        self.file = file
        self.name = name ?? file.name
        self.trust = trust
    }
}
