#!/bin/busybox sh
# system.sh: /init of the system that scripts/aarch64-system.sh boots. Runs what it finds in /checks,
# and says of each check whether it passed. Profiles that the other side is to look at go over the
# console.
PATH=/bin
export PATH
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mkdir -p /tmp
mount -t tmpfs tmpfs /tmp
cd /tmp
ulimit -c 0
echo "system: $(uname -r), pages of $(awk '/KernelPageSize/ { print $2; exit }' /proc/self/smaps) KiB"

# check NAME EXPECTED COMMAND...: the command ends well, and says what is expected, if anything is.
check() {
  name=$1 expected=$2
  shift 2
  if "$@" >said 2>&1 && { [ -z "$expected" ] || grep -q "$expected" said; }; then
    echo "passed: $name"
  else
    echo "failed: $name"
    head -n 20 said
  fi
}

# profiled NAME OPTIONS COMMAND...: the command ends well, with one profile that is sent.
profiled() {
  name=$1 options=$2
  shift 2
  rm -f raw.*
  if MEMPROF_OPTIONS=log_path=raw:$options "$@" >said 2>&1; then
    echo "profile: $name"
    cat raw.* | base64
    echo "end of profile"
  else
    echo "failed: $name (status $?)"
    head -n 20 said
  fi
}

live() {
  LD_PRELOAD=/checks/libthermocline_preload.so "$@"
}

profiled contexts touch_windows=1 /checks/contexts
profiled page-touches test_clock=1:page_touches=1 live /checks/page-touches
export MEMPROF_OPTIONS=log_path=raw:page_touches=1
check 'watched objects, threads and forks' '' live /checks/objects-on-pages
export MEMPROF_OPTIONS=print_text=1:log_path=stdout
check 'counters of a small program' 'access_count (ave/min/max): 1000.00 / 1000 / 1000' /checks/links
export MEMPROF_OPTIONS=log_path=raw
check 'large blocks' '' /checks/large-blocks
mkdir storm
export MEMPROF_OPTIONS=log_path=storm/raw:continuous=1:sync_interval_ms=1
check 'forks beside threads' '200 children, 0 failed' /checks/fork-storm storm
unset MEMPROF_OPTIONS
check 'no page of hot and cold' '160000 operations, no page shared' /checks/pages-are-never-shared 1
export THERMOCLINE_ALLOC_ORDER=1
check 'no page of hot and cold, in order' '160000 operations, no page shared' /checks/pages-are-never-shared 1
unset THERMOCLINE_ALLOC_ORDER
check 'the cold heap grows' '300 of 300 MiB are cold' /checks/cold-heap-grows
check 'bound memory' 'bound in 2 of 2 parts' /checks/kernel-keeps-heaps-apart bind
export MALLOC_CONF=dirty_decay_ms:0
check 'cold memory goes back' 'cold: most is gone' /checks/cold-memory-goes-back
unset MALLOC_CONF
echo 'end of checks'
poweroff -f
