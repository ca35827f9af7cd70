import CallerEvidence
import Foundation
import ProcessWitness
import TestSupport
import Testing

@Suite(.enabled(if: Root.isHere, Root.reason), .requirement("DMN-06"))
struct `The reader of policies` {
    private let stage: Stage
    private let folder: String

    init() throws {
        stage = try Stage.shared.get()
        folder = try stage.folder()
    }

    private func write(_ name: String, _ text: String = #"{"program": "/bin/none"}"#) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    private var reading: PolicyReader.Reading { PolicyReader(account: nil).read([folder]) }

    @Test func `takes files by name, and the later of two for one program`() throws {
        try write("b.json", #"{"program": "/bin/none", "accessGroups": ["b"]}"#)
        try write("a.json", #"{"program": "/bin/none", "accessGroups": ["a"]}"#)
        try write("c.json.off", #"{"program": "/bin/none", "accessGroups": ["c"]}"#)
        #expect(reading.policies.policies.map(\.accessGroups) == [["b"]])
        #expect(reading.problems.isEmpty)
    }

    @Test(arguments: [
        "chmod 666 bad.json", "chmod 664 bad.json", "chown 60000000 bad.json",
        "mv bad.json bad.x && ln -s bad.x bad.json", "rm bad.json && mkdir bad.json",
        "rm bad.json && mkfifo bad.json", "echo '{' > bad.json", "truncate -s 2M bad.json",
    ])
    func `refuses a bad file by name, and takes the others`(change: String) throws {
        try write("bad.json", #"{"program": "/bin/bad"}"#)
        try write("good.json")
        try prepare("cd \(folder) && \(change)")
        #expect(reading.policies.policies.map(\.selector) == [.program("/bin/none")])
        #expect(reading.problems.count == 1)
        #expect(reading.problems.first?.contains("\(folder)/bad.json") == true)
    }

    @Test(arguments: ["chmod 777", "chmod 775", "chown 60000000"])
    func `refuses a directory that others can write`(change: String) throws {
        try write("good.json")
        try prepare("\(change) \(folder)")
        #expect(reading.policies.policies.isEmpty)
        #expect(reading.problems.first?.contains(folder) == true)
    }

    @Test func `refuses a directory below one that others can write, unless that is sticky`() throws
    {
        try prepare("mkdir \(folder)/inner && chmod 777 \(folder)")
        try write("inner/good.json")
        let reader = PolicyReader(account: nil)
        #expect(reader.read(["\(folder)/inner"]).policies.policies.isEmpty)
        try prepare("chmod 1777 \(folder)")
        #expect(reader.read(["\(folder)/inner"]).policies.policies.count == 1)
    }

    @Test func `takes an account's own files for that account's daemon`() throws {
        try write("own.json")
        try prepare("chown -R \(stage.first) \(folder)")
        #expect(reading.policies.policies.isEmpty)
        let own = PolicyReader(account: stage.first).read([folder])
        #expect(own.policies.policies.count == 1)
    }

    @Test func `finds nothing in a directory that is not there`() {
        let reading = PolicyReader(account: nil).read(["\(folder)/missing"])
        #expect(reading == PolicyReader.Reading())
    }

    @Test func `warns of a link, which no program is executed by`() throws {
        try prepare("ln -s \(stage.directory)/waiter \(folder)/link")
        try write("link.json", #"{"program": "\#(folder)/link"}"#)
        #expect(reading.policies.policies.count == 1)
        #expect(reading.problems.first?.contains("\(stage.directory)/waiter") == true)
    }
}
