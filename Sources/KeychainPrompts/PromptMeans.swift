/// Whether and how a prompt could reach a person now.
///
///     let means = try? PromptSettings(variable: { environment[$0] }).means()
///     // .terminal
package enum PromptMeans: String, Sendable, Hashable, CaseIterable {
    /// `KEYCHAIN_PROMPT=none` forbids prompts.
    case forbidden
    /// A pinentry program shows a dialog.
    case pinentry
    /// The terminal of this process.
    case terminal
    /// There is neither a terminal nor a pinentry program that has a place to show itself.
    case none

    /// Whether a prompt can be shown.
    package var canPrompt: Bool { self == .pinentry || self == .terminal }
}

extension PromptSettings {
    /// Returns the way that the next prompt would take, without showing one.
    package func means(terminal: String = ControllingTerminal.path) -> PromptMeans {
        guard mode != .none else { return .forbidden }
        let hasTerminal = ControllingTerminal.exists(terminal)
        // Without a terminal, the agent of the session shows the dialog.
        if isProtected, hasTerminal, mode != .pinentry { return .terminal }
        let hasPlace = namesPinentry || hasTerminal || hasDisplay
        if mode != .terminal, hasPlace, pinentry != nil { return .pinentry }
        return mode != .pinentry && hasTerminal ? .terminal : .none
    }
}
