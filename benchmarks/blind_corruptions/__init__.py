"""Corruptions of true sentences, written without sight of the checker that they measure.

Here: a second generator beside ``benchmarks.corruptions``, by another hand and with kinds of its own
(movements told wrongly, spoken records with figures in kanji, names of businesses). Not here: any
part of the checker; it imports nothing of ``g2_pipelines``.
"""
