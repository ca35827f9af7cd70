// Law: a presented face or finger is counted as a failure, and the count is durable, before it is
// compared. Only a match or the passcode resets the count.

import Cryptography
import KeychainModel
import Secrets

// Enrolling. The sensor identifies a face or finger by bytes of its own; the element stores
// digests.
extension Device {
    /// Enrolls a face or finger; this creates a new enrolment set.
    ///
    /// - Throws: `enrolmentUnchanged` if it is already enrolled or there is no room; the errors of
    ///   the element.
    package func enroll(_ sample: [UInt8]) throws(DeviceError) {
        try changeEnrolments { templates throws(DeviceError) in
            let template = try template(of: sample)
            guard !templates.contains(template) else {
                throw .enrolmentUnchanged(reason: "this face or finger is enrolled already")
            }
            guard templates.count < EnrolmentSet.templateLimit else {
                throw .enrolmentUnchanged(reason: "no more faces or fingers can be enrolled")
            }
            templates.append(template)
        }
    }

    /// Removes a face or finger; this creates a new enrolment set.
    ///
    /// - Throws: `enrolmentUnchanged` if it is not enrolled; the errors of the element.
    package func removeEnrolment(_ sample: [UInt8]) throws(DeviceError) {
        try changeEnrolments { templates throws(DeviceError) in
            let template = try template(of: sample)
            guard let index = templates.firstIndex(of: template) else {
                throw .enrolmentUnchanged(reason: "this face or finger is not enrolled")
            }
            templates.remove(at: index)
        }
    }

    /// Adopts the enrolments of a reader outside of the device; a different list becomes a new set.
    ///
    /// - Throws: The errors of the element.
    package func adoptEnrolments(_ samples: [[UInt8]]) throws(DeviceError) {
        var adopted: [[UInt8]] = []
        for sample in samples { adopted.append(try template(of: sample)) }
        let known = try element.enrolments()?.templates ?? []
        guard Set(adopted) != Set(known) else { return }
        try changeEnrolments { templates throws(DeviceError) in templates = adopted }
    }

    /// Whether there was no enrolment since the device was created.
    ///
    /// - Throws: The errors of the element.
    package func isEnrolmentUntouched() throws(DeviceError) -> Bool {
        try element.enrolments() == nil
    }

    private func changeEnrolments(
        _ change: (inout [[UInt8]]) throws(DeviceError) -> Void
    ) throws(DeviceError) {
        try storage.withExclusiveLock { () throws(DeviceError) in
            let before = try element.enrolments()
            var templates = before?.templates ?? []
            try change(&templates)
            let failures = before?.failures ?? 0
            let set = try EnrolmentSet(of: templates, random: random)
            try element.record(set.counting(failures: failures))
        }
    }

    private func template(of sample: [UInt8]) throws(DeviceError) -> [UInt8] {
        try element.tangle(Secret(copying: sample), salt: [], context: "biometric template")
            .copyBytesUnprotected()
    }
}

// Matching.
extension Device {
    /// Returns the reason why biometry cannot be used now; nil if it can.
    package func biometryObstacle() throws(DeviceError) -> BiometryObstacle? {
        guard isPasscodeSet else { return .noPasscode }
        guard let set = try element.enrolments(), !set.templates.isEmpty else {
            return .notEnrolled
        }
        if set.isLockedOut { return .lockedOut }
        return unlockToken == nil ? .noToken : nil
    }

    /// Returns 32 bytes that identify the enrolment set; nil without an enrolment.
    package func enrolmentState() throws(DeviceError) -> [UInt8]? {
        guard let set = try element.enrolments(), !set.templates.isEmpty else { return nil }
        return try element.tangle(salt: set.id, context: "enrolment state")
            .copyBytesUnprotected()
    }

    /// Returns 32 bytes that identify the paired device; nil without a passcode, which pairs it.
    package func companionState() throws(DeviceError) -> [UInt8]? {
        guard let publicKey = keybag.proofPublicKeys[.companion] else { return nil }
        return try element.tangle(salt: publicKey, context: "companion state")
            .copyBytesUnprotected()
    }

