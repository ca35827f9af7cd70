/// A file with old values, its name in reports, and the trust in it.
struct NamedFile: Sendable {
    let file: PlainFile
    let name: String
    let trust: @Sendable () -> SourceTrust

    /// Describes a file; the default name is the file's own.
    init(_ file: PlainFile, _ name: String?, _ trust: @escaping @Sendable () -> SourceTrust) {
        self.file = file
        self.name = name ?? file.name
        self.trust = trust
    }
}
