import KeychainModel
import KeychainSimulator

extension Scenario {
    /// A protected file as an event would write it.
    package struct FileSetup: Sendable {
        package let name: String
        /// The name of the app that uses it where an event names none.
        package let app: String
        /// The application group in whose container it is; nil: the app's own container.
        package let group: String?
        package let fileClass: FileClass
        package let isExcludedFromBackup: Bool
        /// The item whose value also encrypts the content; nil: none does.
        package let key: String?
        package let content: String
    }
}

/// What an app does with a file.
package struct FileCall: Sendable {
    package enum Action: Sendable, Hashable {
        /// nil: the content that the file has in the scenario.
        case write(String?)
        case read, delete, open, close
        case protect(FileClass)
    }

    package let action: Action
    /// The file's name.
    package let file: String
    /// The name of the app that acts.
    package let app: String
    package let execution: SimulatedApp.Execution
}

extension FileCall.Action {
    /// The verb that stands for it in a file.
    var verb: String {
        switch self {
        case .write: "writeFile"
        case .read: "readFile"
        case .delete: "deleteFile"
        case .open: "openFile"
        case .close: "closeFile"
        case .protect: "protectFile"
        }
    }

    /// It in a few words.
    func words(_ file: String) -> String {
        switch self {
        case .write: "write the file \(file)"
        case .read: "read the file \(file)"
        case .delete: "delete the file \(file)"
        case .open: "open the file \(file)"
        case .close: "close the file \(file)"
        case .protect(let fileClass): "give the file \(file) the class \(fileClass.name)"
        }
    }
}
