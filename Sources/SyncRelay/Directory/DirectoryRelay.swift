import KeychainSockets
import KeychainSync
import Synchronization

/// A relay in a directory, which Syncthing, a file server or a USB stick carries.
///
/// Each entry is a file that is written once, and gets its name when it is complete. Files that
/// arrive in another order become visible when the files before them are present.
///
/// - Source: Documentation/Spec/relays.md §2.
package final class DirectoryRelay: Relay {
    /// The mark that distinguishes a prepared directory from an empty one, such as an unmounted
    /// one.
    private static let markName = "keychain-sync-relay"
    private static let markContent = Array("2\n".utf8)

    private struct Memory: Sendable {
        /// The last listings; nil before the first one.
        var streams: [StreamName: Range<UInt64>]?
        var links: Set<LinkPlace>?
        /// The first entry of each stream that this relay has written.
        var first: [StreamName: UInt64] = [:]
    }

    /// The path, as it was given.
    package let path: String
    private let account: AccountName
    private let namings: [StreamFolder.Naming]
    private let memory = Mutex(Memory())
    private let interruption: RelayWait
    private let watch: DirectoryWatch

    package let entryByteCountLimit = RelayLimit.entryByteCount
    package let batchLimit = BatchLimit.none

    /// Makes a relay in a directory, which need not exist yet.
    package convenience init(_ path: String, _ account: AccountName) throws(RelayError) {
        try self.init(path, account, StreamFolder.Naming.allCases)
    }

    init(
        _ path: String,
        _ account: AccountName,
        _ namings: [StreamFolder.Naming],
        watch: DirectoryWatch = DirectoryWatch()
    ) throws(RelayError) {
        self.path = path
        self.watch = watch
        self.account = account
        self.namings = namings
        interruption = try RelayWait()
    }

    package func prepare() throws(RelayError) {
        try RelayFolder.make(path)
        let root = StreamFolder(folder: try RelayFolder(path))
        let isNew = try root.put(Self.markContent, as: Self.markName, namings)
        if !isNew { try checkMark(root.folder) }
        try root.folder.synchronize()
    }

    package func streams() throws(RelayError) -> [StreamName: Range<UInt64>] {
        let ranges = try ranges()
        memory.withLock { $0.streams = ranges }
        return ranges
    }

    package func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        guard let own = try openFolder(stream.hexadecimal) else { return [] }
        let folder = StreamFolder(folder: own)
        let range = try folder.range()
        guard range.contains(first) else { return [] }
        return try (first..<range.upperBound).entries(byteCountLimit: byteCountLimit) {
            number throws(RelayError) in try folder.entry(number)
        }
    }

    package func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError) {
        let folder = StreamFolder(folder: try openFolder(making: stream.hexadecimal))
        try begin(stream, at: first, in: folder)
        for (offset, entry) in entries.enumerated() {
            try put(entry, to: stream, at: first + UInt64(offset), in: folder)
        }
        try folder.folder.synchronize()
        let end = first + UInt64(entries.count)
        memory.withLock { memory in
            // The relay's own entries do not count as changes.
            guard let seen = memory.streams?[stream],
                seen.contains(first) || seen.upperBound == first
            else { return }
            memory.streams?[stream] = seen.lowerBound..<max(end, seen.upperBound)
        }
    }

    package func trim(_ stream: StreamName, below number: UInt64) throws(RelayError) {
        guard let own = try openFolder(stream.hexadecimal) else { return }
        let folder = StreamFolder(folder: own)
        let range = try folder.range()
        guard !range.isEmpty else { return }
        let first = max(min(number, range.upperBound - 1), range.lowerBound)
        if first > range.lowerBound {
            _ = try folder.put([], as: EntryFile.name(ofFirst: first), namings)
            try folder.folder.synchronize()
        }
        memory.withLock { memory in
            memory.first[stream] = first
            if let seen = memory.streams?[stream], seen.contains(first) {
                memory.streams?[stream] = first..<seen.upperBound
            }
        }
        try folder.removeAll(below: first)
    }

    package func remove(_ stream: StreamName) throws(RelayError) {
        guard let above = try accountFolder(),
            let own = try above.folder(stream.hexadecimal)
        else { return }
        memory.withLock { memory in
            memory.first[stream] = nil
            memory.streams?[stream] = nil
        }
        try StreamFolder(folder: own).removeAll(below: .max)
        try above.removeFolder(stream.hexadecimal)
    }

    package func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        let deadline = Deadline.after(limit)
        while true {
            try watch.begin(path, account)
            if try hasNews() { return true }
            guard !deadline.isOver else { return false }
            if watch.wait(interruption, until: deadline) == .interrupted { return false }
        }
    }

    package func interrupt() { interruption.interrupt() }

    private func hasNews() throws(RelayError) -> Bool {
        _ = try root()
        let (streams, links) = memory.withLock { ($0.streams, $0.links) }
        if let streams, try ranges() != streams { return true }
        if let links, try linkPlaces() != links { return true }
        return streams == nil && links == nil
    }

    /// Returns paths below the relay's directory that no device writes, such as copies of a program
    /// that found two versions of a file.
    package func foreignPaths() throws(RelayError) -> [String] {
        guard let above = try accountFolder() else { return [] }
        var names: [String] = []
        try above.forEachName { name, _ in names.append(name) }
        var paths: [String] = []
        for name in names {
            let part = LinkPart.allCases.first { $0.folderName == name }
            let isOwn = part != nil || StreamName(hexadecimal: name) != nil
            guard isOwn, !above.isFile(name), let folder = try? above.folder(name) else {
                paths.append("\(account.hexadecimal)/\(name)")
                continue
            }
            try folder.forEachName { inner, isFile in
                let meaning = EntryFile.meaning(of: inner)
                let isKnown = part.map { meaning == .unfinished || $0.place(ofFile: inner) != nil }
                guard !(isKnown ?? (meaning != .foreign)) || !isFile else { return }
                paths.append("\(account.hexadecimal)/\(name)/\(inner)")
            }
        }
        return paths.sorted()
    }

    // MARK: - Parts

    private func root() throws(RelayError) -> RelayFolder {
        let root = try RelayFolder(path)
        try checkMark(root)
        return root
    }

    private func checkMark(_ root: borrowing RelayFolder) throws(RelayError) {
        guard let content = try root.read(Self.markName, byteCountLimit: 64) else {
            let reason = "\(path)/\(Self.markName) is missing: it is not mounted, or not prepared"
            throw .unreachable(reason)
        }
        // git converts line ends as configured in its checkout.
        switch content.filter({ $0 != UInt8(ascii: "\r") }) {
        case Self.markContent: return
        case Array("1\n".utf8): throw .earlierVersion(path)
        default: throw .refused("\(path) was prepared by another version")
        }
    }

    /// Returns the directory of the account; nil if it does not exist yet.
    private func accountFolder() throws(RelayError) -> RelayFolder? {
        try root().folder(account.hexadecimal)
    }

    private func openFolder(_ name: String) throws(RelayError) -> RelayFolder? {
        guard let above = try accountFolder() else { return nil }
        return try above.folder(name)
    }

    private func openFolder(making name: String) throws(RelayError) -> RelayFolder {
        try root().folder(making: account.hexadecimal).folder(making: name)
    }

    private func ranges() throws(RelayError) -> [StreamName: Range<UInt64>] {
        guard let above = try accountFolder() else { return [:] }
        var names: [StreamName] = []
        try above.forEachName(limit: RelayLimit.streamCount) { name, isFile in
            if !isFile, let name = StreamName(hexadecimal: name) { names.append(name) }
        }
        var ranges: [StreamName: Range<UInt64>] = [:]
        for name in names {
            // A symbolic link with that name, or a directory that was just removed, is not a
            // stream.
            guard let folder = try? above.folder(name.hexadecimal) else { continue }
            let range = try StreamFolder(folder: folder).range()
            if !range.isEmpty { ranges[name] = range }
        }
        return ranges
    }

    /// Examines a stream before this relay's first entry, and checks that the entry continues it.
    private func begin(
        _ stream: StreamName,
        at number: UInt64,
        in folder: borrowing StreamFolder
    ) throws(RelayError) {
        if memory.withLock({ $0.first[stream] }) == nil {
            try folder.removeUnfinished()
            let isEmpty = try folder.isEmpty()
            var first = try folder.range().lowerBound
            if isEmpty, number > first {
                _ = try folder.put([], as: EntryFile.name(ofFirst: number), namings)
                try folder.folder.synchronize()
                first = number
            }
            memory.withLock { $0.first[stream] = first }
        }
    }

    private func put(
        _ entry: [UInt8],
        to stream: StreamName,
        at number: UInt64,
        in folder: borrowing StreamFolder
    ) throws(RelayError) {
        let first = memory.withLock { $0.first[stream] } ?? 0
        guard number >= first else { throw .gap(stream, number) }
        let name = EntryFile.name(of: number)
        let content = try EntryFile.content(with: entry)
        if !folder.folder.has(name) {
            let isNext = number == first || folder.folder.isFile(EntryFile.name(of: number - 1))
            guard isNext else { throw .gap(stream, number) }
            if try folder.put(content, as: name, namings) { return }
        }
        guard let kept = try folder.entry(number) else {
            // A USB stick that was pulled during the write may contain only a part of the file.
            let start = try folder.folder.read(name, byteCountLimit: EntryFile.byteCountLimit)
            guard content.starts(with: start ?? []) else {
                throw .damaged("\(folder.folder.path)/\(name) is not whole")
            }
            return try folder.replace(name, with: content)
        }
        guard kept == entry else { throw .occupied(stream, number) }
        try folder.synchronize(name)
    }
}