    /// Returns 32 bytes that identify both states together; nil if there is neither.
    package func domainState(
        of enrolment: [UInt8]?,
        _ companion: [UInt8]?
    ) throws(DeviceError) -> [UInt8]? {
        guard enrolment != nil || companion != nil else { return nil }
        let none = [UInt8](repeating: 0, count: EnrolmentSet.templateByteCount)
        return try element.tangle(
            salt: (enrolment ?? none) + (companion ?? none),
            context: "domain state"
        ).copyBytesUnprotected()
    }

    /// Compares a face or finger with the enrolled ones.
    ///
    /// - Returns: The keys that a match releases.
    /// - Throws: `noMatch`, which counts as a failure; `biometryUnavailable`; the errors of the
    ///   element.
    package mutating func prove(
        presenting sample: [UInt8],
        at now: DeviceInstant
    ) throws(DeviceError) -> Proof {
        try storage.withExclusiveLock { () throws(DeviceError) in
            if let obstacle = try biometryObstacle() {
                throw DeviceError.biometryUnavailable(obstacle)
            }
            guard let set = try element.enrolments() else {
                throw DeviceError.biometryUnavailable(.notEnrolled)
            }
            try element.record(set.counting(failures: set.failures + 1))
            guard set.contains(try template(of: sample)) else { throw DeviceError.noMatch }
            try element.record(set.counting(failures: 0))
            return try matchProof(set, at: now)
        }
    }

    /// Unlocks with a face or finger; does nothing without a passcode.
    ///
    /// - Throws: As `prove(presenting:at:)`; the lock state stays.
    package mutating func unlock(
        presenting sample: [UInt8],
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        apply(.timePassed, at: now)
        guard isPasscodeSet else { return takeAnnouncements() }
        _ = try prove(presenting: sample, at: now)
        if let unlockToken { try keybag.open(unlockToken) }
        lastMatch = now
        apply(.unlocked, at: now)
        try storage.withExclusiveLock { () throws(DeviceError) in shareSession(at: now) }
        return takeAnnouncements()
    }

    /// Returns the proof of the match that unlocked the device, if it is recent enough.
    ///
    /// - Throws: The errors of the element.
    package func reuseMatch(
        within duration: Duration,
        at now: DeviceInstant
    ) throws(DeviceError) -> Proof? {
        guard duration > .zero, state.lockState == .unlocked, let lastMatch,
            let elapsed = now.elapsed(since: lastMatch), elapsed <= duration,
            try biometryObstacle() == nil, let set = try element.enrolments()
        else { return nil }
        return try matchProof(set, at: now)
    }

    /// Returns the proof of a paired device nearby, once it has agreed; nil before the first
    /// unlock.
    ///
    /// - Throws: The errors of the element.
    package func proveCompanion(at now: DeviceInstant) throws(DeviceError) -> Proof? {
        guard let unlockToken,
            let key = try keybag.release(.companion, from: unlockToken)
        else { return nil }
        return Proof([.companion: key])
    }

    /// Tries a passcode only for a proof: it counts like an unlock, but the lock state stays.
    ///
    /// - Throws: `passcodeNotSet`, or as `unlock(passcode:at:)`.
    package mutating func prove(
        passcode: borrowing Secret,
        at now: DeviceInstant
    ) throws(DeviceError) -> Proof {
        var attempt = try beginProof(at: now)
        while true {
            switch try finishProof(with: try attempt.stretch(passcode), at: now) {
            case .proven(let proof): return proof
            case .again(let next): attempt = next
            }
        }
    }

    private func matchProof(
        _ set: EnrolmentSet,
        at now: DeviceInstant
    ) throws(DeviceError) -> Proof {
        guard let unlockToken,
            let key = try keybag.release(.biometry, from: unlockToken)
        else { throw .biometryUnavailable(.noToken) }
        return Proof([.biometry: key, .currentBiometry: set.privateKey])
    }
}
