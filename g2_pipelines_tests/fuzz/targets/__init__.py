"""What is fuzzed: one module a package, each with ``TARGETS``."""
