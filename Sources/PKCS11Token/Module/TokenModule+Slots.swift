import Cryptography
import KeychainMessages
import KeychainModel
import Secrets

/// The description of a token for a program.
package struct TokenDescription: Sendable, Hashable {
    /// The access group.
    package let label: String
    /// A serial number of 16 characters, which differs between tokens.
    package let serialNumber: String
    package let flags: UInt
    package let sessionCount: Int
    package let readWriteSessionCount: Int
}

/// The description of a session for a program.
package struct SessionDescription: Sendable, Hashable {
    package let slot: UInt
    package let state: SessionState
    package let flags: UInt
}

// Slots, tokens and sessions.
extension TokenModule {
    /// Returns the numbers of the slots.
    ///
    /// - Parameters:
    ///   - onlyPresent: Whether to omit slots with groups that the program may no longer use.
    ///   - isRefreshing: Whether to query the keychain for new groups. If it does not open, it has
    ///     no slots.
    /// - Returns: The numbers, in the order in which the groups were found.
    package func slots(onlyPresent: Bool, isRefreshing: Bool) -> [UInt] {
        isRefreshing ? refreshSlots() : findSlots()
        return state.withLock { state in
            state.slots.indices.filter { !onlyPresent || state.slots[$0].isPresent }
                .map { UInt($0) }
        }
    }

    /// Finds the slots before a program uses one; it may know a number without listing them.
    private func findSlots() {
        if state.withLock({ $0.slots.isEmpty }) { refreshSlots() }
    }

    private func refreshSlots() {
        let status: DeviceStatus
        do throws(ReturnCode) { status = try keychain.status() } catch { return }
        // A wildcard is not a group, and no program owns the group of tokens.
        let groups = status.accessGroups.filter {
            !$0.isEmpty && !$0.hasSuffix("*") && $0 != Entitlements.tokenGroup
        }
        state.withLock { state in
            for index in state.slots.indices {
                state.slots[index].isPresent = groups.contains(state.slots[index].group)
            }
            for group in groups where !state.slots.contains(where: { $0.group == group }) {
                guard state.slots.count < Self.slotLimit else { return }
                state.slots.append(TokenState.Slot(group: group))
            }
        }
    }

    /// Returns the access group of a slot.
    ///
    /// - Throws: `slotIDInvalid`.
    package func group(_ slot: UInt) throws(ReturnCode) -> String {
        findSlots()
        return try state.withLock { state throws(ReturnCode) in try state.slot(slot).group }
    }

    /// Returns the description of a token.
    ///
    /// - Throws: `slotIDInvalid`, `tokenNotPresent`, and the reason why the keychain does not
    ///   answer.
    package func token(_ slot: UInt) throws(ReturnCode) -> TokenDescription {
        findSlots()
        let (known, sessions) = try state.withLock { state throws(ReturnCode) in
            (try state.slot(slot), state.sessions.values.filter { $0.slot == slot })
        }
        guard known.isPresent else { throw .tokenNotPresent }
        let status = try keychain.status()
        var flags = Flags.randomNumbers | Flags.tokenInitialized
        if status.isPasscodeSet {
            flags |= Flags.userPinInitialized
            if known.login == .out || !status.isProtectedDataAvailable {
                flags |= Flags.loginRequired
            }
            if passcodes.isAvailable() { flags |= Flags.protectedAuthenticationPath }
            if status.failedAttempts > 0 { flags |= Flags.userPinCountLow }
            if status.delaySeconds > 0 { flags |= Flags.userPinLocked }
        }
        let digest = try fromCryptography(try Digest.sha256(Array(known.group.utf8)))
        return TokenDescription(
            label: known.group,
            serialNumber: Self.hexadecimal(digest.prefix(8)),
            flags: flags,
            sessionCount: sessions.count,
            readWriteSessionCount: sessions.count { $0.isReadWrite }
        )
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }
        .joined()
    }

    /// Opens a session.
    ///
    /// - Throws: `slotIDInvalid`, `tokenNotPresent`, `sessionCount`,
    ///   `sessionParallelNotSupported`.
    package func openSession(slot: UInt, flags: UInt) throws(ReturnCode) -> UInt {
        guard flags & Flags.serialSession != 0 else { throw .sessionParallelNotSupported }
        findSlots()
        return try state.withLock { state throws(ReturnCode) in
            guard try state.slot(slot).isPresent else { throw .tokenNotPresent }
            guard state.sessions.count < Self.sessionLimit else { throw .sessionCount }
            let handle = state.newHandle()
            let isReadWrite = flags & Flags.readWriteSession != 0
            state.sessions[handle] = TokenSession(slot: slot, isReadWrite: isReadWrite)
            return handle
        }
    }

    /// Closes a session.
    ///
    /// - Throws: `sessionHandleInvalid`.
    package func closeSession(_ session: UInt) throws(ReturnCode) {
        try state.withLock { state throws(ReturnCode) in try state.close(session) }
    }

    /// Closes the sessions of a slot.
    ///
    /// - Throws: `slotIDInvalid`.
    package func closeAllSessions(slot: UInt) throws(ReturnCode) {
        findSlots()
        try state.withLock { state throws(ReturnCode) in
            _ = try state.slot(slot)
            for (handle, session) in state.sessions where session.slot == slot {
                try state.close(handle)
            }
        }
    }

    /// Returns the description of a session.
    ///
    /// - Throws: `sessionHandleInvalid`, and the reason why the keychain does not answer.
    package func session(_ handle: UInt) throws(ReturnCode) -> SessionDescription {
        let (session, login) = try state.withLock { state throws(ReturnCode) in
            let session = try state.session(handle)
            return (session, try state.slot(session.slot).login)
        }
        let status = try keychain.status()
        let isUser = login != .out && status.isProtectedDataAvailable
        let told: SessionState =
            switch (session.isReadWrite, isUser) {
            case (false, false): .readOnlyPublic
            case (false, true): .readOnlyUser
            case (true, false): .readWritePublic
            case (true, true): .readWriteUser
            }
        let flags = Flags.serialSession | (session.isReadWrite ? Flags.readWriteSession : 0)
        return SessionDescription(slot: session.slot, state: told, flags: flags)
    }

    /// Checks that a session exists.
    ///
    /// - Throws: `sessionHandleInvalid`.
    package func check(_ session: UInt) throws(ReturnCode) {
        try state.withLock { state throws(ReturnCode) in _ = try state.session(session) }
    }
}

