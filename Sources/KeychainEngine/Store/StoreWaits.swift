/// The times for which a store waits for other processes, in milliseconds.
package struct StoreWaits: Sendable, Hashable {
    /// The wait for the write lock, and for readers if the earlier value must not stay behind.
    package var busy: Int32
    /// The wait for readers after any other write, when only its earlier value is still stored.
    package var brief: Int32

    package init(busy: Int32 = SQLiteConnection.busyTimeoutMilliseconds, brief: Int32 = 10) {
        self.busy = busy
        self.brief = brief
    }
}
