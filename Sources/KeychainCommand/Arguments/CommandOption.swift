import KeychainModel

/// One option: its spellings, its value, its meaning, and the attribute that it sets.
package struct CommandOption: Sendable {
    /// The subject of an option, independent of its spelling.
    package enum Name: Sendable, Hashable {
        case account, service, server, securityDomain, protocolName, authenticationType, port, path
        case creator, type, kind, generic, comment, label
        case accessGroup, accessible, synchronizable, require, requireNothing
        case password, passwordHex, passwordAlias, showPassword, onlyPassword
        case update, anyApplication, application
        case data, raw, table, all
        case keychainFile, itemType, format, wrapped, passphrase, nonExtractable, outputFile
        case certificateName, emailAddress, showEmail, hashes, pem
        case policy, policyText, validOnly
        case certificateHash, trustSettings, certificateFile, rootFile, hostName, verifyDate, client
        case quiet, verbose, noKeychains, decode, sign, encrypt, inputFile, contentFile, noContent
        case keyType, tag, keyName, applicationLabel, algorithm, size, itemClass, keyClass
        case canEncrypt, canDecrypt, canSign, canVerify, canWrap, canUnwrap, canDerive
        case dryRun, keepOriginals, everything, keepAttributes, from
        case undo, force, deleteItems, thisDeviceOnly
        case both, behavior, tap, junit, html
        case serve, system, biometry, askPasscode, noPasscode
        case json, markdown, help, version
        case allowEmpty, allowVariable, exact, showOnTerminal
        case follow, denied, program, verify, date
        case digest, unit, flatpak, snap, programLabel, ofAccount
        case acceptRows, rekey, unlockWith
        case element, keep, fileClass, recursive
        case list
        case relay, deviceName, recovery, noRecovery, keeper, withOthers, keepOthers
        case words, length, characters, dictionary, store, editor
        case newLabel, newAccount, newService, newServer, newComment, newKind, newAccessible
        case setSearchList, domain, partitions, ineffective, ineffectiveFlag
        case lockOnSleep, lockWhenIdle, idleTime, lockTime, lockOnLogout, lockEvent
    }

    /// The value that follows the option.
    enum Value: Sendable {
        case none
        /// The next argument.
        case required(String)
        /// The next argument, if there is one.
        case optional(String)
    }

    let name: Name
    /// The spellings, such as `-a` or `--json`; help shows the first one.
    let spellings: [String]
    let value: Value
    /// A few words for the help, without a full stop.
    let meaning: String
    /// The attribute that the value sets; nil for an option that steers the command.
    let target: AttributeTarget?

    init(
        _ name: Name,
        _ spellings: [String],
        _ value: Value,
        _ meaning: String,
        sets target: AttributeTarget? = nil
    ) {
        self.name = name
        self.spellings = spellings
        self.value = value
        self.meaning = meaning
        self.target = target
    }

    /// The first spelling with its value, such as `-a account`.
    var synopsis: String {
        switch value {
        case .none: spellings[0]
        case .required(let placeholder): "\(spellings[0]) \(placeholder)"
        case .optional(let placeholder): "\(spellings[0]) [\(placeholder)]"
        }
    }
}
