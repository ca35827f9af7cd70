import SecretServiceProtocol
import Secrets
import SystemBus

// Conversion of plain values to a message.
extension BusArguments {
    func write(_ values: [BusValue]) throws(BusError) {
        for value in values { try write(value) }
    }

    private func write(_ value: BusValue) throws(BusError) {
        switch value {
        case .text(let text): try self.text(text)
        case .path(let path): try self.path(path)
        case .flag(let flag): try self.flag(flag)
        case .time(let seconds): try largeNumber(seconds)
        case .bytes(let bytes): try write(bytes)
        case .texts(let texts):
            try inside("a", "s") { () throws(BusError) in for text in texts { try self.text(text) }
            }
        case .paths(let paths):
            try inside("a", "o") { () throws(BusError) in for path in paths { try self.path(path) }
            }
        case .attributes(let attributes):
            try inside("a", "{ss}") { () throws(BusError) in
                for (name, value) in attributes {
                    try inside("e", "ss") { () throws(BusError) in
                        try text(name)
                        try text(value)
                    }
                }
            }
        case .properties(let properties):
            try inside("a", "{sv}") { () throws(BusError) in
                for (name, value) in properties {
                    try inside("e", "sv") { () throws(BusError) in
                        try text(name)
                        try write(.variant(value))
                    }
                }
            }
        case .secret(let secret): try write(secret)
        case .secrets(let secrets):
            try inside("a", "{o(oayays)}") { () throws(BusError) in
                for (path, secret) in secrets {
                    try inside("e", "o(oayays)") { () throws(BusError) in
                        try self.path(path)
                        try write(secret)
                    }
                }
            }
        case .variant(let value):
            try inside("v", value.signature) { () throws(BusError) in try write(value) }
        case .other: throw BusError(name: nil)
        }
    }

    private func write(_ secret: EncodedSecret) throws(BusError) {
        try inside("r", "oayays") { () throws(BusError) in
            try path(secret.session)
            try write(secret.parameters)
            try write(secret.value)
            try text(secret.contentType)
        }
    }

    private func write(_ bytes: SharedSecret) throws(BusError) {
        try bytes.secret.withUnsafeBytes { bytes throws(BusError) in try self.bytes(bytes) }
    }
}
