import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServices
import KeychainSimulator
import ProtectedFiles

// Actions of apps on protected files in their containers.
extension ScenarioEnvironment {
    mutating func perform(_ call: FileCall, on target: ScenarioDevice) -> Outcome {
        guard let file = file(call.file), let app = target.apps[call.app] else {
            return Outcome(.file(.noSuchFile), "the scenario has no such file")
        }
        guard let path = app.path(of: file) else {
            return Outcome(.file(.readNoPermission), "the app is not in \(file.group ?? "")")
        }
        return app.run(call.execution) {
            do throws(FileRefusal) {
                try perform(call.action, file, at: path, on: target)
                return .success
            } catch { return error.outcome(of: call.action) }
        }
    }

    private mutating func perform(
        _ action: FileCall.Action,
        _ file: Scenario.FileSetup,
        at path: String,
        on target: ScenarioDevice
    ) throws(FileRefusal) {
        switch action {
        case .open: target.openFiles[file.name] = try .inApp(path, nil)
        case .close:
            guard let open = target.openFiles.removeValue(forKey: file.name) else {
                throw .file(.closed)
            }
            try FileRefusal.of { () throws(FileFailure) in try open.close() }
        case .write(let content):
            try write(content ?? file.content, file, at: path, target.openFiles[file.name])
        case .read: try read(file, at: path, target.openFiles[file.name])
        case .delete:
            target.openFiles[file.name] = nil
            try FileRefusal.of { () throws(FileFailure) in try FileDestruction.remove(path) }
        case .protect(let fileClass):
            let container = try FileContainer.inApp(path, target.openFiles[file.name])
            try FileRefusal.of { () throws(FileFailure) in try container.move(to: fileClass) }
            classes[file.name] = fileClass
        }
    }

    private mutating func write(
        _ content: String,
        _ file: Scenario.FileSetup,
        at path: String,
        _ open: FileContainer?
    ) throws(FileRefusal) {
        let item = file.key.flatMap(item)
        let bytes =
            try item.map { item throws(FileRefusal) in
                try item.seal(Array(content.utf8))
            } ?? Array(content.utf8)
        try FileRefusal.of { () throws(FileFailure) in
            if let open { return try open.replaceContent(bytes) }
            let new = try NewFile(path, file.fileClass, group: file.group, .ambient)
            try new.container.replaceContent(bytes)
            if file.isExcludedFromBackup { try new.container.setExcludedFromBackup(true) }
            try new.publish(replacing: true)
            classes[file.name] = file.fileClass
        }
        writtenFiles[file.name, default: []].insert(content)
    }

    private func read(
        _ file: Scenario.FileSetup,
        at path: String,
        _ open: FileContainer?
    ) throws(FileRefusal) {
        // The content needs both layers. An app gets the item's key first.
        let item = file.key.flatMap(item)
        let key = try item.map { item throws(FileRefusal) in try item.fileKey() }
        let stored = try FileRefusal.of { () throws(FileFailure) in
            guard let open else {
                return try FileContainer.open(path, isWritable: false, .ambient).allContent()
            }
            return try open.allContent()
        }
        let content = try key.map { key throws(FileRefusal) in try key.open(stored) } ?? stored
        let isKnown = writtenFiles[file.name]?.contains(String(decoding: content, as: UTF8.self))
        guard isKnown == true else { throw .corrupt }
    }
}

// The state of files, determined without changing them.
extension ScenarioEnvironment {
    func sample(of file: Scenario.FileSetup, on target: ScenarioDevice) -> ItemSample {
        let code: Int32
        if let app = target.apps[file.app], let path = app.path(of: file),
            FileManager.default.fileExists(atPath: path)
        {
            code =
                app.lookingAhead {
                    do throws(FileFailure) {
                        let wrapped = try FileContainer.examine(path)
                        try FileKeySource.examine(wrapped)
                        return 0
                    } catch { return FileRefusal.file(error).outcome(of: .read).status.code }
                }.0
        } else {
            code = FileErrorCode.readNoSuchFile.rawValue
        }
        let outcome: ItemSample.Outcome =
            switch FileErrorCode(rawValue: code) {
            case nil where code == 0: .readable
            case .readNoPermission where target.staysOpen(file.name): .open
            case .readNoPermission: .locked
            case .readNoSuchFile: .absent
            default: .refused
            }
        return ItemSample(name: file.name, outcome: outcome, status: code, asks: nil)
    }
}

extension ScenarioDevice {
    /// Whether an app has the file open in a class that stays readable without its key.
    fileprivate func staysOpen(_ file: String) -> Bool {
        openFiles[file]?.fileClass == .completeUnlessOpen
    }
}

extension SimulatedApp {
    /// Returns the path of a file; nil if the app may not use the group.
    fileprivate func path(of file: Scenario.FileSetup) -> String? {
        let directory =
            file.group.map { containerURL(forSecurityApplicationGroupIdentifier: $0) } ?? container
        return directory?.appendingPathComponent(file.name).path
    }
}

extension FileContainer {
    /// Returns the open file, or else opens it for reading and writing in the running app.
    fileprivate static func inApp(
        _ path: String,
        _ open: FileContainer?
    ) throws(FileRefusal) -> FileContainer {
        if let open { return open }
        return try FileRefusal.of { () throws(FileFailure) in
            try .open(path, isWritable: true, .ambient)
        }
    }
}
