"""Tables: row models and their Polars schemas, where they lie, atomic write, verified read.

``rows`` (common values), ``line1``, ``line2`` and ``ledger`` hold the row models and may be
imported by every package. ``paths`` and ``store`` know files; only ``defs`` and ``cli`` use them.
"""
