# A PostgreSQL server of its own with TLS and passwords. For Scripts/relays-real.sh.

as_server() {
    if ((EUID == 0)); then setpriv --reuid "$(id -u postgres)" --regid "$(id -g postgres)" --clear-groups "$@"
    else "$@"; fi
}
# control CLUSTER WORDS…: pg_ctl.
control() { as_server "$programs/pg_ctl" -D "$root/$1" -w -l "$root/$1.log" "${@:2}" >/dev/null; }
stop_postgresql() {
    local cluster
    for cluster in standby server; do
        [[ ! -f $work/postgresql/$cluster/postmaster.pid ]] ||
            as_server "$programs/pg_ctl" -D "$work/postgresql/$cluster" -m immediate stop >/dev/null || true
    done
}
ask() { as_server psql -qAt -v ON_ERROR_STOP=1 -h "$root" -p "$port" -U "$1" -d keychain -c "$2"; }

# authority NAME: a CA.
authority() {
    openssl req -x509 -newkey rsa:2048 -nodes -keyout "$root/$1.key" -out "$root/$1.crt" -days 2 \
        -subj "/CN=$1" 2>/dev/null
}
# certificate FILE CA NAME DAYS: one that the CA signed; without a name it has none.
certificate() {
    openssl req -newkey rsa:2048 -nodes -keyout "$root/$1.key" -out "$root/$1.csr" \
        -subj "/O=relays${3:+/CN=$3}" 2>/dev/null
    printf 'subjectAltName=DNS:%s\n' "${3:-nobody}" >"$root/$1.ext"
    [[ $3 != localhost ]] || printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >"$root/$1.ext"
    openssl x509 -req -in "$root/$1.csr" -CA "$root/$2.crt" -CAkey "$root/$2.key" -CAcreateserial \
        -extfile "$root/$1.ext" -out "$root/$1.crt" -days "$4" 2>/dev/null
}

# present FILE: the server shows another certificate.
present() {
    install -m 644 "$root/$1.crt" "$root/server/server.crt"
    install -m 600 "$root/$1.key" "$root/server/server.key"
    ((EUID != 0)) || chown postgres: "$root/server/server.crt" "$root/server/server.key"
    control server reload
    sleep 0.3
}

make_postgresql() {
    ((EUID != 0)) || chown postgres: "$root"
    chmod 711 "$root"
    authority ca
    authority stranger
    certificate good ca localhost 2
    certificate misnamed ca db.example.org 2
    certificate expired ca localhost 0
    as_server "$programs/initdb" -D "$root/server" -U owner -A trust >/dev/null
    as_server tee -a "$root/server/postgresql.conf" >/dev/null <<END
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$root'
ssl = on
password_encryption = 'scram-sha-256'
max_connections = 12
superuser_reserved_connections = 3
END
    as_server tee "$root/server/pg_hba.conf" >/dev/null <<END
local all owner trust
local replication owner trust
hostssl keychain device 127.0.0.1/32 scram-sha-256
END
    install -m 644 "$root/good.crt" "$root/server/server.crt"
    install -m 600 "$root/good.key" "$root/server/server.key"
    ((EUID != 0)) || chown postgres: "$root/server/server.crt" "$root/server/server.key"
    control server start
    as_server "$programs/createdb" -h "$root" -p "$port" -U owner keychain
    ask owner "CREATE ROLE device LOGIN PASSWORD 'pa:ss'"
    local device
    for device in desk laptop; do
        printf 'localhost:%s:keychain:device:pa\\:ss\n' "$port" >"$root/$device/.pgpass"
        chmod 600 "$root/$device/.pgpass"
    done
}

# prepare_tables: who owns the database makes the tables, and grants what relays.md names.
prepare_tables() {
    refuses "permission denied" on desk sync create --no-recovery --relay "$relay" || return 1
    [[ $(on desk sync status) == "This keychain is in no circle." ]] || return 1
    ask owner "GRANT CREATE ON SCHEMA public TO device"
    on desk -q sync create --no-recovery --relay "$relay" --name desk || return 1
    ask owner "REVOKE CREATE ON SCHEMA public FROM device; REASSIGN OWNED BY device TO owner;
        REVOKE ALL ON ALL TABLES IN SCHEMA public FROM device;
        GRANT SELECT ON keychain_sync_schema TO device;
        GRANT SELECT, INSERT, UPDATE, DELETE ON keychain_sync_streams TO device;
        GRANT SELECT, INSERT, DELETE ON keychain_sync_entries TO device;
        GRANT SELECT, INSERT ON keychain_sync_links TO device;" || return 1
    on desk sync leave
}

# with CA PATTERN: what a device says that trusts this CA.
with() { refuses "$2" on laptop sync once --relay "${address//CA/$1}"; }

bad_certificates() {
    with stranger "certificate verify failed" || return 1
    present misnamed
    with ca 'for "db.example.org" does not match host name "localhost"' || return 1
    present expired
    with ca "certificate (verify failed|has expired)|expired" || return 1
    present good
    on laptop sync once --relay "$relay"
}

