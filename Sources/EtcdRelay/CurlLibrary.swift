import RelayLibraries
import SyncRelay
import Synchronization

@_implementationOnly import CCurl

/// The functions of libcurl that the relay calls, loaded when they are needed.
struct CurlLibrary {
    let make: ccurl_make
    let end: ccurl_end
    let perform: ccurl_perform
    let words: ccurl_words
    let append: ccurl_append
    let freeList: ccurl_free_list
    let makeGroup: ccurl_make_group
    let endGroup: ccurl_end_group
    let add: ccurl_add
    let remove: ccurl_remove
    let goOn: ccurl_go_on
    let poll: ccurl_poll
    let news: ccurl_news
    /// Functions with variable arguments.
    let set: UnsafeMutableRawPointer
    let get: UnsafeMutableRawPointer

    private static let isBegun = Mutex(false)

    /// Loads the library; after the first time this takes microseconds.
    ///
    /// - Throws: `refused` with the name of the package that is not installed.
    init() throws(RelayError) {
        let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
        let library = try LoadedLibrary(names, package: "libcurl4")
        make = try library.symbol("curl_easy_init")
        end = try library.symbol("curl_easy_cleanup")
        perform = try library.symbol("curl_easy_perform")
        words = try library.symbol("curl_easy_strerror")
        append = try library.symbol("curl_slist_append")
        freeList = try library.symbol("curl_slist_free_all")
        makeGroup = try library.symbol("curl_multi_init")
        endGroup = try library.symbol("curl_multi_cleanup")
        add = try library.symbol("curl_multi_add_handle")
        remove = try library.symbol("curl_multi_remove_handle")
        goOn = try library.symbol("curl_multi_perform")
        poll = try library.symbol("curl_multi_poll")
        news = try library.symbol("curl_multi_info_read")
        set = try library.address("curl_easy_setopt")
        get = try library.address("curl_easy_getinfo")
        let begin: ccurl_begin = try library.symbol("curl_global_init")
        let hasBegun = Self.isBegun.withLock { isBegun in
            // CURL_GLOBAL_ALL
            if !isBegun { isBegun = begin(3) == CURLE_OK }
            return isBegun
        }
        guard hasBegun else { throw .refused("libcurl does not start") }
    }
}
