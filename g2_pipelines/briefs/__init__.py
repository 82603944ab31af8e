"""Briefs: aspects, sources, pre-summaries, final summaries, the page."""
