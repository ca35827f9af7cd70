// States of a prompt   made ──Prompt──▸ shown ──▸ ended: Completed goes to its client
//                      made ──Dismiss, or its client leaves──▸ gone
//                      shown ──Dismiss──▸ ended as dismissed; the dialog closes

/// A prompt that waits for its client or for the user.
struct PendingPrompt {
    /// The action after the keychain is unlocked.
    enum Purpose {
        /// Unlocks objects with these paths.
        case unlock([String])
        case createCollection(label: String, alias: String)
        /// Grants a program the shared collection; includes the paths of the objects.
        case grant(String, [String])
    }

    let client: String
    let purpose: Purpose
    var isShown = false
}

/// Work for the process that shows dialogs.
package enum PromptWork: Sendable, Equatable {
    /// Unlock the keychain with the user, then report with `promptEnded`.
    case show(UInt64, client: String)
    /// Ask the user whether a program may use the shared collection, then report with
    /// `promptEnded`.
    case ask(UInt64, program: String)
    /// Close the dialog; no report is necessary.
    case dismiss(UInt64)
}

extension SecretServiceMachine {
    /// Makes a prompt, and returns its path.
    mutating func addPrompt(
        _ purpose: PendingPrompt.Purpose,
        for client: String
    ) throws(SecretServiceError) -> String {
        let own = prompts.values.count { $0.client == client }
        guard prompts.count < limits.prompts, own < limits.promptsPerClient else {
            throw SecretServiceError(.limitsExceeded, "too many prompts")
        }
        let number = nextNumber()
        prompts[number] = PendingPrompt(client: client, purpose: purpose)
        return ObjectPath.prompt(number).text
    }

    mutating func showPrompt(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .prompt(let number) = call.object, let prompt = prompts[number] else {
            throw .noSuchObject(call.object.text)
        }
        guard !prompt.isShown else { return [] }
        if case .grant(let program, _) = prompt.purpose {
            prompts[number]?.isShown = true
            work.append(.ask(number, program: program))
        } else if try isKeychainLocked() {
            prompts[number]?.isShown = true
            work.append(.show(number, client: prompt.client))
        } else {
            complete(number)
        }
        return []
    }

    mutating func dismissPrompt(_ call: CheckedCall) throws(SecretServiceError) -> [BusValue] {
        guard case .prompt(let number) = call.object, let prompt = prompts[number] else {
            throw .noSuchObject(call.object.text)
        }
        if prompt.isShown { work.append(.dismiss(number)) }
        cancel(number)
        return []
    }

    /// Handles the end of a dialog.
    ///
    /// - Parameters:
    ///   - number: The number of the prompt; one that no longer exists is ignored.
    ///   - isUnlocked: Whether the keychain is unlocked now, or the program may use the collection.
    /// - Returns: The signals that announce the end.
    package mutating func promptEnded(_ number: UInt64, isUnlocked: Bool) -> [BusSignal] {
        if isUnlocked {
            complete(number)
        } else {
            cancel(number)
        }
        return takeSignals()
    }

    /// Whether a client still waits for the dialog.
    package func isWanted(prompt number: UInt64) -> Bool { prompts[number]?.isShown ?? false }

    /// Performs the prompt's action, and informs its client.
    private mutating func complete(_ number: UInt64) {
        guard let prompt = prompts.removeValue(forKey: number) else { return note(isLocked: false) }
        guard (try? use(programs[prompt.client], for: prompt.client)) != nil else { return }
        if case .grant(let program, let paths) = prompt.purpose {
            let isGranted = (try? base.grant(program)) != nil
            let result = BusValue.paths(isGranted ? paths : [])
            if isGranted { announceGrant() }
            return completed(number, prompt, isDismissed: !isGranted, result)
        }
        note(isLocked: false)
        switch prompt.purpose {
        case .grant: return
        case .unlock(let paths): completed(number, prompt, isDismissed: false, .paths(paths))
        case .createCollection(let label, let alias):
            do throws(SecretServiceError) {
                let path = try addCollection(label: label, alias: alias)
                completed(number, prompt, isDismissed: false, .path(path))
            } catch {
                completed(number, prompt, isDismissed: true, .path(ObjectPath.none))
            }
        }
    }

    private mutating func cancel(_ number: UInt64) {
        guard let prompt = prompts.removeValue(forKey: number) else { return }
        let nothing: BusValue =
            switch prompt.purpose {
            case .unlock, .grant: .paths([])
            case .createCollection: .path(ObjectPath.none)
            }
        completed(number, prompt, isDismissed: true, nothing)
    }

    private mutating func completed(
        _ number: UInt64,
        _ prompt: PendingPrompt,
        isDismissed: Bool,
        _ result: BusValue
    ) {
        signals.append(
            BusSignal(
                ObjectPath.prompt(number).text,
                InterfaceTable.promptName,
                "Completed",
                [.flag(isDismissed), .variant(result)],
                to: prompt.client
            )
        )
    }
}
