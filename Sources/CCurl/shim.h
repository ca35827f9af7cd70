#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#if !__has_include(<curl/curl.h>)
#include "../missing-libraries.h"
#endif
#include <curl/curl.h>

// Nothing is linked: the library is loaded when a relay is reached through it, and these are the
// types of what is looked up in it.
typedef __typeof__(&curl_global_init) ccurl_begin;
typedef __typeof__(&curl_easy_init) ccurl_make;
typedef __typeof__(&curl_easy_cleanup) ccurl_end;
typedef __typeof__(&curl_easy_perform) ccurl_perform;
typedef __typeof__(&curl_easy_strerror) ccurl_words;
typedef __typeof__(&curl_slist_append) ccurl_append;
typedef __typeof__(&curl_slist_free_all) ccurl_free_list;
typedef __typeof__(&curl_multi_init) ccurl_make_group;
typedef __typeof__(&curl_multi_cleanup) ccurl_end_group;
typedef __typeof__(&curl_multi_add_handle) ccurl_add;
typedef __typeof__(&curl_multi_remove_handle) ccurl_remove;
typedef __typeof__(&curl_multi_perform) ccurl_go_on;
typedef __typeof__(&curl_multi_poll) ccurl_poll;
typedef __typeof__(&curl_multi_info_read) ccurl_news;

/// Takes what arrives.
typedef size_t (*ccurl_sink)(char *, size_t, size_t, void *);

// Swift calls no functions with varying arguments: the function is curl_easy_setopt, or
// curl_easy_getinfo for the last one.

static inline CURLcode ccurl_set_text(
    void *function, CURL *handle, CURLoption option, const char *value) {
    return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);
}

static inline CURLcode ccurl_set_number(
    void *function, CURL *handle, CURLoption option, long value) {
    return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(
    void *function, CURL *handle, CURLoption option, void *value) {
    return ((CURLcode(*)(CURL *, CURLoption, ...))function)(handle, option, value);
}

static inline CURLcode ccurl_set_sink(void *function, CURL *handle, ccurl_sink sink) {
    return ((CURLcode(*)(CURL *, CURLoption, ...))function)(
        handle, CURLOPT_WRITEFUNCTION, sink);
}

static inline CURLcode ccurl_get_status(void *function, CURL *handle, long *status) {
    return ((CURLcode(*)(CURL *, CURLINFO, ...))function)(
        handle, CURLINFO_RESPONSE_CODE, status);
}

/// The result of the transfer that a message is about.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }

#endif
