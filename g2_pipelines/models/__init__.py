"""Language and embedding models behind two ports; call cache, ledger, structured output."""
