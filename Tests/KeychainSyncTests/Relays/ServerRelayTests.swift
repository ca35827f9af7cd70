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
            _ = try session.run("UPDATE later.keychain_sync_schema SET version = 2")
            let new = try PostgreSQLRelay(elsewhere("later"), stage.account)
            let failure = new.failure { relay throws(RelayError) in _ = try relay.streams() }
            #expect(failure?.words.contains("another version") == true)
        }

        @Test func `takes a role that has no more rights than its page names`() throws {
            let tables = ["schema", "streams", "entries"].map { "granted.keychain_sync_\($0)" }
            _ = try session.run("CREATE SCHEMA granted")
            _ = try session.run("CREATE ROLE granted LOGIN")
            _ = try session.run("GRANT USAGE ON SCHEMA granted TO granted")
            let poor = try elsewhere("granted") + " user=granted"
            let early = try PostgreSQLRelay(poor, stage.account)
            let failure = early.failure { relay throws(RelayError) in try relay.prepare() }
            #expect(failure?.words.contains("permission denied") == true)
            try PostgreSQLRelay(elsewhere("granted"), stage.account).prepare()
            let rights = ["SELECT", "SELECT, INSERT, UPDATE", "SELECT, INSERT, DELETE"]
            _ = try zip(tables, rights).map {
                try session.run("GRANT \($1) ON \($0) TO granted")
            }
            let relay = try PostgreSQLRelay(poor, stage.account)
            try relay.prepare()
            try relay.append(contentsOf: entries(0..<4), to: stage.stream, at: 0)
            try relay.trim(stage.stream, below: 2)
            #expect(try relay.streams() == [stage.stream: 2..<4])
            #expect(try relay.all(stage.stream) == entries(2..<4))
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
            let start = "keychain-sync/1/\(stage.account.hexadecimal)/"
            try put(start + "streams/" + stage.stream.hexadecimal, Array("4 2".utf8))
            let relay = try stage.relay()
            let failure = relay.failure { relay throws(RelayError) in _ = try relay.streams() }
            #expect(failure == .damaged("the record of stream \(stage.stream.hexadecimal)"))
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
