/// How long a store waits for other processes, in milliseconds.
package struct StoreWaits: Sendable, Hashable {
    /// For the write lock; for readers where a write may not leave its earlier value behind.
    package var busy: Int32
    /// For readers after any other write: it is done, and only its earlier value is still there.
    package var brief: Int32

    package init(busy: Int32 = SQLiteConnection.busyTimeoutMilliseconds, brief: Int32 = 10) {
        self.busy = busy
        self.brief = brief
    }
}
