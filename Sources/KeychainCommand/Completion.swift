// Completions for shells, from the tables that the parser and the help read. A shell offers
// commands, options, the words of an option, and file names. It never queries the keychain, so
// names of items do not appear in scripts that run while the user types.

/// A file that a shell reads to complete this program's arguments.
struct Completion {
    /// The path below `/usr/share`, such as `fish/vendor_completions.d/x.fish`.
    let path: String
    let text: String

    /// The files of all shells.
    static var all: [Completion] {
        let name = Invocation.programName
        return [
            Completion(path: "bash-completion/completions/\(name)", text: BashCompletion.text),
            Completion(path: "zsh/site-functions/_\(name)", text: ZshCompletion.text),
            Completion(path: "fish/vendor_completions.d/\(name).fish", text: FishCompletion.text),
        ]
    }

    static let origin = "# Written by `keychainctl manual`, from the table of commands.\n"

    /// The commands that a shell offers.
    static var commands: [Command] { CommandTable.rows }

    /// Returns a word in single quotes, for bash and zsh.
    static func quoted(_ word: String) -> String {
        "'" + word.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