// MARK: - Links
extension DirectoryRelay {
    package func links() throws(RelayError) -> [LinkPlace] {
        let places = try linkPlaces()
        memory.withLock { $0.links = places }
        return places.sorted()
    }

    private func linkPlaces() throws(RelayError) -> Set<LinkPlace> {
        var places: Set<LinkPlace> = []
        guard let folder = try openFolder(LinkPart.link.folderName) else { return [] }
        try folder.forEachName(limit: RelayLimit.linkCount) { name, isFile in
            if isFile, let place = LinkPart.link.place(ofFile: name) { places.insert(place) }
        }
        return places
    }

    package func stored(
        _ part: LinkPart,
        at places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]] {
        guard let folder = try openFolder(part.folderName) else { return places.map { _ in [] } }
        var stored: [[UInt8]] = []
        for place in places {
            stored.append(try Self.content(of: part.fileName(of: place), part, in: folder) ?? [])
        }
        return stored
    }

    /// Returns the bytes of a file; nil if there is none, or if it is unreadable.
    private static func content(
        of name: String,
        _ part: LinkPart,
        in folder: borrowing RelayFolder
    ) throws(RelayError) -> [UInt8]? {
        do throws(RelayError) {
            return try folder.read(name, byteCountLimit: part.byteCountLimit)
        } catch {
            guard case .unreachable = error else { return nil }
            throw error
        }
    }

    package func store(
        _ part: LinkPart,
        _ bytes: [UInt8],
        at place: LinkPlace
    ) throws(RelayError) {
        let folder = StreamFolder(folder: try openFolder(making: part.folderName))
        let name = part.fileName(of: place)
        try folder.removeUnfinished()
        let isNew = folder.folder.has(name) ? false : try folder.put(bytes, as: name, namings)
        if !isNew {
            let isThere = try Self.content(of: name, part, in: folder.folder) == bytes
            if isThere {
                try folder.synchronize(name)
            } else {
                try folder.replace(name, with: bytes)
            }
        }
        try folder.folder.synchronize()
        // The relay's own links do not count as changes.
        if part == .link { _ = memory.withLock { $0.links?.insert(place) } }
    }
}
