import LoginEvents
import TestSupport
import Testing

private func session(
    _ id: String,
    _ user: UInt32 = 1000,
    kind: String = "user",
    state: String = "active",
    isScreenLocked: Bool = false
) -> LoginSession {
    LoginSession(
        id: id,
        path: "/session/\(id)",
        userID: user,
        kind: kind,
        state: state,
        isScreenLocked: isScreenLocked
    )
}

private struct Row: CustomTestStringConvertible {
    let testDescription: String
    var account: UInt32?
    let before: [LoginSession]
    let news: LoginNews
    let effects: [LoginEffect]

    init(
        _ name: String,
        account: UInt32? = nil,
        _ before: [LoginSession],
        _ news: LoginNews,
        _ effects: [LoginEffect]
    ) {
        testDescription = name
        self.account = account
        self.before = before
        self.news = news
        self.effects = effects
    }
}

private let rows: [Row] = [
    Row("a session is locked", [session("1")], .lock(session: "/session/1"), [.lock(1000)]),
    Row("an unknown session is locked", [session("1")], .lock(session: "/session/2"), []),
    Row(
        "another account's session is locked",
        account: 1000,
        [session("1"), session("2", 1001)],
        .lock(session: "/session/2"),
        []
    ),
    Row("somebody's session is locked", [session("1")], .lockOfSomebody, [.lockAll]),
    Row("somebody's session is locked", account: 1000, [], .lockOfSomebody, [.lock(1000)]),
    Row("the machine goes to sleep", [], .sleep(isAhead: true), [.lockBeforeSleep, .endDelay]),
    Row("the machine wakes", [], .sleep(isAhead: false), [.delaySleep, .awake]),
    Row("the last session ends", [session("1")], .sessions([]), [.loggedOut(1000)]),
    Row("one of two sessions ends", [session("1"), session("2")], .sessions([session("2")]), []),
    Row(
        "the last session begins to end",
        [session("1")],
        .sessions([session("1", state: "closing")]),
        [.loggedOut(1000)]
    ),
    Row(
        "only a session of nobody is left",
        [session("1"), session("2", kind: "manager")],
        .sessions([session("2", kind: "manager")]),
        [.loggedOut(1000)]
    ),
    Row("a greeter ends", [session("c1", 110, kind: "greeter")], .sessions([]), []),
    Row(
        "a screen is locked",
        [session("1")],
        .sessions([session("1", isScreenLocked: true)]),
        [.screen(1000, isLocked: true), .lock(1000)]
    ),
    Row(
        "a second screen is locked",
        [session("1", isScreenLocked: true), session("2")],
        .sessions([session("1", isScreenLocked: true), session("2", isScreenLocked: true)]),
        []
    ),
    Row(
        "a screen is unlocked",
        [session("1", isScreenLocked: true)],
        .sessions([session("1")]),
        [.screen(1000, isLocked: false)]
    ),
    Row(
        "the session of a locked screen ends",
        [session("1", isScreenLocked: true)],
        .sessions([]),
        [.screen(1000, isLocked: false), .loggedOut(1000)]
    ),
    Row(
        "two accounts change at once",
        [session("1"), session("2", 1001)],
        .sessions([session("2", 1001, isScreenLocked: true)]),
        [.loggedOut(1000), .screen(1001, isLocked: true), .lock(1001)]
    ),
    Row(
        "a connection begins anew, and somebody has logged out meanwhile",
        [session("1")],
        .connected([]),
        [.delaySleep, .loggedOut(1000)]
    ),
]

@Suite struct `What follows from logind` {
    @Test(.requirement("DMN-10"), arguments: rows)
    fileprivate func `is decided by the sessions`(_ row: Row) {
        var state = LoginState(account: row.account)
        _ = state.handle(.connected(row.before))
        #expect(state.handle(row.news) == row.effects)
    }

    @Test func `a screen that is locked at the start locks`() {
        var state = LoginState()
        let effects = state.handle(.connected([session("1", isScreenLocked: true)]))
        #expect(effects == [.delaySleep, .screen(1000, isLocked: true), .lock(1000)])
    }
}
