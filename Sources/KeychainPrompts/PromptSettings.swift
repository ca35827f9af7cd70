import KeychainModel
import ProgramStart
import Secrets

/// The settings for prompts from the environment.
package struct PromptSettings: Sendable {
    /// The value of `KEYCHAIN_PROMPT`.
    package enum Mode: String, Sendable, CaseIterable {
        /// The best available way, as without a value.
        case auto
        /// No prompts.
        case none
        case terminal
        case pinentry
    }

    let mode: Mode
    private let variable: @Sendable (String) -> String?
    /// Whether this program has rights that its account lacks, so that root chooses the dialog.
    let isProtected: Bool
    /// The directory of root's settings.
    private let directory: String

    /// Reads the settings; the value of a variable is nil if it is unset or empty.
    ///
    /// - Throws: `errSecParam` for a mode that does not exist.
    package init(
        isProtected: Bool = RaisedGroup.isHeld,
        directory: String = RootSetting.directory,
        variable: @escaping @Sendable (String) -> String?
    ) throws(KeychainError) {
        self.variable = variable
        self.isProtected = isProtected
        self.directory = directory
        let word = variable("KEYCHAIN_PROMPT") ?? Mode.auto.rawValue
        guard let mode = Mode(rawValue: word) else {
            let words = Mode.allCases.map(\.rawValue).joined(separator: ", ")
            throw KeychainError(.param, "invalid value of KEYCHAIN_PROMPT: set one of \(words)")
        }
        self.mode = mode
    }

    subscript(name: String) -> String? { variable(name) }

    /// The pinentry to run: `KEYCHAIN_PINENTRY`, a path or a name, else `pinentry`; nil if there is
    /// none.
    ///
    /// For a protected program it is root's choice.
    var pinentry: String? {
        if isProtected { return try? RootDialog.path(in: directory) }
        return ProgramSearch.path(of: self["KEYCHAIN_PINENTRY"] ?? "pinentry", in: self["PATH"])
    }

    /// Whether a person chose the pinentry, which may have its own way to ask.
    var namesPinentry: Bool { !isProtected && self["KEYCHAIN_PINENTRY"] != nil }

    /// Whether there is a graphical display.
    var hasDisplay: Bool { self["DISPLAY"] != nil || self["WAYLAND_DISPLAY"] != nil }
}
