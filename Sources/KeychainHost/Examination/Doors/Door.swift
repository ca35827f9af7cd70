/// A protocol through which unmodified programs request secrets.
package enum Door: String, Sendable, CaseIterable {
    case secretService = "Secret Service"
    case sshAgent = "ssh-agent"
    case pkcs11 = "PKCS#11"

    /// The name of our file that serves it.
    package var fileName: String {
        switch self {
        case .secretService: "keychain-secret-service"
        case .sshAgent: "keychain-ssh-agent"
        case .pkcs11: "libkeychain-pkcs11.so"
        }
    }

    /// Whether a path leads to our file.
    package func isServed(by path: String) -> Bool {
        path == fileName || path.hasSuffix("/" + fileName)
    }
}

/// The state of a door: which program answers there.
package struct DoorState: Sendable, Hashable {
    package enum Answer: String, Sendable, Hashable {
        /// A running program.
        case running
        /// A program or library that is loaded on demand.
        case onDemand
        case nobody
    }

    package let door: Door
    package let answer: Answer
    /// The program or library; nil if there is none, or if the kernel does not reveal it.
    package let program: String?
    /// The running process.
    package let process: Int32?
    /// The address that programs use: a name on the bus, a socket, a file.
    package let place: String?
    /// A fault or a remark, as a sentence without its full stop.
    package let remark: String?
    /// The advice about it.
    package let advice: String?
    /// Whether requests fail here, or reach a program that was not chosen.
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

    /// The state in one line for people.
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

    /// The state as a line of `doctor`; nil for a door that was not set up.
    package var observation: Observation? {
        guard isOurs || isFault else { return nil }
        return Observation(isFault ? .notice : .fine, door.rawValue, words, advice: advice)
    }
}
