import KeychainModel
import Secrets

extension Prompt.Kind: WireValue {
    private enum Number: UInt8, WireKind {
        case biometry = 1
        case companion = 2
        case passcode = 3
        case newApplicationPassword = 4
        case applicationPassword = 5

        static var meaning: String { "kind of prompt" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .biometry(let biometry):
            buffer.put(kind: Number.biometry)
            buffer.put(biometry)
        case .companion: buffer.put(kind: Number.companion)
        case .passcode: buffer.put(kind: Number.passcode)
        case .newApplicationPassword: buffer.put(kind: Number.newApplicationPassword)
        case .applicationPassword: buffer.put(kind: Number.applicationPassword)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Number.self) {
        case .biometry: self = .biometry(try reader.take())
        case .companion: self = .companion
        case .passcode: self = .passcode
        case .newApplicationPassword: self = .newApplicationPassword
        case .applicationPassword: self = .applicationPassword
        }
    }
}

extension Prompt: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(kind)
        buffer.put(optional: reason)
        buffer.put(offersFallback)
        buffer.put(optional: fallbackTitle)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            try reader.take(),
            reason: try reader.takeOptional(),
            offersFallback: try reader.take(),
            fallbackTitle: try reader.takeOptional()
        )
    }
}

extension Challenge: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(factor)
        buffer.put(prompt)
        buffer.put(lockCount)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            factor: try reader.take(),
            prompt: try reader.take(),
            lockCount: try reader.integer()
        )
    }
}

extension PromptAnswer: WireValue {
    private enum Kind: UInt8, WireKind {
        case presented = 1
        case typed = 2
        case approved = 3
        case fallback = 4
        case canceled = 5
        case interrupted = 6
        case nothing = 7
        case impossible = 8

        static var meaning: String { "answer to a prompt" }
    }

    func write(to buffer: inout WireBuffer) {
        switch self {
        case .presented(let bytes):
            buffer.put(kind: Kind.presented)
            buffer.put(bytes)
        case .typed(let secret):
            buffer.put(kind: Kind.typed)
            buffer.put(secret: secret)
        case .approved: buffer.put(kind: Kind.approved)
        case .fallback: buffer.put(kind: Kind.fallback)
        case .canceled: buffer.put(kind: Kind.canceled)
        case .interrupted: buffer.put(kind: Kind.interrupted)
        case .nothing: buffer.put(kind: Kind.nothing)
        case .impossible: buffer.put(kind: Kind.impossible)
        }
    }

    init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .presented: self = .presented(try reader.take())
        case .typed: self = .typed(try reader.secret())
        case .approved: self = .approved
        case .fallback: self = .fallback
        case .canceled: self = .canceled
        case .interrupted: self = .interrupted
        case .nothing: self = .nothing
        case .impossible: self = .impossible
        }
    }
}
