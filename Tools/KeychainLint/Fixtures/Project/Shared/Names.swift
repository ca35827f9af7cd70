/// What app and extension call the items that they share.
enum Names {
    static let service = "notes-server"
    static let account = "refresh"
    static let group = "A1B2C3D4E5.org.example.notes.shared"
}
