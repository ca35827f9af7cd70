import AutoFill
import KeychainMessages
import KeychainModel
import Synchronization
import WebCredentials

/// AutoFill's state on a device: sites, settings, and the identities of providers.
final class AutoFillState: Sendable {
    let sites = SimulatedSites()
    let modes = Mutex<Set<AssociatedDomain.Mode>>([])
    /// The identities of providers that the user chose; a reinstalled app starts without any.
    private let lists = Mutex<[AppInstallations.Sandbox: CredentialIdentityList]>([:])

    func list(of sandbox: AppInstallations.Sandbox) -> CredentialIdentityList? {
        lists.withLock { $0[sandbox] }
    }

    func setProvider(_ isProvider: Bool, _ sandbox: AppInstallations.Sandbox) {
        lists.withLock { lists in
            if !isProvider {
                lists[sandbox] = nil
            } else if lists[sandbox] == nil {
                lists[sandbox] = CredentialIdentityList()
            }
        }
    }
}

extension SimulatedDevice {
    /// The web sites that the device reaches; none has an association file at first.
    public var sites: SimulatedSites { autoFill.sites }

    /// Whether entries with `?mode=developer` count, like the switch in a device's settings.
    public var allowsDeveloperDomains: Bool {
        get { autoFill.modes.withLock { $0.contains(.developer) } }
        set {
            autoFill.modes.withLock { modes in
                if newValue { modes.insert(.developer) } else { modes.remove(.developer) }
            }
        }
    }

    /// Turns an app on or off as a credential provider, as the user does in Settings.
    ///
    /// An app that is not a provider has no identities, and cannot save any.
    public func setCredentialProvider(_ app: SimulatedApp, isOn: Bool = true) {
        autoFill.setProvider(isOn, app.sandbox)
    }

    /// Returns the users in a provider's identities that fit a page.
    ///
    /// - Throws: ``AutoFillReason`` if AutoFill does not fill the page.
    public func providerUsers(of app: SimulatedApp, for url: String) throws -> [String] {
        do throws(AutoFillRefusal) {
            let page = try PageAddress(url)
            return autoFill.list(of: app.sandbox)?.matching(page).map(\.user) ?? []
        } catch {
            throw AutoFillReason(error)
        }
    }
}

/// The reason why AutoFill offers nothing.
///
/// ```swift
/// let offer = app.autoFillOffer()
/// print(offer.reason?.sentence ?? "")    // "example.com has no apple-app-site-association file."
/// ```
public struct AutoFillReason: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable word, such as `association-file-missing`.
    public let code: String
    /// The reason as a sentence.
    public let sentence: String
    /// The sentence.
    public var description: String { sentence }

    init(_ refusal: AutoFillRefusal) {
        code = refusal.code
        sentence = refusal.sentence
    }
}

/// The accounts that the keyboard of a simulated device offers in a form.
///
/// ```swift
/// if let first = app.autoFillOffer().accounts.first { try app.autoFill(first) }
/// ```
public struct AutoFillOffer: Sendable, Hashable {
    /// An account whose password may be filled in.
    public struct Account: Sendable, Hashable {
        /// The name of the account.
        public let user: String
        /// The server of the internet password.
        public let server: String
        fileprivate let match: AutoFillMatch
    }

    /// The accounts, the newest first.
    public let accounts: [Account]
    /// The reason why there is no account; nil if there is one.
    public let reason: AutoFillReason?

    fileprivate init(_ answer: AutoFillAnswer) {
        accounts = answer.matches.map { match in
            Account(user: match.candidate.account, server: match.candidate.server, match: match)
        }
        reason = answer.reason.map(AutoFillReason.init)
    }
}

extension SimulatedApp {
    /// Returns the accounts that the keyboard offers in a sign-in form of this app.
    ///
    /// An account needs three parts: an internet password that the app can see, an associated
    /// domain in the app's manifest, and the site's association file with the app in it. If one is
    /// missing, there is no account, and the reason names it.
    ///
    /// - Parameter domain: The only domain; nil for all that the app declares.
    /// - Returns: The accounts, or the reason why there is none.
    public func autoFillOffer(for domain: String? = nil) -> AutoFillOffer {
        do throws(KeychainError) {
            return AutoFillOffer(try credentials.offers(to: association, for: domain))
        } catch {
            return AutoFillOffer(AutoFillAnswer(refusing: Self.refusal(error)))
        }
    }

    /// Returns the accounts that AutoFill offers on a web page in the app, among those that it can
    /// see.
    public func autoFillOffer(onPage url: String) -> AutoFillOffer {
        do throws(AutoFillRefusal) {
            let page = try PageAddress(url)
            do throws(KeychainError) {
                return AutoFillOffer(try credentials.offers(for: page))
            } catch {
                throw Self.refusal(error)
            }
        } catch {
            return AutoFillOffer(AutoFillAnswer(refusing: error))
        }
    }

    /// Returns the password of an account, as if the user tapped it; may prompt the user.
    ///
    /// - Throws: ``SimulatorError`` with the keychain's status.
    public func autoFill(_ account: AutoFillOffer.Account) throws -> String {
        do throws(KeychainError) {
            let secret = try credentials.secret(of: account.match)
            return secret.secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw SimulatorError(error)
        }
    }

    private static func refusal(_ error: KeychainError) -> AutoFillRefusal {
        error.status == .interactionNotAllowed ? .locked : .noItem
    }

    private var credentials: WebCredentialStore {
        WebCredentialStore(CredentialKeychain(endpoint(.foreground)))
    }

    private var association: AppAssociation {
        let sites = autoFillState.sites
        return AppAssociation(
            appIdentifier: manifest.teamIdentifier + "." + manifest.bundleIdentifier,
            entries: manifest.associatedDomains,
            modes: autoFillState.modes.withLock { $0 },
            file: { host in
                (sites.file(of: host.ascii) ?? sites.file(of: host.unicode)).map(Array.init)
            }
        )
    }
}

extension AppEndpoint: CredentialIdentityHost {
    var credentialIdentities: CredentialIdentityList? { device.autoFill.list(of: launch.sandbox) }
}
