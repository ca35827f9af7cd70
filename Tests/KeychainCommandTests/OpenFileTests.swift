import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import ProtectedFiles
import TestSupport
import Testing

/// Whether an open file of a class can be read after another process locked.
private struct Row: Sendable, CustomTestStringConvertible {
    let fileClass: FileClass
    let isReadable: Bool

    var testDescription: String { "\(fileClass)" }

    static let whileLocked = [
        Row(fileClass: .complete, isReadable: false),
        Row(fileClass: .completeUnlessOpen, isReadable: true),
        Row(fileClass: .completeUntilFirstUserAuthentication, isReadable: true),
        Row(fileClass: .none, isReadable: true),
    ]
}

/// This process has the file open, and `keychainctl` locks and unlocks the keychain of both.
@Suite struct `A file that is open while another process locks` {
    private static let passcode = "tundra velvet orbit\n"
    private let shop: Workshop
    private let source: FileKeySource

    init() throws {
        shop = try Workshop()
        try #require(shop.run("keychainctl", "passcode", "set", input: Self.passcode).status == 0)
        let variables = shop.environment
        let program = shop.products + "/keychainctl"
        let environment = ProcessEnvironment(executable: program) { variables[$0] }
        let endpoint = try EmbeddedKeychain.open(KeychainHome(environment), environment)
        source = FileKeySource { request throws(KeychainError) in try endpoint.send(request) }
    }

    /// Why six bytes are out of reach; nil if they are the ones that were written.
    private func refusal(_ file: FileContainer) -> FileFailure? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 1)
        defer { buffer.deallocate() }
        do throws(FileFailure) {
            let count = try file.read(into: buffer, at: 0)
            #expect(buffer[..<count].elementsEqual("before".utf8))
            return nil
        } catch { return error }
    }

    private func write(_ file: FileContainer) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: "before".utf8)
        try file.write(UnsafeRawBufferPointer(buffer), at: 0)
        try file.flush()
    }

    @Test(.requirement("FDP-02"), .requirement("FDP-04"), arguments: Row.whileLocked)
    private func `is in reach as its class says, and again after the unlock`(row: Row) throws {
        let path = shop.scratch.path + "/diary"
        let file = try FileContainer.create(path, row.fileClass, source)
        try write(file)
        #expect(refusal(file) == nil)

        #expect(try shop.run("keychainctl", "lock").status == 0)
        let refused = refusal(file)
        #expect((refused == nil) == row.isReadable)
        if case .keychain(let error) = refused { #expect(error.status == .interactionNotAllowed) }

        #expect(try shop.run("keychainctl", "unlock", input: Self.passcode).status == 0)
        #expect(refusal(file) == nil)
        try file.close()
    }
}
