"""Mutated inputs against every reader of files that we did not write: ``make fuzz``.

A target is a module in ``targets`` with ``TARGETS``; adding one needs nothing else. Every
input is made from (seed, target, number) alone, so a failure is reproduced by its number.
"""
