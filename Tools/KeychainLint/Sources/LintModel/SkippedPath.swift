/// A file or folder below the path of a run that the linter did not read.
package struct SkippedPath: Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable, Error {
        case link
        /// A folder with products, or with other people's code.
        case folder
        case encoding = "not UTF-8"
        case unreadable
    }

    package let path: String
    package let reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// The members of this object in reports for programs.
    package var object: [String: Any] { ["path": path, "reason": reason.rawValue] }

    /// Returns the skipped paths in one line; nil if there are none.
    package static func line(about skipped: [SkippedPath]) -> String? {
        let parts = Reason.allCases.compactMap { reason -> String? in
            let paths = skipped.filter { $0.reason == reason }.map(\.path)
            guard !paths.isEmpty else { return nil }
            let rest = paths.count > 3 ? " and \(paths.count - 3) more" : ""
            let names = paths.prefix(3).map(\.visible).joined(separator: ", ") + rest
            return "\(words(paths.count, reason)) (\(names))"
        }
        return parts.isEmpty ? nil : "not read: " + parts.joined(separator: "; ")
    }

    private static func words(_ count: Int, _ reason: Reason) -> String {
        let isOne = count == 1
        switch reason {
        case .link: return isOne ? "1 link" : "\(count) links"
        case .folder: return isOne ? "1 folder of other code" : "\(count) folders of other code"
        case .encoding:
            return isOne ? "1 file that is not UTF-8" : "\(count) files that are not UTF-8"
        case .unreadable: return isOne ? "1 unreadable file" : "\(count) unreadable files"
        }
    }
}
