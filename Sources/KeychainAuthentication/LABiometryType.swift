/// A device's kind of biometry.
///
/// Programs often list the cases in a `switch` without a `default`, so there are no other cases.
public enum LABiometryType: Int, Sendable {
    /// No biometry.
    case none = 0
    /// Recognition of a finger.
    case touchID = 1
    /// Recognition of a face.
    case faceID = 2
    /// Recognition of an iris.
    case opticID = 4
}
