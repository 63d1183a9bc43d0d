# build-all.sh INPUTS OUT COMPILER...: builds the program with its two libraries and
# its plugin. From the environment: LINK for all links, PROGRAM for that of the
# program.
set -e
inputs=$1 out=$2
shift 2
mkdir -p "$out"
for file in records walk plugin; do
  "$@" -O2 -fPIC -c "$inputs/$file.cpp" -o "$out/$file.o"
done
"$@" -O2 -c "$inputs/program.cpp" -o "$out/program.o"
"$@" -shared "$out/records.o" $LINK -o "$out/librecords.so"
"$@" -shared "$out/walk.o" "$out/librecords.so" $LINK -o "$out/libwalk.so"
"$@" -shared "$out/plugin.o" "$out/librecords.so" $LINK -o "$out/plugin.so"
"$@" "$out/program.o" $PROGRAM $LINK "$out/libwalk.so" "$out/librecords.so" \
  -Wl,-rpath,"$out" -o "$out/program"