bad_password() {
    mv "$root/laptop/.pgpass" "$root/laptop/.away"
    refuses "no password supplied" on laptop sync once || return 1
    sed 's/pa/pb/' "$root/laptop/.away" >"$root/laptop/.pgpass"
    chmod 644 "$root/laptop/.pgpass"
    refuses "no password supplied|password authentication failed" on laptop sync once || return 1
    chmod 600 "$root/laptop/.pgpass"
    refuses "password authentication failed" on laptop sync once || return 1
    mv "$root/laptop/.away" "$root/laptop/.pgpass"
    refuses "pgpass" on laptop sync once --relay "postgresql://device:secret@localhost/keychain" || return 1
    on laptop sync once
}

# Somebody holds the row of the desk's stream: statement_timeout and lock_timeout are 60 s and 30 s.
held() {
    as_server psql -qAt -h "$root" -p "$port" -U owner -d keychain >"$root/held" 2>&1 <<END &
BEGIN; UPDATE keychain_sync_streams SET next_number = next_number;
SELECT pg_sleep(36);
END
    local holder=$! since=$SECONDS
    sleep 0.5
    add desk held one
    refuses "lock timeout" on desk sync once || return 1
    ((SECONDS - since < 40)) || { echo "it took $((SECONDS - since)) s"; return 1; }
    wait $holder || true
    eventually settles both held one
}

restarted() {
    control server -m immediate stop
    add laptop restart one
    eventually grep -q "waits for the relay" "$root/laptop.run" || { cat "$root/laptop.run"; return 1; }
    control server start
    eventually grep -q "goes on" "$root/laptop.run" || { cat "$root/laptop.run"; return 1; }
    on desk sync once && eventually settles both restart one
}

# crowd: all connections that a role may have are taken; one more is tried as long as they are not.
crowd() {
    [[ $(ask owner "SELECT count(*) FROM pg_stat_activity WHERE usename = 'device'") -lt 9 ]] || return 0
    HOME=$root/desk PGSSLMODE=require psql -qAt -h localhost -p "$port" -U device -d keychain \
        -c 'SELECT pg_sleep(60)' >"$root/crowd.log" 2>&1 &
    others+=($!)
    return 1
}
crowded() {
    local others=()
    eventually crowd || { cat "$root/crowd.log"; return 1; }
    add desk crowd one
    refuses "too many|remaining connection slots" on desk sync once || return 1
    kill "${others[@]}" 2>/dev/null || true
    ask owner "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'device'" >/dev/null
    eventually settles both crowd one
}

read_only() {
    ask owner "ALTER ROLE device SET default_transaction_read_only = on"
    add desk readonly one
    refuses "read-only" on desk sync once || return 1
    ask owner "ALTER ROLE device RESET default_transaction_read_only"
    eventually settles both readonly one
}

standby() {
    as_server "$programs/pg_basebackup" -h "$root" -p "$port" -U owner -D "$root/standby" \
        -R -X stream -c fast || return 1
    as_server sed -i "s/^port = .*/port = $((port + 1))/" "$root/standby/postgresql.conf"
    as_server mkdir "$root/standby-socket"
    as_server tee -a "$root/standby/postgresql.conf" >/dev/null \
        <<<"unix_socket_directories = '$root/standby-socket'"
    control standby start || return 1
    printf 'localhost:%s:keychain:device:pa\\:ss\n' "$((port + 1))" >>"$root/desk/.pgpass"
    add desk standby one
    local both="${relay/localhost:$port/localhost:$((port + 1)),localhost:$port}"
    refuses "read-only|recovery" on desk sync once --relay "${relay/$port/$((port + 1))}" || return 1
    on desk sync once --relay "$both&target_session_attrs=read-write" || return 1
    control standby -m immediate stop
    on desk sync once --relay "$relay" && eventually settles both standby one
}

try_postgresql() {
    begin postgresql
    programs=$(find /usr/lib/postgresql -maxdepth 3 -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1)
    programs=${programs%/initdb}
    [[ -n $programs ]] || { lacks "PostgreSQL; sudo apt-get install postgresql"; return 0; }
    needs openssl openssl || return 0
    port=25432
    make_postgresql
    address="postgresql://device@localhost:$port/keychain?sslmode=verify-full&sslrootcert=$root/CA.crt"
    relay=${address/CA/ca}
    holds "a role without CREATE is refused; with it, it prepares the tables" prepare_tables
    holds "a circle forms with the grants that relays.md names alone" pair "$relay"
    promises
    holds "a wrong CA, a wrong name and an expired certificate are refused" bad_certificates
    holds "missing, wrong and readable passwords are refused" bad_password
    start_run laptop
    holds "the server is killed and started during sync run" restarted
    holds "sync run goes on" stop_run
    holds "a row that somebody holds is given up after 30 s" held
    holds "a server without free connections is reported" crowded
    holds "a read-only role is reported" read_only
    holds "a hot standby is reported; target_session_attrs avoids it" standby
}
