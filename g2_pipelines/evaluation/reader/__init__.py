"""Question sets for the reader: loading, scoring, comparing and showing answers."""
