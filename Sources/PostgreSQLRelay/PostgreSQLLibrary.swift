import RelayLibraries
import SyncRelay

@_implementationOnly import CPostgreSQL

/// The functions of libpq that the relay calls, loaded when they are needed.
struct PostgreSQLLibrary {
    let connect: cpq_connect
    let goOn: cpq_go_on
    let usedPassword: cpq_used_password
    let finish: cpq_finish
    let status: cpq_status
    let socket: cpq_socket
    let serverProcess: cpq_server_process
    let message: cpq_message
    let setNonblocking: cpq_set_nonblocking
    let setNotices: cpq_set_notices
    let send: cpq_send
    let flush: cpq_flush
    let receive: cpq_receive
    let isBusy: cpq_is_busy
    let notification: cpq_notification
    let free: cpq_free
    let result: cpq_result
    let clear: cpq_clear
    let resultStatus: cpq_result_status
    let resultField: cpq_result_field
    let rowCount: cpq_row_count
    let columnCount: cpq_column_count
    let value: cpq_value
    let valueLength: cpq_value_length
    let isNull: cpq_is_null

    /// Loads the library; after the first time this takes microseconds.
    ///
    /// - Throws: `refused` with the name of the package that is not installed.
    init() throws(RelayError) {
        let library = try LoadedLibrary(["libpq.so.5"], package: "libpq5")
        connect = try library.symbol("PQconnectStartParams")
        goOn = try library.symbol("PQconnectPoll")
        usedPassword = try library.symbol("PQconnectionUsedPassword")
        finish = try library.symbol("PQfinish")
        status = try library.symbol("PQstatus")
        socket = try library.symbol("PQsocket")
        serverProcess = try library.symbol("PQbackendPID")
        message = try library.symbol("PQerrorMessage")
        setNonblocking = try library.symbol("PQsetnonblocking")
        setNotices = try library.symbol("PQsetNoticeProcessor")
        send = try library.symbol("PQsendQueryParams")
        flush = try library.symbol("PQflush")
        receive = try library.symbol("PQconsumeInput")
        isBusy = try library.symbol("PQisBusy")
        notification = try library.symbol("PQnotifies")
        free = try library.symbol("PQfreemem")
        result = try library.symbol("PQgetResult")
        clear = try library.symbol("PQclear")
        resultStatus = try library.symbol("PQresultStatus")
        resultField = try library.symbol("PQresultErrorField")
        rowCount = try library.symbol("PQntuples")
        columnCount = try library.symbol("PQnfields")
        value = try library.symbol("PQgetvalue")
        valueLength = try library.symbol("PQgetlength")
        isNull = try library.symbol("PQgetisnull")
    }
}
