import FileProtection
import Foundation
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `Apple's names for file protection` {
    private let phone: Phone
    private let files = FileManager.protected
    private let complete = FileProtectionType.complete.rawValue
    private let unlessOpen = FileProtectionType.completeUnlessOpen.rawValue

    init() throws { phone = try Phone() }

    /// The class as Apple's constant has it; the type has no equality here.
    private func type(_ name: String) throws -> String? {
        let attributes = try files.attributesOfItem(atPath: phone.folder(name))
        return (attributes[.protectionKey] as? FileProtectionType)?.rawValue
    }

    @Test(
        .requirement("FDP-13"),
        arguments: [
            (.completeFileProtection, .complete),
            (.completeFileProtectionUnlessOpen, .completeUnlessOpen),
            (
                .completeFileProtectionUntilFirstUserAuthentication,
                .completeUntilFirstUserAuthentication
            ),
            (.noFileProtection, FileProtectionType.none),
            ([], .completeUntilFirstUserAuthentication),
        ] as [(Data.WritingOptions, FileProtectionType)]
    )
    func `choose the class of a write`(options: Data.WritingOptions, type: FileProtectionType)
        throws
    {
        try phone.app.run {
            let data = Data("text".utf8)
            try data.write(toProtectedFile: phone.folder.url("a"), options: options)
            #expect(try self.type("a") == type.rawValue)
            #expect(try Data(contentsOfProtectedFile: phone.folder.url("a")) == data)
        }
    }

    @Test(.requirement("FDP-13"))
    func `set and tell the class of a file, plain or protected before`() throws {
        try phone.app.run {
            try Data("plain".utf8).write(to: phone.folder.url("a"))
            #expect(try type("a") == nil)
            let attributes: [FileAttributeKey: Any] = [
                .protectionKey: FileProtectionType.complete, .posixPermissions: 0o640,
            ]
            try files.setAttributes(attributes, ofItemAtPath: phone.folder("a"))
            #expect(try type("a") == complete)
            let told = try files.attributesOfItem(atPath: phone.folder("a"))
            #expect(told[.posixPermissions] as? Int == 0o640)
            #expect(told[.size] as? UInt64 == 5)
            #expect(files.contents(atPath: phone.folder("a")) == Data("plain".utf8))
            let none = [FileAttributeKey.protectionKey: FileProtectionType.none]
            try files.setAttributes(none, ofItemAtPath: phone.folder("a"))
            #expect(try type("a") == FileProtectionType.none.rawValue)
            #expect(phone.folder.names == ["a"])
            try files.removeItem(atPath: phone.folder("a"))
            #expect(phone.folder.names == [])
        }
    }

    @Test(.requirement("FDP-13")) func `are inherited from the directory`() throws {
        try phone.app.run {
            let directory = phone.folder.path
            let stated = [FileAttributeKey.protectionKey: FileProtectionType.completeUnlessOpen]
            try files.setAttributes(stated, ofItemAtPath: directory)
            let told = try files.attributesOfItem(atPath: directory)[.protectionKey]
            #expect((told as? FileProtectionType)?.rawValue == unlessOpen)
            #expect(files.createFile(atPath: phone.folder("a"), contents: Data("x".utf8)))
            #expect(try type("a") == unlessOpen)
            try files.createDirectory(atPath: phone.folder("d"), withIntermediateDirectories: false)
            try ProtectedFile(creating: phone.folder.url("d/b")).close()
            #expect(try type("d/b") == unlessOpen)
            let url = phone.folder.url("c")
            try ProtectedFile(creating: url, protection: .complete).close()
            #expect(try type("c") == complete)
        }
    }

    @Test func `keep class and permissions when a file is written again`() throws {
        try phone.app.run {
            let url = phone.folder.url("a")
            try Data("one".utf8).write(toProtectedFile: url, options: .completeFileProtection)
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
            try Data("two".utf8).write(toProtectedFile: url)
            #expect(try type("a") == complete)
            let told = try files.attributesOfItem(atPath: url.path)
            #expect(told[.posixPermissions] as? Int == 0o644)
            let code = refusal {
                try Data().write(toProtectedFile: url, options: .withoutOverwriting)
            }
            #expect(code.first == CocoaError.Code.fileWriteFileExists.rawValue)
            #expect(try Data(contentsOfProtectedFile: url) == Data("two".utf8))
        }
    }

    @Test func `exclude a file from backups`() throws {
        try phone.app.run {
            let url = phone.folder.url("a")
            try Data("x".utf8).write(toProtectedFile: url)
            try url.setProtectedFileExcludedFromBackup(true)
            #expect(try ProtectedFile(opening: url).isExcludedFromBackup)
        }
    }

    @Test func `refuse what is no protected file, or not there`() throws {
        try phone.app.run {
            let url = phone.folder.url("a")
            #expect(refusal { _ = try ProtectedFile(opening: url) }.first == 260)
            try Data("x".utf8).write(to: url)
            #expect(throws: ProtectedFileError.notProtected(url)) {
                try ProtectedFile(opening: url)
            }
            #expect(throws: ProtectedFileError.self) {
                try Data().write(
                    toProtectedFile: url,
                    options: [
                        .completeFileProtection,
                        .completeFileProtectionUntilFirstUserAuthentication,
                    ]
                )
            }
            #expect(try Data(contentsOf: url) == Data("x".utf8))
        }
    }
}
