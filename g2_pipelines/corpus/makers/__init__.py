"""Scripts that make the sample corpus; run by developers, imported by nothing."""
