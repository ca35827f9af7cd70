import Testing

@testable import KeychainPrompts

@Suite struct `A dialog with a pinentry` {
    private func run(_ replies: [AssuanReply]) -> [PinentryDialog.Step] {
        var dialog = PinentryDialog(settings: ["OPTION a=b", "SETDESC why"])
        return replies.map { dialog.handle($0) }
    }

    /// The greeting and what follows the two settings.
    private let settled: [AssuanReply] = [.done, .done, .done]

    @Test func `sends the settings, then asks, then has the answer`() {
        #expect(
            run(settled + [.data, .data, .done]) == [
                .send("OPTION a=b"), .send("SETDESC why"), .send("GETPIN"), .collect, .collect,
                .end(.entered),
            ]
        )
    }

    @Test func `goes on without a setting that the program does not know`() {
        #expect(
            run([.done, .failed(83_886_254), .done]) == [
                .send("OPTION a=b"), .send("SETDESC why"), .send("GETPIN"),
            ]
        )
    }

    @Test(
        arguments: [
            (83_886_179, .canceled), (83_886_278, .canceled), (83_886_194, .canceled),
            (99, .canceled), (83_886_142, .timedOut), (83_918_950, .failed), (0, .failed),
            (.max, .failed),
        ] as [(UInt32, PinentryDialog.Outcome)]
    )
    func `ends with what the error says`(code: UInt32, outcome: PinentryDialog.Outcome) {
        #expect(run(settled + [.failed(code)]).last == .end(outcome))
    }

    @Test func `passes over remarks and refuses questions`() {
        #expect(
            run(settled + [.information, .inquiry]).suffix(2) == [.wait, .send("CAN")]
        )
    }

    @Test(arguments: [[], [.done], [.done, .done, .done]] as [[AssuanReply]])
    func `ends at what is no line of the protocol`(before: [AssuanReply]) {
        #expect(run(before + [.malformed]).last == .end(.failed))
    }

    @Test(arguments: [[], [.done], [.done, .done]] as [[AssuanReply]])
    func `takes no data before it asked`(before: [AssuanReply]) {
        #expect(run(before + [.data]).last == .end(.failed))
    }

    @Test func `ends with a program that only talks`() {
        let chatter = [AssuanReply](repeating: .information, count: 200)
        #expect(run(settled + chatter).contains(.end(.failed)))
    }

    @Test func `ends with a program that only sends parts of an answer`() {
        let parts = [AssuanReply](repeating: .data, count: 200)
        #expect(run(settled + parts).contains(.end(.failed)))
    }
}
