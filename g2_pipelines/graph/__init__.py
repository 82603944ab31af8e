"""The content graph: structural edges, evolution, guards, readout."""
