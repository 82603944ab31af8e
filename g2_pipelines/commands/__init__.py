"""What each ``g2`` command does and prints: one module a command, over the domain packages."""
