#!/bin/sh
# contexts.sh PROFDATA PROFILE: what does not depend on times, of each context: its calls, and its
# allocations and accesses.
"$1" show --memory "$2" | grep -E 'GUID|Function:|AllocCount|TotalAccessCount|TotalSize'
