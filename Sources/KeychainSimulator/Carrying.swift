import KeychainHost
import KeychainMessages
import KeychainModel

// Dispatch queues, operation queues, threads and detached tasks do not inherit the app. These
// functions wrap a function so that it runs as its app wherever it is called.

extension SimulatedApp {
    /// Returns a function that runs as this app on any queue or thread.
    ///
    /// Dispatch queues, operation queues, threads and detached tasks inherit no app. Wrap their
    /// work in this function.
    ///
    /// ```swift
    /// DispatchQueue.global().async(execute: app.carrying { SecItemDelete(query) })
    /// Thread.detachNewThread(app.carrying { refreshToken() })
    /// center.addObserver(forName: name, object: nil, queue: .main, using: app.carrying { note in
    ///     reload()
    /// })
    /// ```
    public func carrying<each Argument, Value>(
        _ execution: Execution = .foreground,
        _ body: @escaping @Sendable (repeat each Argument) -> Value
    ) -> @Sendable (repeat each Argument) -> Value {
        RequestRouter.carrying(endpoint(execution), body)
    }

    /// Returns a throwing function that runs as this app on any queue or thread.
    public func carrying<each Argument, Value>(
        _ execution: Execution = .foreground,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> @Sendable (repeat each Argument) throws -> Value {
        RequestRouter.carrying(endpoint(execution), body)
    }

    /// Returns an asynchronous function that runs as this app, for example in `Task.detached`.
    public func carrying<Value>(
        _ execution: Execution = .foreground,
        _ body: @escaping @Sendable () async throws -> Value
    ) -> @Sendable () async throws -> Value {
        RequestRouter.carrying(endpoint(execution), body)
    }
}

extension SimulatedDevice {
    /// Returns a function that runs on any queue or thread as the app that runs now on this device.
    ///
    /// Outside of every app, it is the app that ran last on the device. If none ran yet, it is the
    /// first one installed. On a device without apps, the calls of the function fail with
    /// `errSecNotAvailable`.
    public func carrying<each Argument, Value>(
        _ body: @escaping @Sendable (repeat each Argument) -> Value
    ) -> @Sendable (repeat each Argument) -> Value {
        RequestRouter.carrying(presentEndpoint, body)
    }

    /// Returns a throwing function that runs on any queue or thread as the app that runs now.
    public func carrying<each Argument, Value>(
        _ body: @escaping @Sendable (repeat each Argument) throws -> Value
    ) -> @Sendable (repeat each Argument) throws -> Value {
        RequestRouter.carrying(presentEndpoint, body)
    }

    /// Returns an asynchronous function that runs as the app that runs now.
    public func carrying<Value>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> @Sendable () async throws -> Value {
        RequestRouter.carrying(presentEndpoint, body)
    }
}

// The app for a carried function.
extension SimulatedDevice {
    /// The endpoint of the app that runs in this task, or else of the last one that ran on this
    /// device.
    var presentEndpoint: any Endpoint {
        if let running = RequestRouter.current as? AppEndpoint, running.device === self {
            return running
        }
        guard let launch = lastLaunch.withLock({ $0 }) else { return StrayEndpoint() }
        return AppEndpoint(device: self, launch: launch)
    }

    /// Records an app that runs.
    func note(_ launch: AppLaunch) { lastLaunch.withLock { $0 = launch } }

    /// Records the first installed app in place of one that has run.
    func noteInstallation(of app: SimulatedApp) {
        lastLaunch.withLock { $0 = $0 ?? app.launch(.foreground) }
    }

    /// Forgets an uninstalled app.
    func forgetLaunch(of manifest: SimulatedApp.Manifest) {
        lastLaunch.withLock { launch in
            if launch?.manifest.bundleIdentifier == manifest.bundleIdentifier { launch = nil }
        }
    }
}
