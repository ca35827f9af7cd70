import KeychainModel
import KeychainSimulator

extension Scenario {
    /// A protected file as an event writes it.
    package struct FileSetup: Sendable {
        package let name: String
        /// The app that uses the file if an event names none.
        package let app: String
        /// The application group whose container holds the file; nil for the app's own container.
        package let group: String?
        package let fileClass: FileClass
        package let isExcludedFromBackup: Bool
        /// The item whose value also encrypts the content; nil if no item does.
        package let key: String?
        package let content: String
    }
}

/// An action of an app on a file.
package struct FileCall: Sendable {
    package enum Action: Sendable, Hashable {
        /// The new content; nil for the content in the scenario.
        case write(String?)
        case read, delete, open, close
        case protect(FileClass)
    }

    package let action: Action
    /// The name of the file.
    package let file: String
    /// The name of the acting app.
    package let app: String
    package let execution: SimulatedApp.Execution
}

extension FileCall.Action {
    /// The action's verb in a scenario file.
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

    /// Returns the action in a few words.
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
