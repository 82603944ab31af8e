"""Models: completion and embedding ports, engines, call cache, structured output, ledger."""
