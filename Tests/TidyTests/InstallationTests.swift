import Foundation
import TestSupport
import Testing

/// Runs a program in this checkout; what it prints.
private func run(
    _ arguments: [String],
    environment: [String: String] = [:]
) throws -> (status: Int32, output: String) {
    let words = ["env"] + environment.map { "\($0)=\($1)" } + arguments
    let result = try runProgram(words, directory: Checkout.root.path)
    return (result.status, result.output)
}

private func text(_ path: String) throws -> String {
    try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
}

extension String {
    /// What a pattern's one group finds.
    fileprivate func found(_ pattern: Regex<(Substring, Substring)>) -> Set<String> {
        Set(matches(of: pattern).map { String($0.1) })
    }

    /// The Debian packages of headers that a text names, and pkg-config.
    fileprivate var headerPackages: Set<String> {
        found(/(?:^|[\s"(,])((?:lib[a-z0-9]+(?:-[a-z0-9]+)*-dev)|pkg-config)/)
    }
}

@Suite struct `The packages of headers that a program needs` {
    /// Of these, programs need neither the PAM module's nor those of tests with a display.
    private func setUp() throws -> Set<String> {
        let others: Set = ["libpam0g-dev", "libx11-dev", "libxtst-dev"]
        return try text("Scripts/setup.sh").headerPackages.subtracting(others)
    }

    @Test(arguments: ["Packaging/debian/control-dev", "Sources/missing-libraries.h"])
    func `are those that the build installs`(file: String) throws {
        #expect(try text(file).headerPackages == setUp())
        #expect(try setUp().count > 5)
    }

    @Test func `are those that each wall names`() throws {
        let walls = try text("Package.swift").headerPackages
        #expect(try walls.isSubset(of: setUp()) && walls.count > 4)
    }
}

@Suite struct `An installation` {
    /// What the places say, a line each.
    private func places(_ words: String) throws -> Set<String> {
        let script = "source Packaging/places.sh && set_places /usr && \(words)"
        let (status, output) = try run(["bash", "-euc", script])
        #expect(status == 0, "\(output)")
        return Set(output.split(separator: "\n").map(String.init))
    }

    private func programs() throws -> Set<String> {
        try places(#"printf '%s\n' "${programs[@]}""#)
    }

    @Test func `has every program of the package`() throws {
        let products = try text("Package.swift").found(/\.executable\(name: "([a-z-]+)"/)
        #expect(try programs() == products)
    }

    @Test func `protects programs that it has, which rules and attacks know`() throws {
        let protected = try places(#"printf '%s\n' "${protected[@]}""#)
        #expect(try protected.isSubset(of: programs()))
        #expect(protected == Set(TidyRule.protectedPrograms))
        let stage = try text("Tests/KeychainDaemonTests/Attacks/LoadingStage.swift")
        let list = try #require(stage.firstMatch(of: /static let protected = \[([^\]]*)\]/)).1
        #expect(protected == String(list).found(/"([a-z-]+)"/))
    }

    @Test func `has a page of the manual for every program`() throws {
        let pages = try places(#"printf '%s\n' "${manual[@]%.*}""#)
        // keychainctl writes the pages of its commands, also under the names of their programs.
        let tables = Checkout.swiftFiles.map(\.path).filter { $0.contains("/CommandTable") }
        let commands = try tables.map { try text($0).found(/companion: "([a-z-]+)"/) }
        #expect(try pages.union(commands.joined()).union(["keychainctl"]) == programs())
    }

    @Test func `puts every file of the folder somewhere`() throws {
        let files = Set(try places("files | cut -d' ' -f1"))
        let folder = Checkout.root.appending(path: "Packaging")
        let walk = try #require(FileManager.default.enumerator(atPath: folder.path))
        let expected = walk.compactMap { $0 as? String }
            .filter { $0 != "places.sh" && !$0.hasPrefix("debian") }
            .filter { walk in
                var isFolder: ObjCBool = false
                let path = folder.appending(path: walk).path
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
            .map { "Packaging/" + $0 }
        #expect(files.filter { $0.hasPrefix("Packaging/") } == Set(expected))
        #expect(expected.count > 15)
    }

    @Test func `has every page that a program names`() throws {
        let pages = try places(#"printf '%s\n' "${named_pages[@]}""#)
        let code = Checkout.swiftFiles.filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
            file.text.split(separator: "\n").map(String.init)
        }
        // A comment is for people who have the sources.
        let words = code.filter { $0.firstMatch(of: /^\s*\/\//) == nil }.joined()
        let named = words.found(/((?:[A-Za-z]+\/)?[A-Za-z]+\.md)\b/)
        #expect(named.contains("SECURITY.md") && named.count > 3)
        let names = Set(pages.map { $0.split(separator: "/").last.map(String.init) ?? $0 })
        #expect(named.isSubset(of: pages.union(names)))
        let placed = try places("files")
        #expect(placed.contains("SECURITY.md /usr/share/doc/swift-keychain"))
        #expect(try pages.allSatisfy { try !text($0).isEmpty })
    }

    @Test func `starts no program that it lacks`() throws {
        let texts = try places("files | cut -d' ' -f1").map(text)
        let started = texts.reduce(into: Set<String>()) {
            $0.formUnion($1.found(/\/usr\/bin\/(keychain[a-z-]*)/))
        }
        #expect(try started.isSubset(of: programs()) && started.count > 5)
    }
}

// What Scripts/sbom.py writes; it asks Debian which package has a library.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query")))
struct `The bill of materials` {
    private struct Bill: Decodable {
        struct Sum: Decodable { let algorithm, checksumValue: String }
        struct File: Decodable {
            let SPDXID, fileName: String
            let checksums: [Sum]
        }
        struct Code: Decodable { let packageVerificationCodeValue: String }
        struct Package: Decodable {
            let SPDXID, name: String
            let versionInfo: String?
            let packageVerificationCode: Code?
        }
        struct Relationship: Decodable {
            let spdxElementId, relationshipType, relatedSpdxElement: String
        }
        let spdxVersion: String
        let files: [File]
        let packages: [Package]
        let relationships: [Relationship]
    }

    /// A directory with one file of three bytes and, if asked for, a program; its list, twice.
    private func bills(program: Bool) throws -> [Data] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bill-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let tree = folder.appending(path: "tree")
        try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
        try Data("abc".utf8).write(to: tree.appending(path: "abc"))
        if program {
            let copy = tree.appending(path: "program")
            try FileManager.default.copyItem(at: URL(filePath: "/usr/bin/env"), to: copy)
        }
        return try ["one", "two"].map { name in
            let file = folder.appending(path: name)
            let command =
                ["python3", "Scripts/sbom.py", "--name", "trial", "--version", "1.0"]
                + ["--tree", tree.path, "--output", file.path]
            let said = try run(command, environment: ["SOURCE_DATE_EPOCH": "1"])
            #expect(said.status == 0, "\(said.output)")
            return try Data(contentsOf: file)
        }
    }

    @Test func `has each file with its sums, and one of all`() throws {
        let bill = try JSONDecoder().decode(Bill.self, from: bills(program: false)[0])
        #expect(bill.spdxVersion == "SPDX-2.3")
        #expect(bill.files.map(\.fileName) == ["./abc"])
        let sums = bill.files.flatMap(\.checksums).map { "\($0.algorithm) \($0.checksumValue)" }
        #expect(
            sums == [
                "SHA1 a9993e364706816aba3e25717850c26c9cd0d89d",
                "SHA256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ]
        )
        let code = bill.packages.first?.packageVerificationCode?.packageVerificationCodeValue
        #expect(code == "9ef2bdeea2b1bae79b9ddb930427d0b2c880bdac")
    }

    @Test func `names the package of each library, and only what it describes`() throws {
        let both = try bills(program: true)
        #expect(both[0] == both[1])
        let bill = try JSONDecoder().decode(Bill.self, from: both[0])
        let program = try #require(bill.files.first { $0.fileName == "./program" })
        let links = bill.relationships.filter { $0.spdxElementId == program.SPDXID }
        #expect(links.map(\.relationshipType).contains("DYNAMIC_LINK"))
        let linked = bill.packages.filter { $0.SPDXID == links.first?.relatedSpdxElement }
        #expect(linked.map(\.name) == ["libc6"])
        #expect(linked.allSatisfy { $0.versionInfo?.isEmpty == false })
        let known = Set(bill.files.map(\.SPDXID) + bill.packages.map(\.SPDXID))
        #expect(Set(bill.relationships.map(\.relatedSpdxElement)).isSubset(of: known))
    }
}
