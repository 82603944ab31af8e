"""Evaluation: claims, attribution, checks of a summary against its sources."""
