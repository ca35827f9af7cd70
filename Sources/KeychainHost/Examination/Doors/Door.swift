/// A protocol by which programs that know nothing of the keychain ask it for secrets.
package enum Door: String, Sendable, CaseIterable {
    case secretService = "Secret Service"
    case sshAgent = "ssh-agent"
    case pkcs11 = "PKCS#11"

    /// Our file that serves it.
    package var fileName: String {
        switch self {
        case .secretService: "keychain-secret-service"
        case .sshAgent: "keychain-ssh-agent"
        case .pkcs11: "libkeychain-pkcs11.so"
        }
    }

    /// Whether a program's path is that of our file.
    package func isServed(by path: String) -> Bool {
        path == fileName || path.hasSuffix("/" + fileName)
    }
}

/// Who answers at a door.
package struct DoorState: Sendable, Hashable {
    package enum Answer: String, Sendable, Hashable {
        /// A program that runs.
        case running
        /// A program or a library that is loaded when somebody asks.
        case onDemand
        case nobody
    }

    package let door: Door
    package let answer: Answer
    /// The program or library; nil where nobody answers, or where the kernel does not tell.
    package let program: String?
    /// The process that runs.
    package let process: Int32?
    /// Where programs ask: a name on the bus, a socket, a file.
    package let place: String?
    /// What is out of order or worth knowing, as a sentence without its full stop.
    package let remark: String?
    /// What to do about it.
    package let advice: String?
    /// Whether programs that ask here fail, or ask somebody whom nobody chose.
    package let isFault: Bool

    package init(
        _ door: Door,
        _ answer: Answer,
        program: String? = nil,
        process: Int32? = nil,
        place: String? = nil,
        remark: String? = nil,
        advice: String? = nil,
        isFault: Bool = false
    ) {
        self.isFault = isFault
        self.door = door
        self.answer = answer
        self.program = program
        self.process = process
        self.place = place
        self.remark = remark
        self.advice = advice
    }

    /// Whether the keychain answers.
    package var isOurs: Bool { program.map(door.isServed) ?? false }

    /// One line for people.
    package var words: String {
        let who =
            switch answer {
            case .running:
                "\(program ?? "a program that cannot be seen")"
                    + (process.map { " (process \($0))" } ?? "")
            case .onDemand: "\(program ?? "something") answers when a program asks"
            case .nobody: "nobody answers"
            }
        return who + (remark.map { "; \($0)" } ?? "")
    }

    /// The same as a line of `doctor`; nil for a door that nobody set up.
    package var observation: Observation? {
        guard isOurs || isFault else { return nil }
        return Observation(isFault ? .notice : .fine, door.rawValue, words, advice: advice)
    }
}
