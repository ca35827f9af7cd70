import Glibc
import Secrets

/// Environment variables that this process sets for a library, and that no child program inherits.
package enum UninheritedVariables {
    /// What each variable was before; nil for unset.
    private static let earlier = AdaptiveMutex<[String: String?]>([:])

    /// Sets a variable for this process alone.
    ///
    /// To be called before the first thread, as `setenv` demands.
    package static func set(_ name: String, to value: String) {
        let before = getenv(name).map { String(cString: $0) }
        earlier.withLock { known in
            if known[name] == nil { known[name] = .some(before) }
        }
        setenv(name, value, 1)
    }

    /// Puts back what the variables were, for a program that takes this one's place.
    package static func restore() {
        let all = earlier.withLock { known in
            defer { known = [:] }
            return known
        }
        for (name, value) in all {
            if let value { setenv(name, value, 1) } else { unsetenv(name) }
        }
    }

    /// The variables of this process as children get them, each as `NAME=value`.
    package static func others() -> [String] {
        earlier.withLock { known in
            var settings: [String] = []
            var next = environ
            while let setting = next.pointee {
                let text = String(cString: setting)
                if known[String(text.prefix { $0 != "=" })] == nil { settings.append(text) }
                next += 1
            }
            return settings + known.compactMap { name, value in value.map { "\(name)=\($0)" } }
        }
    }
}
