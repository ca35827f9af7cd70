@_exported import FileProtection
@_exported import Foundation

// A file that imports this module instead of Foundation finds these declarations first, because
// this module reexports Foundation. If it imports both, the compiler reports an ambiguity.

extension Data {
    /// Writes a file; an option of file protection makes it a protected one.
    ///
    /// Without such an option, the file is protected if a directory above it states a class.
    public func write(to url: URL, options: Data.WritingOptions = []) throws {
        let isProtected =
            !options.isDisjoint(with: .fileProtectionMask) || url.isProtectedFile
            || url.isInProtectedDirectory
        guard isProtected else { return try writePlainly(url, options) }
        try write(toProtectedFile: url, options: options)
    }

    /// Reads a file, protected or not.
    public init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
        guard url.isFileURL, url.isProtectedFile else {
            self = try Self.readPlainly(url, options)
            return
        }
        try self.init(contentsOfProtectedFile: url)
    }
}

extension FileManager {
    /// The file manager that supports protected files.
    public class var `default`: FileManager { FileManager.protected }
}

extension URL {
    /// Sets resource values; `isExcludedFromBackup` of a protected file is stored in its header.
    public mutating func setResourceValues(_ values: URLResourceValues) throws {
        if isProtectedFile, let isExcluded = values.isExcludedFromBackup {
            try setProtectedFileExcludedFromBackup(isExcluded)
        }
        try setValuesPlainly(values)
    }
}
