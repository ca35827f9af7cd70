/// Why AutoFill offers nothing, or not one certain item.
///
/// Every rule of the module has its reason here, and ``AutoFillRefusal/sentence`` is what a person
/// reads.
package enum AutoFillRefusal: Error, Hashable, Sendable {
    // The page.
    case pageNotURL
    /// Neither `https` nor `http`.
    case schemeNotWeb(String)
    /// `https://example.com@evil.example/` shows one host and opens another.
    case userInURL
    case hostMissing
    case hostNotValid
    /// `example.com.` is another origin than `example.com`.
    case trailingDot
    case portNotValid

    // An item and the page.
    /// A generic password, a key or a certificate.
    case notInternetPassword
    case noServer
    case serverNotHost
    case otherHost
    /// The host resembles that of the item.
    case lookAlike(of: String)
    /// Both hosts are below a suffix where everybody may register, such as `github.io`.
    case otherOwner(suffix: String)
    /// An address, `localhost`, a host without a listed suffix: only the same one fits.
    case onlyExactHost
    /// A label of the page's host mixes scripts, so only the same host fits.
    case mixedScripts
    case otherScheme(item: String, page: String)
    case otherPort(item: UInt16, page: UInt16)
    /// The item is for a dialog of HTTP, a mail server or the like.
    case notForForms(String)
    /// The item says "do not offer to save a password here".
    case negative
    case otherAccount

    // An app and its sites.
    case noAssociatedDomains
    case entryNotValid(String)
    case domainNotAssociated(String)
    /// The entry has a mode that this device has not switched on.
    case modeIsOff(String, domain: String)
    case associationFileMissing(String)
    case associationFileNotValid(String, AssociationFileError)
    case appNotListed(String, domain: String)

    /// There is no internet password at all for the page or the app's sites.
    case noItem
    /// The item exists, and its secret is out of reach while the device is locked.
    case locked
}

extension AutoFillRefusal {
    /// A stable word for programs, such as `other-host`.
    package var code: String { row.code }

    /// One sentence for a person, with its full stop.
    package var sentence: String { row.sentence }

    /// How near to a match the item came; the nearest miss is what a person wants to know.
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
