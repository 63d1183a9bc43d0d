# take-changed.sh FOLDER FILE...: moves each FILE from FOLDER to its place, unless
# the one that is there has the same contents.
set -eu
folder=$1
shift
for file; do
  cmp -s "$folder/$file" "$file" || mv "$folder/$file" "$file"
done
