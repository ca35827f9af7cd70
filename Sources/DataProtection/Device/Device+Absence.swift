// A keychain without a keybag: lost, or moved into a daemon.
//
// Source: Documentation/Spec/adoption.md §3.
extension Device {
    /// Returns the reason why a keychain has no keybag.
    static func absence(in storage: any DeviceStorage) -> DeviceError {
        let path = storage.path(of: .keybag)
        return isMoved(storage) ? .moved(path: path) : .missing(path: path)
    }

    static func isMoved(_ storage: any DeviceStorage) -> Bool {
        ((try? storage.stamp(of: .movedKeybag)) ?? nil) != nil
    }
}
