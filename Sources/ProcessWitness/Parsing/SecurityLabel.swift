import CallerEvidence

/// The label that AppArmor or SELinux gave a process.
///
/// - Source: apparmor(7), selinux(8); `snap.NAME.APP` in snapd's "Security policy and sandboxing".
enum SecurityLabel {
    /// Returns the sandbox for a label; nil for an unconfined process.
    static func confinement(_ bytes: [UInt8]) -> Confinement? {
        let text = bytes.prefix { $0 != 0 && $0 != UInt8(ascii: "\n") }
        guard let label = String(validating: text, as: UTF8.self), !label.isEmpty else {
            return nil
        }
        return isContext(label) ? context(label) : profile(label)
    }

    // MARK: SELinux

    /// Whether the label has the form `user:role:type:range`; the range may be missing.
    private static func isContext(_ label: String) -> Bool {
        let parts = label.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count >= 3 && !label.contains(" ")
            && parts.prefix(3).allSatisfy { !$0.isEmpty }
            && parts[2].hasSuffix("_t")
    }

    /// Returns the type as the label: user, role and range depend on the user who started the
    /// program.
    private static func context(_ label: String) -> Confinement? {
        let type = String(label.split(separator: ":")[2])
        return type.hasPrefix("unconfined") || logins.contains(type) ? nil : .label(type)
    }

    /// Types of everything that a user, the kernel or an unlabelled service runs.
    private static let logins: Set<String> = [
        "user_t", "staff_t", "sysadm_t", "guest_t", "xguest_t", "secadm_t", "auditadm_t", "init_t",
        "initrc_t", "kernel_t", "unlabeled_t", "user_systemd_t", "staff_systemd_t",
    ]

    // MARK: AppArmor

    /// Returns the confinement for `profile (mode)`; a profile in complain mode forbids nothing.
    private static func profile(_ label: String) -> Confinement? {
        guard label.hasSuffix(")"), let open = label.range(ofLast: " (") else { return nil }
        let mode = label[open.upperBound...].dropLast()
        guard mode == "enforce" || mode == "kill" else { return nil }
        let name = String(label[..<open.lowerBound])
        // Excludes profiles of a namespace, which an account can create, and several profiles at
        // once.
        guard !name.isEmpty, !name.hasPrefix(":"), !name.contains("//&"),
            name.utf8.count <= 255
        else { return nil }
        return snap(name).map(Confinement.snap) ?? .label(name)
    }

    /// Returns `NAME` from `snap.NAME.APP`.
    private static func snap(_ profile: String) -> String? {
        let parts = profile.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == "snap", !parts[1].isEmpty, !parts[2].isEmpty else {
            return nil
        }
        return String(parts[1])
    }
}

extension String {
    /// Returns the range of a text's last occurrence.
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
        }
        return nil
    }
}
