/// A reason why AutoFill offers nothing, or does not offer one item.
///
/// Every rule of the module has its reason here. ``AutoFillRefusal/sentence`` is its text for
/// users.
package enum AutoFillRefusal: Error, Hashable, Sendable {
    // The page.
    case pageNotURL
    /// The scheme is neither `https` nor `http`.
    case schemeNotWeb(String)
    /// `https://example.com@evil.example/` shows one host and opens another.
    case userInURL
    case hostMissing
    case hostNotValid
    /// The host ends with a full stop: `example.com.` is another origin than `example.com`.
    case trailingDot
    case portNotValid

    // An item and the page.
    /// The item is a generic password, a key or a certificate.
    case notInternetPassword
    case noServer
    case serverNotHost
    case otherHost
    /// The host resembles that of the item.
    case lookAlike(of: String)
    /// Both hosts are below a suffix with many owners, such as `github.io`.
    case otherOwner(suffix: String)
    /// The host is an address, `localhost`, or has no listed suffix, so only the same host matches.
    case onlyExactHost
    /// A label of the page's host mixes scripts, so only the same host matches.
    case mixedScripts
    case otherScheme(item: String, page: String)
    case otherPort(item: UInt16, page: UInt16)
    /// The item is for an HTTP dialog, a mail server or another protocol.
    case notForForms(String)
    /// The item records that the user does not want a password here.
    case negative
    case otherAccount

    // An app and its sites.
    case noAssociatedDomains
    case entryNotValid(String)
    case domainNotAssociated(String)
    /// The entry has a mode that is not switched on in this device's settings.
    case modeIsOff(String, domain: String)
    case associationFileMissing(String)
    case associationFileNotValid(String, AssociationFileError)
    case appNotListed(String, domain: String)

    /// The keychain has no internet password for the page or the app's sites.
    case noItem
    /// The item exists, but its secret is not readable while the device is locked.
    case locked
}

extension AutoFillRefusal {
    /// A stable word for JSON, such as `other-host`.
    package var code: String { row.code }

    /// The reason as one sentence, with its full stop.
    package var sentence: String { row.sentence }

    /// The closeness of the item to a match; the report shows the nearest miss.
    var nearness: Int {
        switch self {
        case .locked: 9
        case .otherAccount, .negative, .notForForms: 8
        case .otherPort: 7
        case .otherScheme: 6
        case .mixedScripts, .onlyExactHost: 5
        case .lookAlike: 4
        case .otherOwner: 3
        case .notInternetPassword: 2
        default: 0
        }
    }

    private var row: (code: String, sentence: String) {
        pageRow ?? itemRow ?? appRow ?? ("no-item", "There is no internet password for this site.")
    }

    private var pageRow: (code: String, sentence: String)? {
        switch self {
        case .pageNotURL: ("page-not-url", "This is not the URL of a page.")
        case .schemeNotWeb(let scheme):
            ("scheme-not-web", "AutoFill fills pages of https and http, not of \(scheme).")
        case .userInURL:
            ("user-in-url", "The URL has a user name before its host, which hides the host.")
        case .hostMissing: ("host-missing", "The URL has no host.")
        case .hostNotValid: ("host-not-valid", "The host of the URL is not a valid name.")
        case .trailingDot:
            ("trailing-dot", "The host ends with a dot, so it is another host for a browser.")
        case .portNotValid: ("port-not-valid", "The port of the URL is not a number up to 65535.")
        default: nil
        }
    }

    private var itemRow: (code: String, sentence: String)? {
        switch self {
        case .notInternetPassword:
            (
                "not-internet-password",
                "AutoFill sees only internet passwords, and this item is of another class."
            )
        case .noServer: ("no-server", "The item has no server.")
        case .serverNotHost: ("server-not-host", "The server of the item is not a host name.")
        case .otherHost: ("other-host", "The item is for another host.")
        case .lookAlike(let host):
            ("look-alike", "The page's host looks like \(host), but it is another host.")
        case .otherOwner(let suffix):
            ("other-owner", "Anybody may have a host below \(suffix), so only the same host fits.")
        case .onlyExactHost:
            ("only-exact-host", "No listed domain has this host, so only the same host fits.")
        case .mixedScripts:
            ("mixed-scripts", "The page's host mixes scripts, so only the same host fits.")
        case .otherScheme(let item, let page):
            ("other-scheme", "The item is for \(item), and the page came by \(page).")
        case .otherPort(let item, let page):
            ("other-port", "The item is for port \(item), and the page came from port \(page).")
        case .notForForms(let letters):
            ("not-for-forms", "The item is for authentication of type '\(letters)', not a form.")
        case .negative: ("negative", "The item says that no password is stored for this site.")
        case .otherAccount: ("other-account", "The item is of another account.")
        case .locked: ("locked", "The password is out of reach while the keychain is locked.")
        default: nil
        }
    }

    private var appRow: (code: String, sentence: String)? {
        switch self {
        case .noAssociatedDomains:
            ("no-associated-domains", "The app's entitlements have no 'webcredentials:' domain.")
        case .entryNotValid(let entry):
            ("entry-not-valid", "The associated domain '\(entry)' is not 'service:domain'.")
        case .domainNotAssociated(let domain):
            ("domain-not-associated", "The app's entitlements do not name \(domain).")
        case .modeIsOff(let mode, let domain):
            ("mode-is-off", "The entry for \(domain) needs the mode '\(mode)', which is off.")
        case .associationFileMissing(let domain):
            ("association-file-missing", "\(domain) has no apple-app-site-association file.")
        case .associationFileNotValid(let domain, let error):
            (
                "association-file-not-valid",
                "The apple-app-site-association file of \(domain) is not valid: \(error.reason)."
            )
        case .appNotListed(let app, let domain):
            (
                "app-not-listed",
                "The apple-app-site-association file of \(domain) does not list \(app)."
            )
        default: nil
        }
    }
}
