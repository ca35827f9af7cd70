import Cryptography
import Foundation
import Glibc
import KeychainSync
import Testing

@testable import EtcdRelay
@testable import RelayLibraries
@testable import SyncRelay

/// Parts of relays that need no server.
@Suite("Of a relay") struct RelayPartTests {
    @Test func `a library that is missing is named with its package`() {
        let failure: RelayError?
        do throws(RelayError) {
            _ = try LoadedLibrary(["libnothing.so.7"], package: "libnothing7")
            failure = nil
        } catch {
            failure = error
        }
        #expect(failure?.words.contains("libnothing.so.7 cannot be loaded") == true)
        #expect(failure?.words.hasSuffix("apt-get install libnothing7") == true)
    }

    @Test(arguments: [0o640, 0o604, 0o622, 0o677] as [mode_t])
    func `a file with a password is for nobody else`(mode: mode_t) throws {
        let path = FileManager.default.temporaryDirectory.path + "/private-\(getpid())-\(mode)"
        defer { unlink(path) }
        try "secret\n".write(toFile: path, atomically: false, encoding: .utf8)
        try #require(chmod(path, 0o600) == 0)
        #expect(try PrivateFile.text(path) == "secret")
        try #require(chmod(path, mode) == 0)
        #expect(throws: RelayError.self) { try PrivateFile.text(path) }
    }

    struct Address: CustomTestStringConvertible {
        let testDescription: String
        let password: Bool
        let isTaken: Bool

        init(_ text: String, password: Bool = false, isTaken: Bool) {
            testDescription = text
            self.password = password
            self.isTaken = isTaken
        }
    }

    @Test(arguments: [
        Address("https://etcd.example:2379", password: true, isTaken: true),
        Address("http://etcd.example:2379", isTaken: true),
        Address("http://etcd.example:2379", password: true, isTaken: false),
        Address("http://127.0.0.1:2379", password: true, isTaken: true),
        Address("http://localhost", password: true, isTaken: true),
        Address("http://localhost.example:2379", password: true, isTaken: false),
        Address("http://user:word@etcd.example", isTaken: false),
        Address("file:///etc/passwd", isTaken: false),
        Address("etcd.example:2379", isTaken: false),
        Address("https://etcd.example/\r\nHost: other", isTaken: false),
    ])
    func `an address is one, and no password goes in clear text`(row: Address) {
        var place = EtcdPlace([row.testDescription])
        place.credentialsFile = row.password ? "/nowhere" : nil
        let isTaken = (try? place.check()) != nil
        #expect(isTaken == row.isTaken)
    }

    @Test(arguments: [
        "", "1", "1 ", "1 1", "2 1", "-1 2", "1  2", "01 2", "1 2 3", "1 99999999999999999999",
        "a b", "1 +2", "0 18446744073709551615", "0 9223372036854775808",
    ])
    func `a record that no peer writes is none`(text: String) {
        #expect(EtcdRequests.range(Array(text.utf8)) == nil)
        #expect(EtcdRequests.range(Array("0 9223372036854775807".utf8)) == 0..<RelayLimit.number)
    }

    struct Answer: CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let words: String

        init(_ body: String, _ status: Int = 200, _ words: String) {
            testDescription = body
            self.status = status
            self.words = words
        }
    }

    @Test(arguments: [
        Answer("<html>Bad gateway</html>", 502, "cannot be reached"),
        Answer("<html>Not found</html>", 404, "refuses: status 404: <html>Not found</html>"),
        Answer("CommonName is ignored\nand so on", 400, "status 400: CommonName is ignored"),
        Answer("", 400, "status 400: no reason is given"),
        Answer("", 200, "no device writes"),
        Answer("[]", 200, "nothing is wrong"),
        Answer(#"{"error":"etcdserver: permission denied","code":7}"#, 403, "refuses"),
        Answer(#"{"error":"etcdserver: no leader","code":14}"#, 503, "cannot be reached"),
        Answer(#"{"error":{"grpc_code":14,"message":"no leader"}}"#, 200, "no leader"),
        Answer(#"{"kvs":[{"key":"YQ==","value":"YQ="}]}"#, 200, "no base64"),
        Answer(#"{"kvs":[{"key":"YQ==","value":"Y=Q="}]}"#, 200, "no base64"),
        Answer(#"{"kvs":[{"key":7}]}"#, 200, "no base64"),
        Answer(#"{"kvs":[{}]}"#, 200, "nothing is wrong"),
    ])
    func `an answer of etcd is read for what it is`(row: Answer) {
        var words = "nothing is wrong"
        do throws(RelayError) {
            _ = try EtcdAnswer(Array(row.testDescription.utf8), status: row.status)
        } catch {
            words = error.words
        }
        #expect(words.contains(row.words))
    }

    @Test func `an answer of etcd gives up what it has`() throws {
        let text = #"""
            {"header":{"revision":"9"},"succeeded":true,"responses":[{"response_range":
            {"kvs":[{"key":"YQ==","value":"AAEC","mod_revision":"8"}]}}]}
            """#
        let answer = try EtcdAnswer(Array(text.utf8), status: 200)
        #expect(answer.revision == 9 && answer.isSuccess)
        #expect(answer.pairs.map(\.key) == [[0x61]])
        #expect(answer.pairs.map(\.value) == [[0, 1, 2]])
        #expect(answer.pairs.map(\.revision) == [8])
    }

    @Test func `an answer of etcd has what all ranges of a transaction have`() throws {
        let text = #"""
            {"responses":[{"response_range":{"kvs":[{"key":"YQ==","value":"AA=="}]}},
            {"response_range":{}},{"response_put":{}},
            {"response_range":{"kvs":[{"key":"Yg==","value":"AQ=="}]}}]}
            """#
        let answer = try EtcdAnswer(Array(text.utf8), status: 200)
        #expect(answer.pairs.map(\.value) == [[0], [1]])
    }

    @Test func `a key of etcd that no device writes is no link`() throws {
        let account = AccountName(unchecked: [UInt8](repeating: 9, count: 16))
        let requests = EtcdRequests(account)
        let place = try TestLink(7).place
        let key = requests.key(.link, place)
        #expect(requests.place(ofLink: Array(key.utf8)) == place)
        let others = [
            requests.key(.boxes, place), key + "0", String(key.dropLast()), key + "\n",
            key.replacing("-", with: "_"), key.uppercased(), "x" + key,
            key.replacing("/0", with: "/+"), key.replacing("/0", with: "/9"),
        ]
        #expect(others.compactMap { requests.place(ofLink: Array($0.utf8)) } == [])
    }

    @Test(arguments: ["9223372036854775807", "-1", "99999999999999999999", "", "1.5"])
    func `a revision after which there is none is none`(text: String) throws {
        let body = #"{"header":{"revision":"\#(text)"}}"#
        #expect(try EtcdAnswer(Array(body.utf8), status: 200).revision == 0)
    }

    /// The vectors of RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `bytes become digits and bytes again`(text: String, digits: String) {
        #expect(Base64Text.encode(Array(text.utf8)) == digits)
        let decoded = Array(digits.utf8).withUnsafeBytes { Base64Text.decode($0) }
        #expect(decoded == Array(text.utf8))
    }

    @Test(arguments: [
        "=", "====", "Zg=", "Zg", "Z===", "Zg==Zg==", "Zm9 ", " Zm9", "Zm9v\n", "Zm-v",
    ])
    func `other letters are no digits`(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { Base64Text.decode($0) } == nil)
    }
}
