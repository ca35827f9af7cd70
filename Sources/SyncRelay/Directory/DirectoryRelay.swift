import KeychainSockets
import KeychainSync
import Synchronization

/// A relay that is a directory: one that Syncthing copies, of a file server, or on a USB stick.
///
/// Each entry is a file that is written once, beside its place, and put there when it is durable.
/// Files that arrive in another order show when those before them are there.
///
/// - Source: Documentation/Spec/relays.md §2.
package final class DirectoryRelay: Relay {
    /// Tells a prepared directory from an empty one, such as a place where nothing is mounted.
    private static let markName = "keychain-sync-relay"
    private static let markContent = Array("1\n".utf8)
    private static let markContentOfWindows = Array("1\r\n".utf8)

    private struct Memory: Sendable {
        /// What `streams` returned last.
        var seen: [PeerName: Range<UInt64>] = [:]
        /// The first entry of streams that this value has written.
        var first: [PeerName: UInt64] = [:]
    }

    /// Where it is, as it was given.
    package let path: String
    private let account: AccountName
    private let namings: [StreamFolder.Naming]
    private let memory = Mutex(Memory())
    private let interruption: RelayWait
    private let watch: DirectoryWatch

    package let entryByteCountLimit = RelayLimit.entryByteCount

    /// A relay in this directory, which need not be there yet.
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

    package func streams() throws(RelayError) -> [PeerName: Range<UInt64>] {
        let ranges = try ranges()
        memory.withLock { $0.seen = ranges }
        return ranges
    }

    package func entries(
        of stream: PeerName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        let root = try root()
        guard let above = try root.folder(account.hexadecimal),
            let own = try above.folder(stream.hexadecimal)
        else { return [] }
        let folder = StreamFolder(folder: own)
        let range = try folder.range()
        guard range.contains(first) else { return [] }
        var entries: [[UInt8]] = []
        var byteCount = 0
        for number in first..<range.upperBound where entries.isEmpty || byteCount < byteCountLimit {
            do throws(RelayError) {
                guard let entry = try folder.entry(number) else { break }
                byteCount += entry.count
                entries.append(entry)
            } catch {
                // What is before it counts; it is told when it comes first.
                guard !entries.isEmpty else { throw error }
                break
            }
        }
        return entries
    }

    package func append(
        _ entry: [UInt8],
        to stream: PeerName,
        at number: UInt64
    ) throws(RelayError) {
        try append(contentsOf: [entry], to: stream, at: number)
    }

    package func append(
        contentsOf entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64
    ) throws(RelayError) {
        guard entries.allSatisfy({ $0.count <= entryByteCountLimit }) else {
            throw .tooLarge(limit: entryByteCountLimit)
        }
        try RelayLimit.check(first, count: entries.count)
        let above = try root().folder(making: account.hexadecimal)
        let folder = StreamFolder(folder: try above.folder(making: stream.hexadecimal))
        try begin(stream, at: first, in: folder)
        for (offset, entry) in entries.enumerated() {
            try put(entry, to: stream, at: first + UInt64(offset), in: folder)
        }
        try folder.folder.synchronize()
        let end = first + UInt64(entries.count)
        memory.withLock { memory in
            // One's own entries are no news.
            guard let seen = memory.seen[stream], seen.contains(first) || seen.upperBound == first
            else { return }
            memory.seen[stream] = seen.lowerBound..<max(end, seen.upperBound)
        }
    }

    package func trim(_ stream: PeerName, below number: UInt64) throws(RelayError) {
        let root = try root()
        guard let above = try root.folder(account.hexadecimal),
            let own = try above.folder(stream.hexadecimal)
        else { return }
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
            if let seen = memory.seen[stream], seen.contains(first) {
                memory.seen[stream] = first..<seen.upperBound
            }
        }
        try folder.removeAll(below: first)
    }

    package func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        let deadline = Deadline.after(limit)
        while true {
            try watch.begin(path, account)
            if try ranges() != memory.withLock({ $0.seen }) { return true }
            guard !deadline.isOver else { return false }
            if watch.wait(interruption, until: deadline) == .interrupted { return false }
        }
    }

    package func interrupt() { interruption.interrupt() }

    /// Paths below the relay's directory that no peer writes, such as copies that a program made
    /// when it found two versions of a file.
    package func foreignPaths() throws(RelayError) -> [String] {
        let root = try root()
        var paths: [String] = []
        guard let above = try root.folder(account.hexadecimal) else { return [] }
        var names: [String] = []
        try above.forEachName { name, _ in names.append(name) }
        for name in names {
            let isStream = PeerName(hexadecimal: name) != nil
            guard isStream, !above.isFile(name), let folder = try? above.folder(name) else {
                paths.append("\(account.hexadecimal)/\(name)")
                continue
            }
            try folder.forEachName { inner, isFile in
                guard EntryFile.meaning(of: inner) == .foreign || !isFile else { return }
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
        // git writes line ends as its checkout's settings say.
        guard content == Self.markContent || content == Self.markContentOfWindows else {
            throw .refused("\(path) was prepared by another version")
        }
    }

    private func ranges() throws(RelayError) -> [PeerName: Range<UInt64>] {
        let root = try root()
        guard let above = try root.folder(account.hexadecimal) else { return [:] }
        var names: [PeerName] = []
        try above.forEachName { name, isFile in
            if !isFile, let name = PeerName(hexadecimal: name) { names.append(name) }
        }
        var ranges: [PeerName: Range<UInt64>] = [:]
        for name in names {
            // A link of that name, or one that is gone meanwhile, is no stream.
            guard let folder = try? above.folder(name.hexadecimal) else { continue }
            let range = try StreamFolder(folder: folder).range()
            if !range.isEmpty { ranges[name] = range }
        }
        return ranges
    }

    /// Looks at a stream before its first entry by this value, and checks where it goes on.
    private func begin(
        _ stream: PeerName,
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
        to stream: PeerName,
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
            return try complete(name, content, in: folder)
        }
        guard kept == entry else { throw .occupied(stream, number) }
        try folder.synchronize(name)
    }

    /// Puts the file of an entry in the place of its beginning: more a stick may not have that was
    /// pulled while it was written.
    private func complete(
        _ name: String,
        _ content: [UInt8],
        in folder: borrowing StreamFolder
    ) throws(RelayError) {
        let path = "\(folder.folder.path)/\(name)"
        let kept = try folder.folder.read(name, byteCountLimit: EntryFile.byteCountLimit) ?? []
        guard content.starts(with: kept) else { throw .damaged("\(path) is not whole") }
        try folder.folder.remove(name)
        guard try folder.put(content, as: name, namings) else {
            throw .unreachable("another program writes \(path)")
        }
    }
}
