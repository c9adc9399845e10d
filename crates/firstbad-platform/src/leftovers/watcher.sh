# Ends commands whose process is gone, however it came to its end. Its standard input is a pipe that the process holds:
# `+ <group>` and `- <group>` say which process groups run, `=` that nothing is started any more, and the end of the input that nobody
# is there any more.
# $1: what FIRSTBAD_RUN begins with in the commands' environments; whoever left its group still has it.
# $2: how often to look before nothing is left, 0.05 s apart, unless nothing is started any more.
# What a terminal or a supervisor sends to everybody must not end us before the others.
trap '' HUP INT TERM QUIT

groups=' '
looks=$2
while read -r sign group; do
    case $sign in
        +) groups="$groups$group " ;;
        -) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
        =) looks=1 ;;
    esac
done

# Sends signal $1 to all that are left; says whether there were any. Signal 0 only asks.
signal() {
    found=''
    # Where there is no /proc, only groups that we were told of are known.
    for file in $(grep -lsF "FIRSTBAD_RUN=$marker" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        pid=${pid%/environ}
        # The group that it leads, if it does, has members with other environments, and may outlive it.
        case $groups in *" $pid "*) ;; *) kill -s 0 -- "-$pid" && groups="$groups$pid " ;; esac
        kill -s "$1" "$pid" && found="$found$pid "
    done
    for group in $groups; do
        kill -s "$1" -- "-$group" && found="$found$group "
    done
    [ "$found" ]
}

marker=$1
# A command that was just being started has no environment for a moment, and its group was not said yet.
until signal TERM; do
    looks=$((looks - 1))
    [ "$looks" -gt 0 ] || exit 0
    sleep 0.05
done
for wait in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.05
    signal 0 || exit 0
done
# Whoever is started meanwhile is found the next time.
for again in 1 2 3 4 5 6 7 8 9 10; do
    signal KILL || exit 0
    sleep 0.05
done
