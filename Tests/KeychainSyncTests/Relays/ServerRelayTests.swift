import Foundation
import Glibc
import KeychainSockets
import KeychainSync
import Testing

@testable import EtcdRelay
@testable import PostgreSQLRelay
@testable import SyncRelay

/// What happens with databases that are not as they should be.
extension RelayTests {
    @Suite(
        "in PostgreSQL",
        .enabled(if: RelayKind.present.contains(.postgreSQL), "PostgreSQL is not installed")
    )
    struct InPostgreSQL {
        let stage: RelayStage
        let session: PostgreSQLConnection

        init() throws {
            stage = try RelayStage(.postgreSQL)
            session = try PostgreSQLConnection(PostgreSQLServer.shared.get().connection, nil)
        }

        /// A connection that sees another schema than the other tests.
        private func elsewhere(_ schema: String) throws -> String {
            let connection = try PostgreSQLServer.shared.get().connection
            return connection + " options='-c search_path=\(schema)'"
        }

        @Test func `asks to be prepared`() throws {
            let relay = try PostgreSQLRelay(elsewhere("nowhere"), stage.account)
            let failure = relay.failure { relay throws(RelayError) in _ = try relay.streams() }
            #expect(failure?.words.contains("is not prepared") == true)
        }

        @Test func `is not used by a version that does not know its tables`() throws {
            _ = try session.run("CREATE SCHEMA later")
            let relay = try PostgreSQLRelay(elsewhere("later"), stage.account)
            try relay.prepare()
            #expect(try relay.streams() == [:])
            for (version, words) in [(3, "another version"), (1, "a circle of version 1")] {
                let change = "UPDATE later.keychain_sync_schema SET version = \(version)"
                _ = try session.run(change)
                let new = try PostgreSQLRelay(elsewhere("later"), stage.account)
                let failures = [
                    new.failure { relay throws(RelayError) in _ = try relay.streams() },
                    new.failure { relay throws(RelayError) in _ = try relay.links() },
                    new.failure { relay throws(RelayError) in try relay.prepare() },
                ]
                #expect(failures.allSatisfy { $0?.words.contains(words) == true }, "\(failures)")
            }
        }

        @Test func `takes a role that has no more rights than its page names`() throws {
            let tables = ["schema", "streams", "entries", "links"].map {
                "granted.keychain_sync_\($0)"
            }
            _ = try session.run("CREATE SCHEMA granted")
            _ = try session.run("CREATE ROLE granted LOGIN")
            _ = try session.run("GRANT USAGE ON SCHEMA granted TO granted")
            let poor = try elsewhere("granted") + " user=granted"
            let early = try PostgreSQLRelay(poor, stage.account)
            let failure = early.failure { relay throws(RelayError) in try relay.prepare() }
            #expect(failure?.words.contains("permission denied") == true)
            try PostgreSQLRelay(elsewhere("granted"), stage.account).prepare()
            let rights = [
                "SELECT", "SELECT, INSERT, UPDATE, DELETE", "SELECT, INSERT, DELETE",
                "SELECT, INSERT",
            ]
            _ = try zip(tables, rights).map {
                try session.run("GRANT \($1) ON \($0) TO granted")
            }
            let relay = try PostgreSQLRelay(poor, stage.account)
            try relay.prepare()
            try relay.append(contentsOf: entries(0..<4), to: stage.stream, at: 0)
            try relay.trim(stage.stream, below: 2)
            #expect(try relay.streams() == [stage.stream: 2..<4])
            #expect(try relay.all(stage.stream) == entries(2..<4))
            let link = try TestLink(3, boxes: [1])
            try link.put(to: relay)
            try link.put(to: relay)
            #expect(try relay.allLinks() == [link].byPlace)
            try relay.remove(stage.stream)
            #expect(try relay.streams() == [:])
        }

