# A folder that two instances of Syncthing share. For Scripts/relays-real.sh.

# syncthing_of DEVICE PORT: an instance that finds and tells nobody.
start_syncthing() {
    STNODEFAULTFOLDER=1 STNOUPGRADE=1 HOME=$root/$1 syncthing --home "$root/$1/syncthing" --no-browser \
        --no-restart --no-upgrade --gui-address "127.0.0.1:$2" >>"$root/$1.syncthing" 2>&1 &
    instance[$1]=$!
    running+=($!)
    eventually syncthing_is_up "$1" "$2"
}
syncthing_is_up() { rest "$1" "$2" GET system/ping; }

# rest DEVICE PORT METHOD PATH [BODY]
rest() {
    curl -fsS -X "$3" -H "X-API-Key: ${key[$1]}" "http://127.0.0.1:$2/rest/$4" ${5:+-d "$5"}
}

make_syncthing() {
    local device=$1 port=$2 home=$root/$1/syncthing
    syncthing generate --home "$home" --no-default-folder >"$root/$device.syncthing" 2>&1
    sed -i -E -e 's#<((global|local)AnnounceEnabled|relaysEnabled|natEnabled)>true<#<\1>false<#' \
        -e 's#<(crashReportingEnabled|startBrowser)>true<#<\1>false<#' \
        -e "s#<listenAddress>.*<#<listenAddress>tcp://127.0.0.1:$port<#" \
        -e 's#<urAccepted>0<#<urAccepted>-1<#' \
        -e 's#<reconnectionIntervalS>.*<#<reconnectionIntervalS>1<#' \
        -e 's#<autoUpgradeIntervalH>.*<#<autoUpgradeIntervalH>0<#' "$home/config.xml"
    key[$device]=$(sed -n 's#.*<apikey>\(.*\)</apikey>.*#\1#p' "$home/config.xml")
    name[$device]=$(syncthing --home "$home" --device-id)
}

# share DEVICE PORT PEER PEERPORT: tells an instance of the other and of the folder.
share() {
    rest "$1" "$2" PUT "config/devices/${name[$3]}" \
        "{\"deviceID\":\"${name[$3]}\",\"name\":\"$3\",\"addresses\":[\"tcp://127.0.0.1:$4\"]}" >/dev/null
    rest "$1" "$2" PUT config/folders/keychain \
        "{\"id\":\"keychain\",\"path\":\"$root/$1/Sync\",\"type\":\"sendreceive\",
        \"fsWatcherEnabled\":true,\"fsWatcherDelayS\":1,\"rescanIntervalS\":5,
        \"devices\":[{\"deviceID\":\"${name[desk]}\"},{\"deviceID\":\"${name[laptop]}\"}]}" >/dev/null
}

no_conflicts() { ! find "$root"/*/Sync -name "*.sync-conflict-*" ! -name "*-20260101-*" | grep .; }
no_partial() { ! find "$root"/*/Sync -name ".unfinished-*" | grep .; }
same_files() { diff -r -x .stfolder -x ".syncthing.*.tmp" "$root/desk/Sync" "$root/laptop/Sync"; }

# A conflict copy and a partial file, as Syncthing leaves them, do not count.
foreign_files() {
    local entry link
    entry=$(find "$root/desk/Sync" -name '*.entry' | head -n 1)
    link=$(find "$root/desk/Sync" -name '*.link' | head -n 1)
    cp "$link" "${link%.link}.sync-conflict-20260101-120000-ABCDEFG.link"
    cp "$entry" "${entry%.entry}.sync-conflict-20260101-120000-ABCDEFG.entry"
    head -c 50 "$entry" >"$(dirname "$entry")/.syncthing.$(basename "$entry").tmp"
    add desk foreign one
    eventually settles both foreign one
}

# Both prepare the relay before Syncthing has carried anything.
apart() {
    kill "${instance[laptop]}" && wait "${instance[laptop]}" 2>/dev/null || true
    add desk apart one && on desk sync once && add laptop apart two && on laptop sync once || return 1
    add desk apart2 one && on desk sync once || return 1
    start_syncthing laptop 28385
    eventually settles both apart two && both apart2 one
}

try_syncthing() {
    begin syncthing
    needs "syncthing curl" syncthing curl || return 0
    declare -gA instance=() key=() name=()
    make_syncthing desk 28001
    make_syncthing laptop 28002
    mkdir -m 700 "$root/desk/Sync" "$root/laptop/Sync"
    start_syncthing desk 28384
    start_syncthing laptop 28385
    share desk 28384 laptop 28002
    share laptop 28385 desk 28001
    holds "a circle forms over Syncthing" pair "$root/desk/Sync" "$root/laptop/Sync"
    promises
    start_run laptop
    add desk live one && on desk sync once >/dev/null
    holds "sync run sees what Syncthing brings" eventually has laptop live one
    holds "sync run goes on" stop_run
    holds "one instance was stopped and started: both have all" apart
    holds "a conflict copy and a partial file do not count" foreign_files
    holds "both folders become the same" eventually same_files
    holds "Syncthing made no conflict" no_conflicts
    holds "no partial file is left" eventually no_partial
}
