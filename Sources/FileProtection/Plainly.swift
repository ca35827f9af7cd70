import Foundation
import ProtectedFiles

// Foundation's own functions, for the module that declares others of the same names.

extension Data {
    package func writePlainly(_ url: URL, _ options: Data.WritingOptions) throws {
        try write(to: url, options: options)
    }

    package static func readPlainly(_ url: URL, _ options: Data.ReadingOptions) throws -> Data {
        try Data(contentsOf: url, options: options)
    }
}

extension URL {
    package mutating func setValuesPlainly(_ values: URLResourceValues) throws {
        try setResourceValues(values)
    }

    /// Whether a directory above states a class for new files.
    package var isInProtectedDirectory: Bool { DirectoryClass.nearest(above: path) != nil }
}
