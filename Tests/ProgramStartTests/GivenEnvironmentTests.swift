import Glibc
import TestSupport
import Testing

@testable import ProgramStart

@Suite struct `The environment that a process was given` {
    private func bounds(_ text: String) -> [UInt]? {
        GivenEnvironment.bounds(inStat: Array(text.utf8)[...]).map { [$0.start, $0.end] }
    }

    /// A line of `/proc/self/stat` with numbers for the fields behind the name.
    private func line(name: String, _ fields: [String]) -> String {
        "7 (\(name)) " + fields.joined(separator: " ") + "\n"
    }

    private let fields = (3...52).map { $0 == 3 ? "S" : String($0 * 1_000) }

    @Test(arguments: ["keychainctl", "a b", ") S 1 2 3", "((", "(x) S 1"])
    func `is where the kernel says, whatever the process is called`(name: String) {
        #expect(bounds(line(name: name, fields)) == [50_000, 51_000])
    }

    @Test func `is nowhere if the kernel does not tell`() {
        var hidden = fields
        hidden[47] = "0"
        hidden[48] = "0"
        #expect(bounds(line(name: "x", hidden)) == nil)
        #expect(bounds(line(name: "x", Array(fields.prefix(47)))) == nil)
        #expect(bounds("") == nil)
        #expect(bounds("7 no name S 1") == nil)
        hidden[47] = "2000"
        hidden[48] = "1000"
        #expect(bounds(line(name: "x", hidden)) == nil)
    }

    @Test func `has what the process has, if nothing was taken away`() {
        #expect(GivenEnvironment.settings == GivenEnvironment.remainder)
        #expect(GivenEnvironment.settings.contains { $0.hasPrefix("PATH=") })
    }

    @Test func `is not changed by a program that does not exist`() {
        let failure = #expect(throws: StartFailure.self) {
            try ProgramReplacement.become("/nonexistent/program", ["x"])
        }
        #expect(failure?.code == ENOENT)
        #expect(GivenEnvironment.settings.contains { $0.hasPrefix("PATH=") })
    }
}
