import Foundation
import TestSupport
import Testing

/// What Documentation/Questions.md shows, and where it says that the code comes from.
private struct Question: Sendable, CustomTestStringConvertible {
    let heading: String
    let file: String
    let code: [Substring]

    var testDescription: String { heading }

    static let all: [Question] = {
        let text = (try? Checkout.text("Documentation/Questions.md")) ?? ""
        return text.components(separatedBy: "\n## ").dropFirst().compactMap(Question.init)
    }()

    /// Reads one section; nil for a section without code.
    private init?(_ section: String) {
        let parts = section.components(separatedBy: "```swift\n")
        guard parts.count == 2, let name = parts[0].components(separatedBy: "](").last else {
            return nil
        }
        heading = String(section.prefix { $0 != "\n" })
        file = name.prefix { $0 != ")" }.replacingOccurrences(of: "../", with: "")
        let code = parts[1].components(separatedBy: "\n```")[0]
        self.code = code.split(separator: "\n", omittingEmptySubsequences: false)
    }
}

@Suite(.requirement("DOC-09")) struct `A question of the documentation` {
    @Test func `is one of ten, each with its own heading`() throws {
        #expect(Set(Question.all.map(\.heading)).count == 10)
        let sections =
            try Checkout.text("Documentation/Questions.md")
            .components(separatedBy: "\n## ").count - 1
        // The last section lists the demonstrations.
        #expect(sections == 11)
    }

    @Test(arguments: Question.all)
    private func `shows code of a sample, line by line`(question: Question) throws {
        #expect(question.file.hasPrefix("Examples/Patterns/"))
        let lines = try Checkout.text(question.file)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let indented = question.code.map { $0.isEmpty ? "" : "    " + $0 }
        let starts = lines.indices.filter { start in
            lines[start...].prefix(indented.count).elementsEqual(indented) { $0 == $1 }
        }
        #expect(starts.count == 1 && question.code.count > 5)
    }
}

@Suite struct `A sample` {
    /// The names of the types that a sample declares.
    private static func types(of name: String) throws -> [String] {
        try Checkout.text("Examples/Patterns/\(name).swift").split(separator: "\n")
            .compactMap { line in
                let words = line.split(separator: " ")
                guard
                    let keyword = words.firstIndex(where: {
                        ["struct", "actor", "class"].contains($0)
                    }), !line.hasPrefix(" "), !line.hasPrefix("/"), keyword + 1 < words.count
                else { return nil }
                return String(words[keyword + 1].prefix { $0.isLetter })
            }
    }

    @Test(.requirement("DOC-07"), arguments: try Checkout.swiftFiles(in: "Examples/Patterns"))
    func `has a test that uses it`(name: String) throws {
        let tests = try Checkout.swiftFiles(in: "Tests/PatternTests")
            .filter { $0.hasSuffix("Tests") }
            .map { try Checkout.text("Tests/PatternTests/\($0).swift") }.joined()
        let used = try Self.types(of: name).filter {
            tests.contains($0 + "(") || tests.contains($0 + ".")
        }
        #expect(!used.isEmpty || name == "KeychainError")
    }

    @Test(arguments: try Checkout.swiftFiles(in: "Examples/Patterns"))
    func `imports Apple's modules only`(name: String) throws {
        let modules = try Checkout.text("Examples/Patterns/\(name).swift").split(separator: "\n")
            .filter { $0.contains("import ") && !$0.contains("//") }
            .compactMap { $0.split(separator: " ").last.map(String.init) }
        // The shim stands for UIKit here; on Apple's platforms nothing imports it.
        let known: Set = ["Foundation", "Security", "LocalAuthentication"]
        let more: Set<String> = name == "ProtectedData" ? ["UIKit", "ApplicationShim"] : []
        #expect(Set(modules).subtracting(known) == more)
    }
}