// Login.
extension TokenModule {
    /// The greatest size of a passcode, in bytes.
    package static let passcodeByteCountLimit = 4095

    /// Unlocks the keychain with its passcode.
    ///
    /// - Parameters:
    ///   - session: Any session of the token.
    ///   - userType: 1 for the user; 2 for the operation of a key that requires the passcode each
    ///     time. There are no other users.
    ///   - passcode: The passcode; nil to prompt the user.
    /// - Throws: `userPinNotInitialized` for a keychain without a passcode, `pinIncorrect`,
    ///   `pinLocked` while the next attempt has to wait, `userAlreadyLoggedIn`, `functionCanceled`
    ///   if the user did not answer, `argumentsBad` if no prompt is possible.
    package func login(
        _ session: UInt,
        userType: UInt,
        passcode: SharedSecret?
    ) throws(ReturnCode) {
        let (slot, login) = try state.withLock { state throws(ReturnCode) in
            let slot = try state.session(session).slot
            return (slot, try state.slot(slot).login)
        }
        guard userType != 2 else { return try confirmOperation(in: session, passcode) }
        guard userType == 1 else { throw .userTypeInvalid }
        let status = try keychain.status()
        guard status.isPasscodeSet else { throw .userPinNotInitialized }
        guard login != .user || !status.isProtectedDataAvailable else {
            throw .userAlreadyLoggedIn
        }
        try unlock(with: passcode)
        state.withLock { $0.slots[Int(slot)].login = .user }
    }

    /// Unlocks with a passcode, or with one from a prompt.
    func unlock(with passcode: SharedSecret?) throws(ReturnCode) {
        let status = try keychain.status()
        guard status.isPasscodeSet else { throw .userPinNotInitialized }
        guard status.delaySeconds <= 0 else { throw .pinLocked }
        guard let passcode = passcode ?? passcodes.ask() else {
            throw passcodes.isAvailable() ? .functionCanceled : .argumentsBad
        }
        guard (1...Self.passcodeByteCountLimit).contains(passcode.secret.byteCount) else {
            throw .pinLengthRange
        }
        do throws(KeychainError) { try keychain.unlock(passcode) } catch {
            throw error.status == .authFailed ? .pinIncorrect : ReturnCode(error)
        }
    }

    /// Hides the private objects of a slot; the keychain's lock state does not change.
    ///
    /// - Throws: `userNotLoggedIn`, even if there is no passcode to log in with.
    package func logout(_ session: UInt) throws(ReturnCode) {
        let slot = try state.withLock { state throws(ReturnCode) in
            let slot = try state.session(session).slot
            guard try state.slot(slot).login != .out else { throw .userNotLoggedIn }
            return slot
        }
        let status = try keychain.status()
        guard status.isPasscodeSet, status.isProtectedDataAvailable else {
            throw .userNotLoggedIn
        }
        state.withLock { state in
            state.slots[Int(slot)].login = .out
            for (handle, session) in state.sessions where session.slot == slot {
                state.sessions[handle]?.operations[.sign] = nil
                state.sessions[handle]?.operations[.decrypt] = nil
                state.sessions[handle]?.found =
                    session.found?.filter { object in
                        state.objects[object]?.isPrivate != true
                    }[...]
            }
        }
    }
}
