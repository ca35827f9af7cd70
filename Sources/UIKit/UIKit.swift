// The names of UIKit that code around the keychain uses. There is no screen and no life cycle:
// Documentation/Shims.md says what each name does here.
@_exported import ApplicationShim
@_exported import Foundation
