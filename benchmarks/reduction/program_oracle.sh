#!/bin/sh
# Interesting: the C file still compiles, and `cents` is still printed as if it were an int.
# Exit codes: 0 interesting, 1 not, 125 does not compile.
said=$(LC_ALL=C cc -std=c11 -fsyntax-only -Wformat -Werror=implicit-function-declaration -Werror=implicit-int -x c "$1" 2>&1) ||
    exit 125
case $said in
*"expects argument of type 'int', but argument "*" has type 'cents'"*) exit 0 ;;
*) exit 1 ;;
esac
