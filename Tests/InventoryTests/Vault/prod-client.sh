#!/bin/sh
[ "$1 $2" = "--vault-id prod" ] && echo other