        /// Parts and places that do not fit the bytes, which the database itself refuses.
        @Test(arguments: [(1, 7), (2, 7), (3, 0)])
        func `has nothing in the place of other bytes`(part: Int64, twin: UInt8) throws {
            let (link, other) = (try TestLink(1), try TestLink(1, twin: twin))
            var row = Parameters()
            row.add(stage.account.bytes)
            row.add(part)
            row.add(link.place.digest.bytes)
            row.add(other.bytes)
            let failure = #expect(throws: RelayError.self) {
                try session.run(
                    "INSERT INTO keychain_sync_links VALUES ($1, $2, 1, $3, $4)",
                    row
                )
            }
            #expect(failure?.words.contains("violates check constraint") == true)
            try link.put(to: stage.relay())
            #expect(try stage.relay().allLinks() == [link].byPlace)
        }

        @Test func `shows no entry behind one that was deleted`() throws {
            let relay = try stage.relay()
            try relay.append(contentsOf: entries(0..<4), to: stage.stream, at: 0)
            var place = Parameters()
            place.add(stage.account.bytes)
            _ = try session.run(
                "DELETE FROM keychain_sync_entries WHERE account = $1 AND number = 2",
                place
            )
            #expect(try relay.all(stage.stream) == entries(0..<2))
            let stream = stage.stream
            let failure = relay.failure { relay throws(RelayError) in
                try relay.append(entry(2), to: stream, at: 2)
            }
            #expect(failure == .gap(stream, 2))
        }

        @Test func `is given up where it takes nothing, and says nothing`() throws {
            _ = try session.run("CREATE SCHEMA silent")
            let relay = try PostgreSQLRelay(elsewhere("silent"), stage.account)
            try relay.prepare()
            try relay.append([1], to: stage.stream, at: 0)
            _ = try session.run(
                """
                CREATE FUNCTION silent.refuse() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN RETURN NULL; END'
                """
            )
            _ = try session.run(
                """
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON silent.keychain_sync_streams
                FOR EACH ROW EXECUTE FUNCTION silent.refuse()
                """
            )
            let stream = stage.stream
            let failure = relay.failure { relay throws(RelayError) in
                try relay.append([2], to: stream, at: 1)
            }
            #expect(failure?.words.contains("takes no entry") == true)
        }

