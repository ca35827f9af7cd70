#!/bin/sh
# Behaves as secret-tool(1) does with one password of git in its store, a file beside it.
# Attributes go to standard error, as libsecret's own tool has it.
store="$(dirname "$0")/secret-service-store"
case "$1" in
search)
    [ "$5" = org.git.Password ] && [ -f "$store" ] || exit 1
    printf '[/1]\nlabel = Git: https://git.example.org/\nsecret = '
    cat "$store"
    printf '\ncreated = 2025-03-01 12:00:00\nmodified = 2025-03-01 12:00:00\n'
    printf 'schema = org.git.Password\nattribute.protocol = https\n' >&2
    printf 'attribute.server = git.example.org\nattribute.user = alice\n' >&2
    ;;
lookup) cat "$store" ;;
clear) rm "$store" ;;
*) exit 2 ;;
esac
