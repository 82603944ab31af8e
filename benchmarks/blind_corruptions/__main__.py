"""``python -m benchmarks.blind_corruptions SOURCES OUT --seed N --per-kind N``."""

from benchmarks.blind_corruptions.generate import main

main()
