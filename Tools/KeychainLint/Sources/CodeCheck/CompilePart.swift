import Foundation
import LintAnalysis
import LintModel

/// An error of the compiler.
package struct CompileError: Sendable, Hashable {
    let file: String
    let line: Int
    let column: Int
    let message: String
}

/// The result of compiling the keychain-related sources.
package struct CompileReport: Sendable {
    /// Errors about the keychain's interface.
    var errors: [CompileError] = []
    /// Errors about other names, from modules or files that are not here.
    var otherErrors: [CompileError] = []
    var compiledFiles: [String] = []
    /// Files that did not compile because a module is missing, with its name.
    var skippedFiles: [(file: String, module: String)] = []
    /// Errors in places that are in no file of the project.
    var strayErrors: [CompileError] = []
    /// Whether the compiler wrote more than the limit.
    var isCut = false
}

/// A type check of the keychain-related sources against the modules of swift-keychain.
struct CompilePart {
    let compiler: URL
    let modules: URL
    /// The language mode; nil for that of Package.swift.
    let swiftVersion: String?
    /// The time limit of the compiler for a target.
    let seconds: Int

    /// Modules with names that belong to this project or its shims.
    private static let related = [
        "Security", "LocalAuthentication", "CryptoKit", "AuthenticationServices",
    ]

    func report(on project: Project) throws -> CompileReport {
        var report = CompileReport()
        let files = project.files.map(\.file).filter { !$0.isTest }
        let targets = Dictionary(grouping: files) { $0.target?.directory ?? "" }
        for (_, files) in targets.sorted(by: { $0.key < $1.key }) {
            try compile(files, into: &report)
        }
        return report
    }

    private static func isRelated(_ file: ParsedFile) -> Bool {
        file.imports.contains { related.contains($0.module) }
            || file.source.text.contains("kSec") || file.source.text.contains("SecItem")
    }

    /// Compiles a whole target; if a module is missing, only the keychain-related files without it.
    private func compile(_ files: [ParsedFile], into report: inout CompileReport) throws {
        let related = files.filter(Self.isRelated)
        guard !related.isEmpty else { return }
        var chosen = files
        var missing: [String] = []
        while !chosen.isEmpty {
            let errors = try typeCheck(chosen, &report)
            let absent = errors.compactMap { Self.missingModule($0.message) }
            guard let module = absent.first, !missing.contains(module) else {
                return finish(chosen, errors, into: &report)
            }
            missing.append(module)
            report.skippedFiles += chosen.filter { Self.imports(module, $0) && Self.isRelated($0) }
                .map { ($0.source.path, module) }
            chosen = chosen.filter { !Self.imports(module, $0) }
        }
    }

    private func finish(
        _ files: [ParsedFile],
        _ errors: [CompileError],
        into report: inout CompileReport
    ) {
        report.compiledFiles += files.filter(Self.isRelated).map(\.source.path)
        let sources = Dictionary(
            files.map { ($0.source.path, $0.source) },
            uniquingKeysWith: { first, _ in first }
        )
        for error in errors {
            let line = sources[error.file].map { $0.line(error.line) } ?? ""
            if Self.isOurs(error.message, String(line)) {
                report.errors.append(error)
            } else if sources[error.file] == nil {
                report.strayErrors.append(error)
            } else {
                report.otherErrors.append(error)
            }
        }
    }

    private static func imports(_ module: String, _ file: ParsedFile) -> Bool {
        file.imports.contains { $0.module == module }
    }

    private static func missingModule(_ message: String) -> String? {
        guard message.hasPrefix("no such module '") else { return nil }
        return message.split(separator: "'").dropFirst().first.map(String.init)
    }

    private static let names = [
        "kSec", "SecItem", "SecKey", "SecAccess", "SecCert", "SecTrust", "SecCopy", "SecRandom",
        "SecPKCS", "SecIdentity", "errSec", "LAContext", "LAError", "LAPolicy", "SecureEnclave",
        "evaluatePolicy", "biometry",
    ]

    /// Whether an error concerns the keychain's interface, not names of other files.
    private static func isOurs(_ message: String, _ line: String) -> Bool {
        if message.hasPrefix("cannot find ") {
            return names.contains { message.contains("'\($0)") }
        }
        return names.contains { message.contains($0) || line.contains($0) }
    }

    private func typeCheck(
        _ files: [ParsedFile],
        _ report: inout CompileReport
    ) throws -> [CompileError] {
        var words = ["-typecheck", "-module-name", "CheckedCode", "-I", modules.path]
        words += ["-swift-version", swiftVersion ?? "5", "-diagnostic-style", "llvm"]
        // On Apple's platforms, Foundation also imports Security; a rule of the linter covers that.
        words += ["-import-module", "Security"].flatMap { ["-Xfrontend", $0] }
        // Without `@main`, a single file may have statements at its top.
        if files.contains(where: { $0.source.text.contains("@main") }) {
            words.append("-parse-as-library")
        }
        let sources = try CheckedSources(files)
        let outcome = try Program(compiler, words + sources.paths, seconds: seconds).run()
        if let ending = outcome.ending {
            throw ConfigurationError(
                "the compiler \(ending), for \(files.count) files; --compile-seconds gives it more"
            )
        }
        if outcome.isCut { report.isCut = true }
        let text = String(decoding: outcome.errors, as: UTF8.self)
        let errors = text.split(separator: "\n")
            .compactMap { Self.error(String($0), sources.names) }
            .reduce(into: [CompileError]()) { list, error in
                if !list.contains(error) { list.append(error) }
            }
        guard outcome.status == 0 || !errors.isEmpty else {
            let line = text.split(separator: "\n").first { $0.contains("error:") } ?? "no reason"
            throw ConfigurationError("the compiler failed: \(line)")
        }
        return errors
    }

    /// Reads a line such as `a.swift:3:7: error: cannot find 'x' in scope`.
    private static func error(_ line: String, _ known: [String: String]) -> CompileError? {
        guard let mark = line.range(of: ": error: ") else { return nil }
        let parts = line[..<mark.lowerBound].split(separator: ":")
        guard parts.count >= 3, let row = Int(parts[parts.count - 2]),
            let column = Int(parts[parts.count - 1])
        else { return nil }
        let file = parts.dropLast(2).joined(separator: ":")
        return CompileError(
            file: known[file] ?? file,
            line: row,
            column: column,
            message: String(line[mark.upperBound...])
        )
    }
}
