import Glibc
import ProgramStart

/// The dialog program that root chose for this machine.
///
/// A protected program starts no other one, because the dialog reads the typed secrets.
package enum RootDialog {
    /// The program if root chose none.
    static let standard = "/usr/bin/pinentry"
    /// The name of root's setting.
    static let setting = "pinentry"

    /// Returns the program's path.
    ///
    /// - Parameter directory: The directory of root's settings.
    /// - Returns: nil if there is no such program.
    /// - Throws: `RootFileProblem` if an account other than root could change the setting, the
    ///   program, or what it links to.
    package static func path(
        in directory: String = RootSetting.directory
    ) throws(RootFileProblem) -> String? {
        let path = try RootSetting(setting, in: directory).line() ?? standard
        guard let program = try RootFile.resolve(path) else { return nil }
        var status = stat()
        guard stat(program, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            access(program, X_OK) == 0
        else { throw RootFileProblem("\(path) is not a program") }
        return path
    }
}
