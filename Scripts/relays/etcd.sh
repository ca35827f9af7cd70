# An etcd of its own with client certificates, then with users. For Scripts/relays-real.sh.

start_etcd() {
    "$etcd" --name relays --data-dir "$root/data" --listen-client-urls "$place_of_etcd" \
        --advertise-client-urls "$place_of_etcd" --listen-peer-urls http://127.0.0.1:22391 \
        --initial-advertise-peer-urls http://127.0.0.1:22391 \
        --initial-cluster relays=http://127.0.0.1:22391 --client-cert-auth \
        --trusted-ca-file "$root/ca.crt" --cert-file "$root/server.crt" --key-file "$root/server.key" \
        --quota-backend-bytes 16777216 "$@" >>"$root/etcd.log" 2>&1 &
    server=$!
    running+=($server)
    # One without space is up, and not healthy.
    eventually curl -sS --cacert "$root/ca.crt" --cert "$root/client.crt" --key "$root/client.key" \
        "$place_of_etcd/health"
}
stop_etcd() { kill -9 "$server" && wait "$server" 2>/dev/null || true; }
# operate PATH BODY: what an operator does.
operate() {
    curl -fsS --cacert "$root/ca.crt" --cert "$root/client.crt" --key "$root/client.key" \
        ${token:+-H "Authorization: $token"} "$place_of_etcd/v3/$1" -d @- <<<"$2"
}
base64_of() { printf '%s' "$1" | base64 -w0; }

# as_client CA CERTIFICATE WORDS…: with other files than those that are right; nothing for none.
as_client() {
    local known=("${extra[@]}") result=0
    extra=("ETCDCTL_CACERT=$root/$1.crt")
    [[ -z $2 ]] || extra+=("ETCDCTL_CERT=$root/$2.crt" "ETCDCTL_KEY=$root/$2.key")
    "${@:3}" || result=1
    extra=("${known[@]}")
    return $result
}
certificates_are_checked() {
    as_client stranger client refuses "certificate" on laptop sync once &&
        as_client ca strange refuses "certificate|alert|reached" on laptop sync once &&
        as_client ca "" refuses "certificate|alert|reached" on laptop sync once &&
        as_client ca nobody refuses "nobody.crt" on laptop sync once &&
        on laptop sync once
}

restarted_etcd() {
    stop_etcd
    add laptop restart one
    eventually grep -q "waits for the relay" "$root/laptop.run" || { cat "$root/laptop.run"; return 1; }
    start_etcd
    eventually grep -q "goes on" "$root/laptop.run" || { cat "$root/laptop.run"; return 1; }
    on desk sync once && eventually settles both restart one
}

# One user for each account, who may change what is below the account's name only.
users() {
    local account=$1 prefix end name
    prefix=keychain-sync/2/$account/
    end=${prefix%/}0
    for name in root device other; do
        operate auth/user/add "{\"name\":\"$name\",\"password\":\"pa:ss\"}" || return 1
        operate auth/role/add "{\"name\":\"$name\"}" || return 1
        operate auth/user/grant "{\"user\":\"$name\",\"role\":\"$name\"}" || return 1
    done
    operate auth/role/grant "{\"name\":\"device\",\"perm\":{\"permType\":2,
        \"key\":\"$(base64_of "$prefix")\",\"range_end\":\"$(base64_of "$end")\"}}" || return 1
    operate auth/enable '{}' || return 1
    token=$(operate auth/authenticate '{"name":"root","password":"pa:ss"}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
    printf 'device:pa:ss\n' >"$root/device"
    printf 'other:pa:ss\n' >"$root/other"
    printf 'device:pass\n' >"$root/wrong"
    chmod 600 "$root/device" "$root/other" "$root/wrong"
    refuses "user name is empty|refuses" on desk sync once || return 1
    as_client ca named refuses "status 400: CommonName" on desk sync once || return 1
    as_user other refuses permission on desk sync once || return 1
    as_user wrong refuses "authentication failed" on desk sync once || return 1
    chmod 644 "$root/device"
    as_user device refuses "$root/device" on desk sync once || return 1
    chmod 600 "$root/device"
    extra+=("KEYCHAIN_ETCD_CREDENTIALS=$root/device")
    add desk users one
    eventually settles both users one
}

as_user() {
    local known=("${extra[@]}") result=0
    extra+=("KEYCHAIN_ETCD_CREDENTIALS=$root/$1")
    "${@:2}" || result=1
    extra=("${known[@]}")
    return $result
}

# The space that etcd has is used up; then it gets more.
full_etcd() {
    local value number
    value=$(head -c 900000 /dev/zero | base64 -w0)
    for number in $(seq 1 20); do
        operate kv/put "{\"key\":\"$(base64_of "filler$number")\",\"value\":\"$value\"}" >/dev/null 2>&1 || break
    done
    add desk space one
    refuses "space" on desk sync once || return 1
    stop_etcd
    start_etcd --quota-backend-bytes 67108864
    local member
    member=$(operate maintenance/alarm '{}' | sed -n 's/.*"memberID":"\([0-9]*\)".*/\1/p')
    operate maintenance/alarm "{\"action\":\"DEACTIVATE\",\"alarm\":\"NOSPACE\",
        \"memberID\":\"$member\"}" >/dev/null || return 1
    eventually settles both space one
}

try_etcd() {
    begin etcd
    needs openssl openssl || return 0
    needs curl curl || return 0
    etcd=$(command -v etcd || true)
    if [[ -z $etcd ]] && command -v apt-get >/dev/null; then
        (cd "$root" && apt-get download etcd-server >/dev/null 2>&1 && dpkg-deb -x etcd-server_*.deb program) || true
        [[ -x $root/program/usr/bin/etcd ]] && etcd=$root/program/usr/bin/etcd
    fi
    [[ -n $etcd ]] || { lacks "etcd; sudo apt-get install etcd-server"; return 0; }
    place_of_etcd=https://localhost:22390
    token=
    authority ca
    authority stranger
    certificate server ca localhost 2
    certificate client ca "" 2
    certificate named ca device 2
    certificate strange stranger device 2
    start_etcd
    extra=("ETCDCTL_CACERT=$root/ca.crt" "ETCDCTL_CERT=$root/client.crt" "ETCDCTL_KEY=$root/client.key")
    holds "a circle forms over etcd with client certificates" pair "etcd:$place_of_etcd"
    promises
    holds "a wrong CA and wrong or missing client certificates are refused" certificates_are_checked
    start_run laptop
    holds "etcd is killed and started during sync run" restarted_etcd
    holds "sync run goes on" stop_run
    holds "an etcd without space is reported, and goes on with space" full_etcd
    holds "users: only that of the account may" users "$(account_of_etcd)"
}
account_of_etcd() {
    operate kv/range "{\"key\":\"$(base64_of keychain-sync/2/)\",
        \"range_end\":\"$(base64_of keychain-sync/20)\",\"limit\":1,\"keys_only\":true}" |
        sed 's/.*"key":"\([^"]*\)".*/\1/' | base64 -d | cut -d/ -f3
}
