import KeychainModel
import Secrets

// What a person is told of the folders in which content is lent to an editor.

extension EditFolder {
    /// What to say of a folder whose owner was killed.
    static func words(_ path: String) -> String {
        "an edit that was killed left its plain content in \(path)"
    }

    /// Whether a copy that could be lost has nothing new.
    static func isUnchanged(_ copy: String, _ before: borrowing Secret) -> Bool {
        do throws(KeychainError) {
            return try InputFile.read(copy).constantTimeEquals(before)
        } catch { return false }
    }
}

extension CommandContext {
    /// Names the folders that edits left which were killed.
    func tellLeftEdits() throws(CommandFailure) {
        for folder in EditFolder.leftovers() {
            try note("\(EditFolder.words(folder)); look for what you need in it, then remove it")
        }
    }

    /// Names the place of changes; where the terminal is gone, the next edit does.
    func tellUnstored(in place: String) {
        try? note("the changes are not stored; they are in \(place)")
    }

    /// Removes the folder, or says what is left.
    func clear(_ folder: EditFolder) {
        for path in folder.clear() {
            try? note("\(path) cannot be removed, and may have the plain content")
        }
    }
}
