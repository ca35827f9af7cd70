import Foundation
import KeychainMigration
import KeychainServices
import TestSupport
import Testing

// The example of README.md, as it stands there.
@Suite struct `The example of the read-me about migration` {
    @Test func `moves a token out of a property list`() throws {
        let place = try Place()
        let phone = try Phone()
        let credentials = try place.writeList(["session": ["token": "t0ken"]], to: "c.plist")
        let journal = place.file("journal")
        try phone.app.run { () throws in
            let old = PropertyListSource(file: PlainFile(credentials))
            let mover = Mover(journal: FileJournal(file: journal))
            let token = ItemAddress.genericPassword(service: "api", account: "token")
            let moves = [Move("session.token", from: old, to: token)]
            #expect(mover.run(moves, isDryRun: true).outcomes == [.planned("move")])
            #expect(mover.run(moves).outcomes == [.moved])
            #expect(try ServicesKeychain().text(token) == "t0ken")
        }
        #expect(try old(credentials).isEmpty)
    }

    private func old(_ file: URL) throws -> [String] {
        try PropertyListSource(file: PlainFile(file)).keys()
    }
}
