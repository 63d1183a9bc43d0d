# imports-to-dyndep.sh IMPORTS OBJECT DYNDEP: tells ninja that OBJECT needs the
# modules that the file IMPORTS lists, one a line.
set -eu
{
  echo "ninja_dyndep_version = 1"
  echo "build $2: dyndep | $(tr '\n' ' ' < "$1")"
} > "$3.new"
cmp -s "$3.new" "$3" || mv "$3.new" "$3"
rm -f "$3.new"
