/// Shell functions that write, change and remove files in directories of any owner.
///
/// A user who owns one directory of a path can put a link in the place of everything below it, at any moment. Root must
/// therefore not create, change, rename, remove or read anything by such a path: whatever happens there happens with the
/// rights of that user, so a link leads nowhere that the user cannot reach anyway. Where only root can change the path,
/// root works as ever. A directory of root that a group may write to counts as root's: its administrator trusts the group.
///
/// The names of the functions' variables begin with an underscore, for POSIX shells have no local ones.
public enum PathRights {
    /// - `holder PATH` sets `$holder` to the first user besides root who can put something else at PATH, or to nothing. It
    ///   looks at the directories of PATH, not at PATH itself; `holder PATH/.` looks at PATH too, and follows the links that
    ///   are root's.
    /// - `as_holder PATH COMMAND…` runs a command with the rights of that user, or of root where there is none.
    /// - `write_file PATH OWNER:GROUP MODE READER [CHECK]` replaces the file at PATH by what the command READER makes of the
    ///   standard input. Without an owner the file keeps owner and mode of the old one.
    /// - `make_directory PATH OWNER:GROUP MODE` makes a directory, and its missing parents.
    /// - `give PATH OWNER:GROUP MODE` changes owner and mode; either may be empty.
    public static let functions: ShellText = #"""
        holder() {
          holder=
          [ -O / ] || [ -O /proc/1 ] || return 0
          _path=${1%/*}/ _links=0
          while :; do
            _at= _rest=${_path#/}
            set -- /
            while [ -n "$_rest" ]; do
              _at=$_at/${_rest%%/*} _rest=${_rest#*/}
              set -- "$@" "$_at"
            done
            for _word in $(stat --printf '%u:%U\n%A\n' -- "$@" 2>/dev/null); do
              case $_word in
              *:*) _who=$_word; continue ;;
              esac
              case $_who in
              0:*) ;;
              *:UNKNOWN) echo "$1 belongs to no user: give it to one"; return 1 ;;
              *) holder=${_who#*:}; return 0 ;;
              esac
              case $_word in
              l*)
                _links=$((_links + 1)) _rest=${_path#"$1"}
                [ $_links -le 40 ] || { echo "too many links lead to $_path"; return 1; }
                _path=$(readlink -- "$1")$_rest
                case $_path in /*) ;; *) _path=${1%/*}/$_path ;; esac
                continue 2 ;;
              d???????w[!tT])
                echo "everybody can write to the directory $1, so nothing in it is safe: chmod o-w $1"
                return 1 ;;
              esac
              shift
            done
            return 0
          done
        }
        as_user() {
          _user=$1
          shift
          ( cd / && exec setpriv --reuid="$_user" --regid="$(id -g -- "$_user")" --init-groups -- "$@" )
        }
        as_holder() {
          holder "$1" || return
          shift
          if [ -n "$holder" ]; then as_user "$holder" "$@"; else "$@"; fi
        }
        _owning='
          give_owner() {
            [ -z "$2" ] || chown -h -- "$2" "$1" || {
              [ -z "$holder" ] || echo "$1 is in a directory of $holder, who cannot make $2 its owner:" \
                "correct by hand to whom it or the directory belongs"
              return 1
            }
          }
        '
        _give='
          holder=$4
          give_mode() { [ -z "$2" ] || chmod -- "$2" "$1"; }
          # In a directory that others can write to, the new owner could put a link there in between.
          if [ -k "${1%/*}/" ]; then give_mode "$1" "$3" && give_owner "$1" "$2"
          else give_owner "$1" "$2" && give_mode "$1" "$3"; fi
        '
        _write='
          set -e
          path=$1 owner=$2 mode=$3 reader=$4 check=$5 holder=$6
          if [ -d "$path" ]; then echo "a directory stands at $path"; exit 1; fi
          for new in "$path".drover.??????; do
            if [ -e "$new" ] || [ -L "$new" ]; then rm -f -- "$new"; fi
          done
          new=$(mktemp "$path.drover.XXXXXX")
          trap "rm -f -- \"\$new\"" EXIT
          trap "exit 143" HUP INT TERM
          $reader >"$new"
          if [ -z "$owner" ] && [ -e "$path" ]; then
            set -- $(stat -L -c "%a %u:%g" -- "$path")
            mode=$1
            [ -n "$holder" ] || owner=$2
          fi
          [ -k "${path%/*}/" ] || give_owner "$new" "$owner"
          chmod -- "$mode" "$new"
          if [ -n "$check" ]; then eval "$check \"\$new\""; fi
          sync "$new"
          touch "$new"
          [ ! -k "${path%/*}/" ] || give_owner "$new" "$owner"
          mv -fT -- "$new" "$path"
          trap - EXIT
          sync "${path%/*}/"
        '
        write_file() {
          keep "$1" || return
          holder "$1" || return
          if [ -n "$holder" ]; then as_user "$holder" /bin/sh -c "$_owning$_write" sh "$1" "$2" "$3" "$4" "$5" "$holder"
          else ( eval "$_owning"; set -- "$1" "$2" "$3" "$4" "$5" ''; eval "$_write" ); fi
        }
        make_directory() { as_holder "$1" mkdir -p -- "$1" && give "$@"; }
        give() {
          holder "$1" || return
          if [ -z "$holder" ] && [ -k "${1%/*}/" ] && ! [ -O "$1" ]; then
            echo "$1 belongs to somebody else, in a directory that everybody can write to: remove it"
            return 1
          fi
          as_holder "$1" /bin/sh -c "$_owning$_give" sh "$1" "$2" "$3" "$holder"
        }

        """#
}
