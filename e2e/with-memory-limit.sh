#!/bin/sh
# Chromium in LIMITED_KIB times 1,024 bytes of memory for each of its processes (browser-memory.ts).
ulimit -d "$LIMITED_KIB"
exec "$LIMITED_BROWSER" "$@"
