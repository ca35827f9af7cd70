#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include "../missing-libraries.h"
#endif

// Nothing is linked: the library is loaded when a database is used, and these are the types of what
// is looked up in it.
typedef __typeof__(&PQconnectStartParams) cpq_connect;
typedef __typeof__(&PQconnectPoll) cpq_go_on;
typedef __typeof__(&PQconnectionUsedPassword) cpq_used_password;
typedef __typeof__(&PQfinish) cpq_finish;
typedef __typeof__(&PQstatus) cpq_status;
typedef __typeof__(&PQsocket) cpq_socket;
typedef __typeof__(&PQbackendPID) cpq_server_process;
typedef __typeof__(&PQerrorMessage) cpq_message;
typedef __typeof__(&PQsetnonblocking) cpq_set_nonblocking;
typedef __typeof__(&PQsetNoticeProcessor) cpq_set_notices;
typedef __typeof__(&PQsendQueryParams) cpq_send;
typedef __typeof__(&PQflush) cpq_flush;
typedef __typeof__(&PQconsumeInput) cpq_receive;
typedef __typeof__(&PQisBusy) cpq_is_busy;
typedef __typeof__(&PQnotifies) cpq_notification;
typedef __typeof__(&PQfreemem) cpq_free;
typedef __typeof__(&PQgetResult) cpq_result;
typedef __typeof__(&PQclear) cpq_clear;
typedef __typeof__(&PQresultStatus) cpq_result_status;
typedef __typeof__(&PQresultErrorField) cpq_result_field;
typedef __typeof__(&PQntuples) cpq_row_count;
typedef __typeof__(&PQnfields) cpq_column_count;
typedef __typeof__(&PQgetvalue) cpq_value;
typedef __typeof__(&PQgetlength) cpq_value_length;
typedef __typeof__(&PQgetisnull) cpq_is_null;

#endif
