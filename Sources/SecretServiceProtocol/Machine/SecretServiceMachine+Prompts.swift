// States of a prompt   made ──Prompt──▸ shown ──▸ ended: Completed goes to its client
//                      made ──Dismiss, or its client leaves──▸ gone
//                      shown ──Dismiss──▸ ended as dismissed; the dialog is taken away

/// A prompt that waits for its client or for the person.
struct PendingPrompt {
    /// What happens when the keychain is unlocked.
    enum Purpose {
        /// The paths of the objects.
        case unlock([String])
        case createCollection(label: String, alias: String)
        /// The program that wants the shared collection, and the paths of the objects.
        case grant(String, [String])
    }

    let client: String
    let purpose: Purpose
    var isShown = false
}

/// What whoever shows dialogs has to do.
package enum PromptWork: Sendable, Equatable {
    /// Unlock the keychain with the person, then report with `promptEnded`.
    case show(UInt64, client: String)
    /// Ask the person whether a program may use the shared collection, then report likewise.
    case ask(UInt64, program: String)
    /// Take the dialog away; nobody waits for its end.
    case dismiss(UInt64)
}

extension SecretServiceMachine {
    /// Makes a prompt; returns its path.
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

    /// Takes note of the end of a dialog.
    ///
    /// - Parameters:
    ///   - number: The prompt; one that is gone does nothing.
    ///   - isUnlocked: Whether the keychain is unlocked now, or the program may use the collection.
    /// - Returns: The signals that tell of it.
    package mutating func promptEnded(_ number: UInt64, isUnlocked: Bool) -> [BusSignal] {
        if isUnlocked {
            complete(number)
        } else {
            cancel(number)
        }
        return takeSignals()
    }

    /// Whether somebody still waits for a dialog.
    package func isWanted(prompt number: UInt64) -> Bool { prompts[number]?.isShown ?? false }

    /// Does what the prompt was for, and tells its client.
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
