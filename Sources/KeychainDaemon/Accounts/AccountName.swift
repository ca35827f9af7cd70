import Glibc

/// The names of accounts, as the system's database has them.
package enum AccountName {
    /// Returns the number of the account with a name; nil for a name that no account has.
    ///
    /// - Source: getpwnam_r(3).
    package static func number(of name: String) -> UInt32? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var texts = [CChar](repeating: 0, count: 16 << 10)
        guard getpwnam_r(name, &entry, &texts, texts.count, &found) == 0 else { return nil }
        return found?.pointee.pw_uid
    }

    /// Returns the name of an account; nil for a number without one.
    ///
    /// - Source: getpwuid_r(3).
    package static func name(of account: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var texts = [CChar](repeating: 0, count: 16 << 10)
        return texts.withUnsafeMutableBufferPointer { texts in
            guard let start = texts.baseAddress,
                getpwuid_r(account, &entry, start, texts.count, &found) == 0,
                found != nil, let name = entry.pw_name
            else { return nil }
            return String(cString: name)
        }
    }
}
