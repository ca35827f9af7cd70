/// The version of this package.
package enum Version {
    /// Major, minor and patch number, as semver.org defines them.
    package static let text = "0.1.0"
}