        @Test func `is not asked again on a connection whose answer has no end`() throws {
            let session = try PostgreSQLConnection(
                PostgreSQLServer.shared.get().connection,
                nil
            )
            let failure = #expect(throws: RelayError.self) {
                try session.run("COPY (SELECT 1) TO STDOUT")
            }
            #expect(failure == .damaged("the database answers with a copy"))
            #expect(!session.isUsable)
        }

        @Test func `says who is not there`() throws {
            let relay = try PostgreSQLRelay("host=/nowhere user=sync", stage.account)
            let failure = relay.failure { relay throws(RelayError) in _ = try relay.streams() }
            #expect(failure?.words.contains("cannot be reached") == true)
            let stranger = try PostgreSQLServer.shared.get().connection + " user=stranger"
            let refused = try PostgreSQLRelay(stranger, stage.account)
            let words = refused.failure { relay throws(RelayError) in try relay.prepare() }?.words
            #expect(words?.contains("stranger") == true)
        }
    }

    @Suite("in etcd", .enabled(if: RelayKind.present.contains(.etcd), "etcd is not installed"))
    struct InEtcd {
        let stage: RelayStage

        init() throws { stage = try RelayStage(.etcd) }

        private func put(_ key: String, _ value: [UInt8]) throws {
            let client = EtcdClient(EtcdPlace([try EtcdServer.shared.get().endpoint]))
            let (key, value) = (Data(key.utf8), Data(value))
            let pair = [key, value].map { "\"\($0.base64EncodedString())\"" }
            _ = try client.send("{\"key\":\(pair[0]),\"value\":\(pair[1])}", to: "kv/put")
        }

        @Test func `tells a record that no peer wrote`() throws {
            let start = "keychain-sync/2/\(stage.account.hexadecimal)/"
            try put(start + "streams/" + stage.stream.hexadecimal, Array("4 2".utf8))
            let relay = try stage.relay()
            let failure = relay.failure { relay throws(RelayError) in _ = try relay.streams() }
            #expect(failure == .damaged("the record of stream \(stage.stream.hexadecimal)"))
        }

        @Test func `is stopped by no garbage among the links`() throws {
            let requests = EtcdRequests(stage.account)
            let links = try (0..<3 as Range<UInt64>).map { try TestLink($0, boxes: [1]) }
            let folder = String(requests.key(.link, links[0].place).dropLast(85))
            try put(requests.key(.link, links[0].place), links[1].bytes)
            try put(requests.key(.link, links[1].place), [])
            let zeros = [UInt8](repeating: 0, count: 1 << 20)
            try put(requests.key(.boxes, links[1].boxesPlace), zeros)
            for name in ["", "a", "00000000000000000001", "zzzz"] { try put(folder + name, [1]) }
            let relay = try stage.relay()
            #expect(try relay.links() == links.dropLast().map(\.place))
            #expect(try relay.allLinks().isEmpty)
            #expect(try relay.boxes(at: links[1].boxesPlace) == nil)
            for link in links { try link.put(to: relay) }
            #expect(try stage.relay().allLinks() == links.byPlace)
            #expect(try relay.boxes(at: links[1].boxesPlace) == [1])
        }

        @Test func `tells entries that its record does not know`() throws {
            let requests = EtcdRequests(stage.account)
            try put(requests.entry(stage.stream, 0), [1])
            let relay = try stage.relay()
            let stream = stage.stream
            let failure = relay.failure { relay throws(RelayError) in
                try relay.append([2], to: stream, at: 0)
            }
            #expect(failure?.words.contains("do not fit") == true)
        }

        @Test func `takes who has the password`() throws {
            let server = try EtcdServer()
            let open = EtcdClient(EtcdPlace([server.endpoint]))
            let user = #"{"name":"root","password":"a \"quoted\" word:1"}"#
            _ = try open.send(user, to: "auth/user/add")
            _ = try open.send(#"{"name":"root"}"#, to: "auth/role/add")
            _ = try open.send(#"{"user":"root","role":"root"}"#, to: "auth/user/grant")
            _ = try open.send("{}", to: "auth/enable")
            let file = FileManager.default.temporaryDirectory.path + "/etcd-\(getpid())"
            defer { unlink(file) }
            var place = EtcdPlace([server.endpoint])
            let stranger = try EtcdRelay(place, stage.account)
            let failure = stranger.failure { relay throws(RelayError) in try relay.prepare() }
            #expect(failure?.words.contains("refuses") == true)
            place.credentialsFile = file
            try write("root:wrong\n", to: file)
            let wrong = try EtcdRelay(place, stage.account)
            let refusal = wrong.failure { relay throws(RelayError) in try relay.prepare() }
            #expect(refusal?.words.contains("authentication failed") == true)
            try write("root:a \"quoted\" word:1\n", to: file)
            let relay = try EtcdRelay(place, stage.account)
            try relay.append([1], to: stage.stream, at: 0)
            #expect(try relay.all(stage.stream) == [[1]])
            server.stop()
        }

        @Test func `takes who has a certificate, at a server that has one`() throws {
            let certificates = try TestCertificates()
            let server = try EtcdServer(certificates)
            var place = EtcdPlace([server.endpoint])
            let strange = try EtcdRelay(place, stage.account)
            let failure = strange.failure { relay throws(RelayError) in try relay.prepare() }
            #expect(failure?.words.contains("refuses") == true)
            place.authoritiesFile = certificates.authority
            let nobody = try EtcdRelay(place, stage.account)
            #expect(nobody.failure { relay throws(RelayError) in try relay.prepare() } != nil)
            place.certificateFile = "/nowhere/client.pem"
            let lost = try EtcdRelay(place, stage.account)
            let words = lost.failure { relay throws(RelayError) in try relay.prepare() }?.words
            #expect(words?.contains("/nowhere/client.pem") == true)
            place.certificateFile = certificates.certificate
            place.keyFile = certificates.key
            let relay = try EtcdRelay(place, stage.account)
            try relay.append([1], to: stage.stream, at: 0)
            #expect(try relay.all(stage.stream) == [[1]])
            server.stop()
        }

        private func write(_ text: String, to path: String) throws {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            try #require(chmod(path, 0o600) == 0)
        }
    }
}
