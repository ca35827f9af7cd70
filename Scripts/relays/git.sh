# Two clones of a bare repository that a timer commits, pulls and pushes. For Scripts/relays-real.sh.

git_in() {
    git -C "$root/$1/relay" -c user.name="$1" -c user.email="$1@localhost" -c gc.auto=0 "${@:2}"
}

# tick DEVICE: what a timer does; another push in between is tried again.
tick() {
    local try
    git_in "$1" add -A || return 1
    git_in "$1" diff --cached --quiet || git_in "$1" commit -qm relay || return 1
    for try in 1 2 3; do
        # The first pull finds no branch.
        git_in "$1" pull -q --rebase 2>/dev/null || true
        if git_in "$1" push -q origin HEAD:main; then return 0; fi
    done
    return 1
}

clone() {
    git clone -q "$root/bare" "$root/$1/relay" 2>/dev/null
    git_in "$1" symbolic-ref HEAD refs/heads/main
    git_in "$1" config branch.main.remote origin
    git_in "$1" config branch.main.merge refs/heads/main
    git_in "$1" config core.autocrlf "$2"
}

# Both change and commit at the same time, again and again.
at_once() {
    local round
    for round in 1 2 3 4 5; do
        add desk "d$round" x && add laptop "l$round" y && on desk sync once && on laptop sync once || return 1
        git_in desk add -A && git_in laptop add -A && git_in desk commit -qm d && git_in laptop commit -qm l || return 1
        carry || return 1
    done
    eventually settles both d5 x && both l1 y
}

# A checkout that was put back to an older commit is noticed, and goes on when it is forward again.
rolled_back() {
    local now
    now=$(git_in laptop rev-parse HEAD)
    git_in laptop reset -q --hard HEAD~4
    refuses "put back|shows less" on laptop sync once || return 1
    git_in laptop reset -q --hard "$now"
    add desk forward one
    eventually settles both forward one
}

try_git() {
    local conversion
    needs git git || return 0
    for conversion in false true; do
        begin "git-$conversion"
        git init -q --bare -b main "$root/bare"
        clone desk "$conversion"
        clone laptop "$conversion"
        carry() { tick desk && tick laptop && tick desk; }
        holds "a circle forms over git, core.autocrlf=$conversion" pair "$root/desk/relay" "$root/laptop/relay"
        promises
        holds "commits on both sides never conflict" at_once
        holds "an older checkout is noticed, a newer one goes on" rolled_back
        carry() { :; }
    done
}
