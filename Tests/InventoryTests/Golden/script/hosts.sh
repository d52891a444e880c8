#!/bin/sh
case $1 in
--list) cat <<'JSON'
{
    "web": {"hosts": ["s1", "s2"], "vars": {"a": 1, "b": [true, null, "\u00e9\/"]}, "children": ["inner"]},
    "inner": {"hosts": ["s3"]}, "plain": {"hosts": ["s1"]},
    "_meta": {"hostvars": {"s1": {"x": "one", "n": {"k": 1.5}}, "s3": {}, "unknown": {"x": 2}}}
}
JSON
;;
*) exit 3 ;;
esac
